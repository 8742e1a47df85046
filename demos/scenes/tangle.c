// SPDX-License-Identifier: Zlib
// Thin, wavy rods tangled in a cube and reflected at its walls, each cut into edges of about length 1. Few edges touch,
// but the box of each edge overlaps hundreds of boxes.

#include "layout.h"

#include "random.h"
#include "wave.h"

#include <math.h>

enum
{
    CLT_EDGES_OF_ROD = 64
};

#define CLT_FIRST_ROD 2000000000u // subject of the first rod; larger than those of all bodies and clusters

static const double s_volumeOfEdge = 0.0018;
static const double s_waveHeight = 0.25;
static const double s_speed = 0.05; // the largest speed of a rod along each axis

// The point of a rod at `edges` edge lengths from its start. A rod has a slope and a wave along each axis.
static void cltFollowRod( const cltSceneState* state, uint32_t rod, uint32_t edges, float place[3] )
{
    const cltDraw draw = { state->scene.def.seed, CLT_FIRST_ROD + rod, CLT_STEP_PLACING };
    const double time = (double)state->scene.def.speed * state->scene.step;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double width = state->extent[axis] - 2 * s_waveHeight;
        const double slope = (double)cltUniformSigned( draw, axis );
        const double drift = s_speed * (double)cltUniformSigned( draw, 3 + axis ) * time;
        const double start = 2 * width * (double)cltUniform( draw, 6 + axis );
        const double wave = 0.2 * edges * (double)cltUniform( draw, 9 + axis ) + (double)cltUniform( draw, 12 + axis );
        const double way = ( start + slope * edges + drift ) / ( 2 * width );
        place[axis] = (float)( s_waveHeight * ( 1 + cltSine( wave ) ) + width * cltTriangleWave( way ) );
    }
}

void cltPlaceEdge( cltSceneState* state, uint32_t body )
{
    float ends[2][3];
    cltFollowRod( state, body / CLT_EDGES_OF_ROD, body % CLT_EDGES_OF_ROD, ends[0] );
    cltFollowRod( state, body / CLT_EDGES_OF_ROD, body % CLT_EDGES_OF_ROD + 1, ends[1] );
    state->scene.boxes[body] = cltBoxAround( ends, 2 );
}

void cltLayOutTangle( cltSceneState* state )
{
    const double edge = (double)(float)cbrt( s_volumeOfEdge * state->scene.def.bodyCount ) + 4 * s_waveHeight;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        state->extent[axis] = edge;
    }
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->halfEdges[body] = 0.25f;
        cltPlaceEdge( state, body );
    }
}
