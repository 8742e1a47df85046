// SPDX-License-Identifier: Zlib
// Walls of unit boxes at rest, as in Bullet. A body's box extends 0.02 beyond the body on every side
// (gContactBreakingThreshold), so that bodies that rest on each other overlap by 0.04, with the small errors that a
// solver leaves. Each box moves around its place by far less than 0.04. Some bricks are placed so that they just touch.

#include "layout.h"

#include "random.h"

#include <math.h>

enum
{
    CLT_WALL_HEIGHT = 10,
    CLT_BRICKS_PER_LOOSE_ONE = 256
};

static const float s_amplitude = 0.0001f; // of a box's motion, at speed 1
static const float s_overlap = 0.04f;
static const float s_brick = 0.96f; // from one brick to the next, along the wall and upwards
static const float s_wallDistance = 1.5f;
static const float s_unevenness = 0.005f;

void cltTremble( cltSceneState* state, uint32_t body )
{
    const cltDraw draw = { state->scene.def.seed, body, state->scene.step };
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const float shift = s_amplitude * state->scene.def.speed * cltUniformSigned( draw, axis );
        const float place = state->centers[body][axis] + shift;
        state->scene.boxes[body].lower[axis] = place - state->halfEdges[body];
        state->scene.boxes[body].upper[axis] = place + state->halfEdges[body];
    }
}

void cltLayOutTremble( cltSceneState* state )
{
    const uint32_t bodyCount = state->scene.def.bodyCount;
    const uint32_t length = (uint32_t)ceil( sqrt( (double)bodyCount / CLT_WALL_HEIGHT ) );
    state->extent[0] = (double)s_brick * length + 1;
    state->extent[1] = (double)s_wallDistance * length + 1;
    state->extent[2] = CLT_WALL_HEIGHT;
    for ( uint32_t body = 0; body < bodyCount; ++body )
    {
        const cltDraw draw = { state->scene.def.seed, body, CLT_STEP_PLACING };
        const uint32_t stack = body / CLT_WALL_HEIGHT;
        const float place[3] = { 0.5f + s_brick * (float)( stack % length ),
                                 0.5f + s_wallDistance * (float)( stack / length ),
                                 0.5f - s_overlap + s_brick * (float)( body % CLT_WALL_HEIGHT ) };
        state->halfEdges[body] = 0.5f;
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            state->centers[body][axis] = place[axis] + s_unevenness * cltUniformSigned( draw, axis );
        }
        if ( body % CLT_BRICKS_PER_LOOSE_ONE == 0 && body > CLT_WALL_HEIGHT )
        {
            // the box just touches the previous stack
            state->centers[body][0] = state->centers[body - CLT_WALL_HEIGHT][0] + 2.0f * state->halfEdges[body];
        }
        cltTremble( state, body );
    }
    cltPlaceFloor( state, (float)state->extent[1] );
}
