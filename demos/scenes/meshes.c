// SPDX-License-Identifier: Zlib
#include "meshes.h"

#include "random.h"
#include "surfaces.h"

#include <stdlib.h>

/// A scene with the surfaces of its meshes.
typedef struct cltMeshSceneState
{
    cltMeshScene scene; ///< the first member, which cltCreateMeshScene returns
    cltSurface* surfaces;
} cltMeshSceneState;

static const uint32_t s_nBodies = 305;
static const uint32_t s_nBodyTriangles = 146000;
static const double s_nBodyRegion = 47; // radius of the ball in which the centers are

static uint32_t cltMeshCountOf( cltMeshSceneKind kind )
{
    static const uint32_t counts[] = { [clt_meshSceneBlob] = 1,
                                       [clt_meshSceneClothDrop] = 2,
                                       [clt_meshSceneFunnel] = 4,
                                       [clt_meshSceneClothBall] = 2 };
    return kind == clt_meshSceneNBody ? s_nBodies : counts[kind];
}

// ------------------------------------------------------------------------------------------------------------ surfaces

static cltSurface cltBallOf( uint32_t triangleCount )
{
    return cltBall( triangleCount, cltBallRadius( triangleCount ) );
}

static void cltLayOutClothDrop( cltSurface* surfaces )
{
    surfaces[1] = cltBallOf( 69451 );
    surfaces[0] = cltSinkingSheet( 32, 2.5, surfaces[1].radius );
}

/// Places the bodies at random in a ball. Half of them orbit in the opposite direction.
static void cltLayOutNBody( cltSurface* surfaces )
{
    for ( uint32_t body = 0; body < s_nBodies; ++body )
    {
        const cltDraw draw = { 305, body, CLT_STEP_PLACING };
        const uint32_t triangles = s_nBodyTriangles / s_nBodies + ( body < s_nBodyTriangles % s_nBodies );
        surfaces[body] = cltBallOf( triangles );
        double* center = surfaces[body].center;
        uint32_t channel = 0;
        do
        {
            for ( int axis = 0; axis < 3; ++axis )
            {
                center[axis] = s_nBodyRegion * (double)cltUniformSigned( draw, channel++ );
            }
        } while ( center[0] * center[0] + center[1] * center[1] + center[2] * center[2] >
                  s_nBodyRegion * s_nBodyRegion );
        surfaces[body].turning = ( body % 2 == 0 ? 0.1 : -0.1 ) / ( CLT_TWO_PI * s_nBodyRegion );
    }
}

static void cltLayOutFunnel( cltSurface* surfaces )
{
    const double neck = 6;
    surfaces[0] = cltDrawnSheet( 80, 1, neck );
    surfaces[1] = cltFunnel( 4000, neck );
    surfaces[2] = cltBall( 1200, 0.8 * neck );
    surfaces[2].center[2] = 0.5 * neck;
    surfaces[3] = cltBall( 500, 2 * neck ); // a boulder on the ground
    surfaces[3].center[2] = -5 * neck;
}

static void cltLayOutClothBall( cltSurface* surfaces )
{
    surfaces[1] = cltBallOf( 12000 );
    surfaces[1].bumps = 0;
    surfaces[0] = cltDrapedSheet( 200, 5 * surfaces[1].radius / 200, surfaces[1].radius );
}

static void cltChooseSurfaces( cltMeshSceneState* state )
{
    switch ( state->scene.def.kind )
    {
    case clt_meshSceneBlob:
        state->surfaces[0] = cltBallOf( state->scene.def.triangleCount );
        state->surfaces[0].areMoving = true;
        break;
    case clt_meshSceneClothDrop:
        cltLayOutClothDrop( state->surfaces );
        break;
    case clt_meshSceneNBody:
        cltLayOutNBody( state->surfaces );
        break;
    case clt_meshSceneFunnel:
        cltLayOutFunnel( state->surfaces );
        break;
    case clt_meshSceneClothBall:
        cltLayOutClothBall( state->surfaces );
        break;
    }
}

// -------------------------------------------------------------------------------------------------------------- meshes

static uint32_t cltCornersAcross( const cltSurface* surface )
{
    return surface->isClosed ? surface->columns : surface->columns + 1;
}

static void cltConnect( const cltSurface* surface, cltMesh* mesh )
{
    const uint32_t across = cltCornersAcross( surface );
    for ( uint32_t triangle = 0; triangle < mesh->triangleCount; ++triangle )
    {
        const uint32_t square = triangle / 2;
        const uint32_t row = square / surface->columns, column = square % surface->columns;
        const uint32_t next = ( column + 1 ) % across;
        uint32_t* corners = mesh->triangles[triangle];
        corners[0] = triangle % 2 == 0 ? row * across + column : ( row + 1 ) * across + next;
        corners[1] = triangle % 2 == 0 ? row * across + next : ( row + 1 ) * across + column;
        corners[2] = triangle % 2 == 0 ? ( row + 1 ) * across + column : row * across + next;
    }
}

static bool cltCreateMeshOf( const cltSurface* surface, cltMesh* mesh )
{
    mesh->triangleCount = surface->triangleCount;
    mesh->vertexCount = cltCornersAcross( surface ) * ( surface->rows + 1 );
    mesh->vertices = malloc( mesh->vertexCount * sizeof *mesh->vertices );
    mesh->triangles = malloc( mesh->triangleCount * sizeof *mesh->triangles );
    if ( mesh->vertices == NULL || mesh->triangles == NULL )
    {
        return false;
    }
    cltConnect( surface, mesh );
    return true;
}

static void cltPlaceVertices( const cltSurface* surface, double time, cltMesh* mesh )
{
    const uint32_t across = cltCornersAcross( surface );
    for ( uint32_t vertex = 0; vertex < mesh->vertexCount; ++vertex )
    {
        double place[3];
        surface->place( surface, vertex / across, vertex % across, time, place );
        for ( int axis = 0; axis < 3; ++axis )
        {
            mesh->vertices[vertex][axis] = (float)place[axis];
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- scene

cltMeshScene* cltCreateMeshScene( const cltMeshSceneDef* def )
{
    cltMeshSceneState* state = calloc( 1, sizeof *state );
    if ( state == NULL )
    {
        return NULL;
    }
    cltMeshScene* scene = &state->scene;
    scene->def = *def;
    scene->meshCount = cltMeshCountOf( def->kind );
    scene->meshes = calloc( scene->meshCount, sizeof *scene->meshes );
    state->surfaces = calloc( scene->meshCount, sizeof *state->surfaces );
    bool isDone = scene->meshes != NULL && state->surfaces != NULL;
    if ( isDone )
    {
        cltChooseSurfaces( state );
    }
    for ( uint32_t mesh = 0; isDone && mesh < scene->meshCount; ++mesh )
    {
        isDone = cltCreateMeshOf( &state->surfaces[mesh], &scene->meshes[mesh] );
    }
    if ( !isDone )
    {
        cltDestroyMeshScene( scene );
        return NULL;
    }
    cltMeshScene_GoTo( scene, 0 );
    return scene;
}

void cltMeshScene_GoTo( cltMeshScene* scene, uint32_t step )
{
    const cltMeshSceneState* state = (const cltMeshSceneState*)scene;
    scene->step = step;
    for ( uint32_t mesh = 0; mesh < scene->meshCount; ++mesh )
    {
        cltPlaceVertices( &state->surfaces[mesh], (double)scene->def.speed * step, &scene->meshes[mesh] );
    }
}

void cltDestroyMeshScene( cltMeshScene* scene )
{
    if ( scene == NULL )
    {
        return;
    }
    for ( uint32_t mesh = 0; scene->meshes != NULL && mesh < scene->meshCount; ++mesh )
    {
        free( scene->meshes[mesh].vertices );
        free( scene->meshes[mesh].triangles );
    }
    free( scene->meshes );
    free( ( (cltMeshSceneState*)scene )->surfaces );
    free( scene );
}
