// SPDX-License-Identifier: Zlib
// Places the bodies of the scenes of cubes in random motion. The channel of each random number is part of a scene's
// definition: with another channel the published tables would be about another scene.

#include "layout.h"

#include "random.h"

#include <math.h>

// Channels (random.h) of the random numbers of step CLT_STEP_PLACING. Channels 0, 1 and 2 are the position along x, y
// and z. CLT_CHANNEL_MOVES is in scenes.c.
enum
{
    CLT_CHANNEL_EDGE = 3,
    CLT_CHANNEL_IN_CLUSTER = 3,
    CLT_CHANNEL_CLUSTER = 4
};

enum
{
    CLT_HUGE_COUNT = 10,
    CLT_CLUSTER_COUNT = 20
};

#define CLT_FIRST_CLUSTER 1000000000u // subject of the first cluster; larger than those of all bodies

static const float s_cubeHalfEdge = 0.5f;
static const float s_tileEdge = 4.0f;
static const float s_corridorHalfEdge = 0.53767f;
static const double s_logHundred = 4.605170185988092; // the largest mixed edge over the smallest is 100
static const double s_rootPiCubed = 5.568327997;      // pi^(3/2): the effective volume of a Gaussian with deviation 1

static cltDraw cltPlacingDraw( const cltSceneState* state, uint32_t subject )
{
    return ( cltDraw ){ state->scene.def.seed, subject, CLT_STEP_PLACING };
}

void cltPlaceBody( cltSceneState* state, uint32_t body )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        state->scene.boxes[body].lower[axis] = state->centers[body][axis] - state->halfEdges[body];
        state->scene.boxes[body].upper[axis] = state->centers[body][axis] + state->halfEdges[body];
    }
}

void cltPlaceFloor( cltSceneState* state, float end )
{
    const float margin = 1000.0f;
    state->scene.boxes[state->scene.def.bodyCount] =
        ( cltAabb ){ { -margin, -margin, -1.0f }, { end + margin, end + margin, 0.0f } };
}

cltAabb cltBoxAround( float points[][3], uint32_t count )
{
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = box.upper[axis] = points[0][axis];
        for ( uint32_t k = 1; k < count; ++k )
        {
            const float place = points[k][axis];
            box.lower[axis] = place < box.lower[axis] ? place : box.lower[axis];
            box.upper[axis] = place > box.upper[axis] ? place : box.upper[axis];
        }
    }
    return box;
}

static void cltSetCubeExtent( cltSceneState* state, double edge )
{
    state->extent[0] = state->extent[1] = state->extent[2] = edge;
}

static void cltScatterBody( cltSceneState* state, uint32_t body )
{
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double place = (double)cltUniform( cltPlacingDraw( state, body ), axis );
        state->centers[body][axis] = (float)( state->extent[axis] * place );
    }
    cltPlaceBody( state, body );
}

// -------------------------------------------------------------------------------------------------------- brownian

void cltLayOutBrownian( cltSceneState* state )
{
    cltSetCubeExtent( state, cbrt( 2.0 * state->scene.def.bodyCount ) );
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->halfEdges[body] = s_cubeHalfEdge;
        cltScatterBody( state, body );
    }
}

// -------------------------------------------------------------------------------------------------------- corridor

// As dense as the unpublished scene of Karras, Thinking Parallel, Part II, 2012: 12,486 boxes with the default seed
// have 73,704 pairs, as many as in the post. The edge was found by bisection.
void cltLayOutCorridor( cltSceneState* state )
{
    state->extent[0] = 0.0211875 * state->scene.def.bodyCount;
    state->extent[1] = 8;
    state->extent[2] = 4;
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->halfEdges[body] = s_corridorHalfEdge;
        cltScatterBody( state, body );
    }
}

// ----------------------------------------------------------------------------------------------------------- mixed

// Places a slab, half as wide as the scene and a tenth of the scene thick. Slabs are thin along each axis in turn.
static void cltPlaceHugeBox( cltSceneState* state, uint32_t index )
{
    const uint32_t box = state->scene.def.bodyCount + index;
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const double sceneEdge = state->extent[axis];
        const double edge = ( axis == index % 3 ? 0.1 : 0.5 ) * sceneEdge;
        const double center = sceneEdge * (double)cltUniform( cltPlacingDraw( state, box ), axis );
        state->scene.boxes[box].lower[axis] = (float)( center - 0.5 * edge );
        state->scene.boxes[box].upper[axis] = (float)( center + 0.5 * edge );
    }
}

void cltLayOutMixed( cltSceneState* state )
{
    // 71.2 is slightly less than the mean volume of a cube with a log-uniform edge from 0.1 to 10. It gives 3.2 pairs
    // for each body.
    cltSetCubeExtent( state, cbrt( 71.2 * state->scene.def.bodyCount ) );
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        const double exponent = (double)cltUniform( cltPlacingDraw( state, body ), CLT_CHANNEL_EDGE ) * s_logHundred;
        state->halfEdges[body] = (float)( 0.05 * exp( exponent ) );
        cltScatterBody( state, body );
    }
    for ( uint32_t index = 0; index < CLT_HUGE_COUNT; ++index )
    {
        cltPlaceHugeBox( state, index );
    }
    // The box that a physics engine gives its broadphase for an infinite plane.
    state->scene.boxes[state->scene.def.bodyCount + CLT_HUGE_COUNT] =
        ( cltAabb ){ { -1e18f, -1e18f, -1e18f }, { 1e18f, 1e18f, 1e18f } };
}

// ------------------------------------------------------------------------------------------------------- clustered

static void cltPlaceInCluster( cltSceneState* state, float deviation, uint32_t body )
{
    const cltDraw draw = cltPlacingDraw( state, body );
    const uint32_t cluster = (uint32_t)( cltUniform( draw, CLT_CHANNEL_CLUSTER ) * CLT_CLUSTER_COUNT );
    const cltDraw clusterDraw = cltPlacingDraw( state, CLT_FIRST_CLUSTER + cluster );
    for ( uint32_t axis = 0; axis < 3; ++axis )
    {
        const float end = (float)state->extent[axis];
        const float center = (float)( state->extent[axis] * ( 0.1 + 0.8 * (double)cltUniform( clusterDraw, axis ) ) );
        const float place = center + deviation * cltGaussian( draw, axis );
        state->centers[body][axis] = place < 0.0f ? 0.0f : place > end ? end : place;
    }
    cltPlaceBody( state, body );
}

void cltLayOutClustered( cltSceneState* state )
{
    cltSetCubeExtent( state, cbrt( 20.0 * state->scene.def.bodyCount ) );
    const double bodiesInEach = 0.9 * state->scene.def.bodyCount / CLT_CLUSTER_COUNT;
    const float deviation = (float)cbrt( bodiesInEach / ( 10 * s_rootPiCubed ) );
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->halfEdges[body] = s_cubeHalfEdge;
        if ( cltUniform( cltPlacingDraw( state, body ), CLT_CHANNEL_IN_CLUSTER ) < 0.9f )
        {
            cltPlaceInCluster( state, deviation, body );
        }
        else
        {
            cltScatterBody( state, body );
        }
    }
}

void cltLayOutDebris( cltSceneState* state )
{
    cltLayOutClustered( state );
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->scene.filters[body] = ( cltFilter ){ 8, ~8 }; // Bullet's group for debris
    }
    cltPlaceFloor( state, (float)state->extent[0] );
}

// ----------------------------------------------------------------------------------------------------------- level

static void cltPlaceStaticCube( cltSceneState* state, uint32_t box, float x, float y, float z, float edge )
{
    state->scene.boxes[box] = ( cltAabb ){ { x, y, z }, { x + edge, y + edge, z + edge } };
}

// Places a box of any size on the floor.
static void cltPlaceObstacle( cltSceneState* state, uint32_t box, cltDraw draw )
{
    const float share = cltUniform( draw, CLT_CHANNEL_EDGE );
    cltPlaceStaticCube( state, box, (float)state->extent[0] * cltUniform( draw, 0 ),
                        (float)state->extent[1] * cltUniform( draw, 1 ), 0.0f, 0.5f + 3.5f * share * share );
}

// Static boxes are alternately tiles of the floor, which touch their neighbours, and obstacles.
static void cltPlaceLevelBox( cltSceneState* state, uint32_t index, uint32_t tilesAlong )
{
    const uint32_t box = state->scene.def.bodyCount + index;
    const uint32_t tile = index / 2;
    if ( index % 2 == 0 )
    {
        cltPlaceStaticCube( state, box, s_tileEdge * (float)( tile % tilesAlong ),
                            s_tileEdge * (float)( tile / tilesAlong ), -s_tileEdge, s_tileEdge );
    }
    else
    {
        cltPlaceObstacle( state, box, cltPlacingDraw( state, box ) );
    }
}

uint32_t cltReplaceLevelBox( cltSceneState* state, uint32_t number )
{
    const cltScene* scene = &state->scene;
    const uint32_t obstacleCount = ( scene->boxCount - scene->def.bodyCount ) / 2;
    const uint32_t box = scene->def.bodyCount + 2 * ( number % obstacleCount ) + 1;
    cltPlaceObstacle( state, box, ( cltDraw ){ scene->def.seed, box, scene->step } );
    return box;
}

void cltLayOutLevel( cltSceneState* state )
{
    const uint32_t staticCount = state->scene.boxCount - state->scene.def.bodyCount;
    const uint32_t tilesAlong = (uint32_t)ceil( sqrt( 0.5 * staticCount ) );
    state->extent[0] = state->extent[1] = (double)s_tileEdge * tilesAlong;
    state->extent[2] = 1; // low, so that bodies stay among the static boxes
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->halfEdges[body] = s_cubeHalfEdge;
        cltScatterBody( state, body );
    }
    for ( uint32_t index = 0; index < staticCount; ++index )
    {
        cltPlaceLevelBox( state, index, tilesAlong );
    }
}
