// SPDX-License-Identifier: Zlib
// The column: a jittered lattice of unit cubes, four times as high as wide, that falls onto a floor layer by layer.
// Each body's height is a formula of the step, not an integral, so that it is the same on every machine.

#include "layout.h"

#include "random.h"

#include <math.h>

static const float s_latticeJitter = 0.24f; // of a cube's edge, so that some neighbours overlap and some do not
static const float s_layerHeight = 0.96f;   // less than an edge: resting layers overlap
static const float s_startStretch = 1.08f;  // layers start further apart and come to rest one after the other
static const float s_firstSpeed = 0.05f;    // at the start, per step
static const float s_acceleration = 0.004f; // speed gained in each step
static const float s_fallingJitter = 0.02f;
static const float s_restingJitter = 0.01f; // the small motion that a contact solver leaves in a pile at rest

void cltPlaceFallingBody( cltSceneState* state, uint32_t body )
{
    const cltFall* fall = &state->falls[body];
    const cltDraw draw = { state->scene.def.seed, body, state->scene.step };
    const float time = (float)state->scene.step;
    const float height = fall->startHeight - ( s_firstSpeed * time + 0.5f * s_acceleration * time * time );
    const float jitter = height > fall->rest[2] ? s_fallingJitter : s_restingJitter;
    const float base[3] = { fall->rest[0], fall->rest[1], height < fall->rest[2] ? fall->rest[2] : height };
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        state->centers[body][axis] = base[axis] + jitter * cltUniformSigned( draw, axis );
    }
    cltPlaceBody( state, body );
}

static cltFall cltPlanFall( const cltSceneState* state, uint32_t body, uint32_t latticeEdge )
{
    const cltDraw draw = { state->scene.def.seed, body, CLT_STEP_PLACING };
    const uint32_t layerIndex = body / ( latticeEdge * latticeEdge );
    const float column = (float)( body % latticeEdge );
    const float row = (float)( body / latticeEdge % latticeEdge );
    const float layer = (float)layerIndex;
    float jitter[3];
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        jitter[axis] = s_latticeJitter * cltUniformSigned( draw, axis );
    }
    return ( cltFall ){
        .rest = { column + 1.5f + jitter[0], row + 1.5f + jitter[1], 0.5f + s_layerHeight * layer + jitter[2] },
        .startHeight = 0.5f + s_layerHeight * layer * s_startStretch + jitter[2],
    };
}

void cltLayOutColumn( cltSceneState* state )
{
    const uint32_t bodyCount = state->scene.def.bodyCount;
    const uint32_t edge = bodyCount == 0 ? 1 : (uint32_t)ceil( cbrt( bodyCount / 4.0 ) );
    const uint32_t layerCount = ( bodyCount + edge * edge - 1 ) / ( edge * edge );
    state->extent[0] = state->extent[1] = edge + 2;
    state->extent[2] = 1.6 * layerCount + 2;
    for ( uint32_t body = 0; body < bodyCount; ++body )
    {
        state->halfEdges[body] = 0.5f;
        state->falls[body] = cltPlanFall( state, body, edge );
        cltPlaceFallingBody( state, body );
    }
    cltPlaceFloor( state, (float)edge );
}
