// SPDX-License-Identifier: Zlib
// Walls of unit boxes at rest, as a solver leaves them: each body trembles around its place, by far less than the
// margins that broadphases keep. Bricks overlap the bricks beside and above them by a hundredth or not at all, so that
// of thousands a few come to touch.

#include "layout.h"

#include "random.h"

#include <math.h>

enum
{
    CLT_WALL_HEIGHT = 10
};

static const float s_amplitude = 0.0001f; // of a step at speed 1
static const float s_brick = 0.99f;       // from one brick to the next, along the wall and upwards
static const float s_wallDistance = 1.5f;
static const float s_unevenness = 0.01f;

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
                                 0.5f + s_brick * (float)( body % CLT_WALL_HEIGHT ) };
        state->halfEdges[body] = 0.5f;
        for ( uint32_t axis = 0; axis < 3; ++axis )
        {
            state->centers[body][axis] = place[axis] + s_unevenness * cltUniformSigned( draw, axis );
        }
        cltTremble( state, body );
    }
    cltPlaceFloor( state, (float)state->extent[1] );
}
