// SPDX-License-Identifier: Zlib
#include "meshes.h"

#include "random.h"
#include "wave.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double s_cornerStep = 0.1;  // edges that a corner moves in a unit of time, approximately
static const double s_sheetGap = 0.05;   // between a sheet and the surface that it lies on
static const double s_foldWidth = 0.085; // fraction of the radius
static const double s_foldGap = 0.02;    // descent of the folds per unit of length along the sheet
static const double s_pleatDrift = 0.01; // turns of the pleats in a unit of time
static const double s_pleats = 60;       // number of pleats around a draped or drawn sheet

static const uint32_t s_nBodies = 305;
static const uint32_t s_nBodyTriangles = 146000;
static const double s_nBodyRegion = 47; // radius of the ball in which the centers are

/// The surface of a mesh: a grid of squares with two triangles each, and a formula that places the corners.
typedef struct cltSurface
{
    uint32_t triangleCount; ///< number of triangles used, from the first of the grid on
    uint32_t rows;
    uint32_t columns;
    bool isClosed; ///< the last column is joined to the first
    void ( *place )( const struct cltSurface* surface, double row, double column, double time, double place[3] );

    double center[3];
    double radius;  ///< of a ball or a funnel's neck; for a sheet, of the ball or neck that it passes
    double edge;    ///< of a square of a sheet
    double bumps;   ///< height of a ball's bumps over its radius
    bool areMoving; ///< the bumps move
    double turning; ///< turns of the center about the upward axis in a unit of time
} cltSurface;

/// A scene with the surfaces of its meshes.
typedef struct cltMeshSceneState
{
    cltMeshScene scene; ///< the first member, which cltCreateMeshScene returns
    cltSurface* surfaces;
} cltMeshSceneState;

// -------------------------------------------------------------------------------------------------------------- balls

static void cltPlaceOnBall( const cltSurface* ball, double row, double column, double time, double place[3] )
{
    const double polar = 0.5 * ( row + 0.5 ) / ( ball->rows + 1 );
    const double around = column / ball->columns;
    const double ring = cltSine( polar );
    const double x = cltCosine( polar ), y = ring * cltCosine( around ), z = ring * cltSine( around );
    const double drift = ball->areMoving ? s_cornerStep * time / ball->radius : 0;
    const double bump = cltSine( 0.7 * x + 0.3 * y + 0.5 * z + drift ) +
                        0.5 * cltSine( 1.3 * x - 0.9 * y - 2 * drift ) +
                        0.2 * cltSine( 2.1 * x + 1.7 * y - 1.9 * z + 3 * drift );
    const double radius = ball->radius * ( 1 + ball->bumps * bump );
    const cltTurn turned = cltTurnBy( ball->turning * time );
    place[0] = ball->center[0] * turned.cosine - ball->center[1] * turned.sine + radius * x;
    place[1] = ball->center[0] * turned.sine + ball->center[1] * turned.cosine + radius * y;
    place[2] = ball->center[2] + radius * z;
}

/// A ball with bumps. Its poles are on the first axis, where the surface is open.
static cltSurface cltBall( uint32_t triangleCount, double radius )
{
    const uint32_t squares = ( triangleCount + 1 ) / 2;
    cltSurface ball = {
        .triangleCount = triangleCount, .isClosed = true, .place = cltPlaceOnBall, .radius = radius, .bumps = 0.1 };
    ball.rows = (uint32_t)ceil( sqrt( 0.5 * squares ) );
    ball.columns = ( squares + ball.rows - 1 ) / ball.rows;
    return ball;
}

/// A ball of squares with edges of about 1.
static cltSurface cltBallOf( uint32_t triangleCount )
{
    return cltBall( triangleCount, sqrt( 0.5 * triangleCount / ( 2 * CLT_TWO_PI ) ) );
}

// ------------------------------------------------------------------------------------------------------------- sheets

/// The distance of a corner from the middle of a square sheet, along the sheet, and the direction to the corner.
static double cltDistanceFromMiddle( const cltSurface* sheet, double row, double column, cltTurn* direction )
{
    const double x = sheet->edge * ( column - 0.5 * sheet->columns );
    const double y = sheet->edge * ( row - 0.5 * sheet->rows );
    const double arc = sqrt( x * x + y * y );
    *direction = arc > 0 ? ( cltTurn ){ x / arc, y / arc } : ( cltTurn ){ 1, 0 };
    return arc;
}

static void cltPlaceAround( const cltSurface* surface, cltTurn direction, double ring, double height, double place[3] )
{
    place[0] = surface->center[0] + ring * direction.cosine;
    place[1] = surface->center[1] + ring * direction.sine;
    place[2] = surface->center[2] + height;
}

/// A sagging square sheet that sinks through a ball.
static void cltPlaceSinking( const cltSurface* sheet, double row, double column, double time, double place[3] )
{
    cltTurn direction;
    const double arc = cltDistanceFromMiddle( sheet, row, column, &direction ) / sheet->radius;
    const double ripple = cltSine( arc * direction.cosine - 0.3 * arc * direction.sine + 0.01 * time );
    const double height = sheet->radius * ( 1.3 - 0.3 * arc * arc + 0.04 * ripple );
    cltPlaceAround( sheet, direction, sheet->radius * arc, height - s_cornerStep * sheet->edge * time, place );
}

/// A circle of the sheet, of radius `arc`, lies in pleats on a ring of radius `ring`. Returns the height of the pleats
/// at which the wavy line around the ring is as long as the circle.
static double cltPleatHeightOnRing( double arc, double ring )
{
    const double longer = arc / ring;
    const double slope = longer > 1 ? sqrt( 2 * ( longer * longer - 1 ) ) : 0;
    return fmin( slope / s_pleats, 0.45 ) * ring;
}

/// The wave of the pleats around the sheet, from 0 to 2.
static double cltPleatWave( cltTurn direction, double time )
{
    const cltTurn pleat = cltMultiplyTurn( direction, (uint32_t)s_pleats );
    return 1 + cltAddTurns( pleat, cltTurnBy( s_pleatDrift * time ) ).cosine;
}

/// A square sheet over a ball. The part of the sheet beyond the ball's quarter arc lies around the ball in folds that
/// descend slowly. Pleats stand up from the folds.
static void cltPlaceDraped( const cltSurface* sheet, double row, double column, double time, double place[3] )
{
    cltTurn direction;
    const double arc = cltDistanceFromMiddle( sheet, row, column, &direction );
    const double quarter = 0.25 * CLT_TWO_PI * sheet->radius;
    const double turns = arc / ( CLT_TWO_PI * sheet->radius );
    const double hanging = arc < quarter ? 0 : arc - quarter;
    const double fold = s_foldWidth * sheet->radius;
    const double ring =
        hanging > 0 ? sheet->radius + fold * cltTriangleWave( 0.5 * hanging / fold ) : sheet->radius * cltSine( turns );
    const double height = ( sheet->radius + s_sheetGap ) * ( hanging > 0 ? 0 : cltCosine( turns ) );
    const double out = arc > 0 ? cltPleatHeightOnRing( arc, ring ) * cltPleatWave( direction, time ) : 0;
    cltPlaceAround( sheet, direction, ring + s_sheetGap + ( hanging > 0 ? 0 : out ),
                    height + ( hanging > 0 ? out : 0 ) - s_foldGap * hanging, place );
}

/// A funnel, from its neck up. Its slope is 1: its radius grows by as much as its height.
static void cltPlaceOnFunnel( const cltSurface* funnel, double row, double column, double time, double place[3] )
{
    (void)time;
    const double up = row * funnel->edge;
    cltPlaceAround( funnel, cltTurnBy( column / funnel->columns ), funnel->radius + up, up, place );
}

/// A square sheet that is pulled down at its middle, through the neck of a funnel.
static void cltPlacePulled( const cltSurface* sheet, double row, double column, double time, double place[3] )
{
    cltTurn direction;
    const double arc = cltDistanceFromMiddle( sheet, row, column, &direction );
    const double drawn = sheet->radius + s_cornerStep * time; // the length that has passed the neck
    const double beyond = ( arc - drawn ) * sqrt( 0.5 );
    const double ring = arc < drawn ? fmin( arc, sheet->radius ) : sheet->radius + beyond;
    const double in = ring > 0 ? cltPleatHeightOnRing( arc, ring ) * cltPleatWave( direction, time ) : 0;
    cltPlaceAround( sheet, direction, ring - s_sheetGap - in, arc < drawn ? arc - drawn : beyond, place );
}

// ------------------------------------------------------------------------------------------------------------ layouts

static void cltLayOutClothDrop( cltSurface* surfaces )
{
    surfaces[1] = cltBallOf( 69451 );
    surfaces[0] = ( cltSurface ){ .triangleCount = 2048,
                                  .rows = 32,
                                  .columns = 32,
                                  .place = cltPlaceSinking,
                                  .edge = 2.5,
                                  .radius = surfaces[1].radius };
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
    const uint32_t squares = 2000;
    surfaces[0] = ( cltSurface ){
        .triangleCount = 12800, .rows = 80, .columns = 80, .place = cltPlacePulled, .edge = 1, .radius = neck };
    surfaces[1] = ( cltSurface ){ .triangleCount = 2 * squares,
                                  .rows = (uint32_t)ceil( sqrt( 0.4 * squares ) ),
                                  .isClosed = true,
                                  .place = cltPlaceOnFunnel,
                                  .edge = 1,
                                  .radius = neck };
    surfaces[1].columns = ( squares + surfaces[1].rows - 1 ) / surfaces[1].rows;
    surfaces[2] = cltBall( 1200, 0.8 * neck );
    surfaces[2].center[2] = 0.5 * neck;
    surfaces[3] = cltBall( 500, 2 * neck ); // a boulder on the ground
    surfaces[3].center[2] = -5 * neck;
}

static void cltLayOutClothBall( cltSurface* surfaces )
{
    surfaces[1] = cltBallOf( 12000 );
    surfaces[1].bumps = 0;
    surfaces[0] = ( cltSurface ){ .triangleCount = 80000,
                                  .rows = 200,
                                  .columns = 200,
                                  .place = cltPlaceDraped,
                                  .edge = 5 * surfaces[1].radius / 200,
                                  .radius = surfaces[1].radius };
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

static uint32_t cltCornersPerRow( const cltSurface* surface )
{
    return surface->isClosed ? surface->columns : surface->columns + 1;
}

static void cltConnectTriangles( const cltSurface* surface, cltMesh* mesh )
{
    const uint32_t across = cltCornersPerRow( surface );
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
    mesh->vertexCount = cltCornersPerRow( surface ) * ( surface->rows + 1 );
    mesh->vertices = malloc( mesh->vertexCount * sizeof *mesh->vertices );
    mesh->triangles = malloc( mesh->triangleCount * sizeof *mesh->triangles );
    if ( mesh->vertices == NULL || mesh->triangles == NULL )
    {
        return false;
    }
    cltConnectTriangles( surface, mesh );
    return true;
}

static void cltPlaceVertices( const cltSurface* surface, double time, cltMesh* mesh )
{
    const uint32_t across = cltCornersPerRow( surface );
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
    static const uint32_t meshCounts[] = { [clt_meshSceneBlob] = 1,
                                           [clt_meshSceneClothDrop] = 2,
                                           [clt_meshSceneFunnel] = 4,
                                           [clt_meshSceneClothBall] = 2 };
    cltMeshSceneState* state = calloc( 1, sizeof *state );
    if ( state == NULL )
    {
        return NULL;
    }
    cltMeshScene* scene = &state->scene;
    scene->def = *def;
    scene->meshCount = def->kind == clt_meshSceneNBody ? s_nBodies : meshCounts[def->kind];
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
