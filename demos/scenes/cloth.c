// SPDX-License-Identifier: Zlib
// The boxes of the triangles of two meshes: a figure with a round head, and a square sheet of cloth, draped over it in
// pleats. They rotate in opposite directions, and the pleats move around the figure. Positions are formulas of the
// step: at speed 1 a vertex moves by a tenth of an edge in a step, at speed 100 by ten edges, so that few pairs of one
// step remain in the next. Lengths are in edges of the sheet.

#include "layout.h"

#include "wave.h"

#include <math.h>

static const double s_sheetOverRadius = 5;    // the sheet's edge over the figure's radius
static const double s_figureOverRadius = 2.5; // the arc from the top of the figure to its lower end, over its radius
static const double s_pleatWidth = 1.5;
static const double s_pleatSlope = 5;     // the largest slope of a pleat
static const double s_gap = 0.05;         // between the sheet and the figure
static const double s_turning = 0.1;      // edges by which a rotation moves the outline of each mesh in a step
static const double s_travelling = 0.005; // turns of the pleats in a step

typedef struct cltClothShape
{
    uint32_t sheetCount;
    uint32_t sheetEdge;     // squares along an edge of the sheet, two triangles each
    uint32_t figureColumns; // squares around the figure
    uint32_t figureRows;    // squares from the top of the figure to its lower end
    double radius;          // of the figure
    uint32_t pleats;
} cltClothShape;

static cltClothShape cltClothShapeOf( const cltSceneState* state )
{
    cltClothShape shape;
    // The figure gets 14/39 of all triangles: 84,000 of 234,000 in the pair of meshes that this scene imitates.
    const uint32_t figureCount = (uint32_t)( (uint64_t)state->scene.def.bodyCount * 14 / 39 );
    shape.sheetCount = state->scene.def.bodyCount - figureCount;
    shape.sheetEdge = (uint32_t)ceil( sqrt( 0.5 * shape.sheetCount ) );
    shape.radius = shape.sheetEdge / s_sheetOverRadius;
    shape.pleats = 3 + (uint32_t)( CLT_TWO_PI * shape.radius / s_pleatWidth );
    shape.figureRows = 1 + (uint32_t)sqrt( 0.5 * figureCount * s_figureOverRadius / CLT_TWO_PI );
    shape.figureColumns = 3 + figureCount / ( 2 * shape.figureRows );
    return shape;
}

// Places a vertex on a half sphere above a cylinder, in the middle of the scene.
// \param arc  distance from the top, along the surface
// \param out  distance from the surface
static void cltPlaceVertex( const cltSceneState* state, double radius, double arc, cltTurn direction, double out,
                            float place[3] )
{
    const double quarter = 0.25 * CLT_TWO_PI * radius;
    const double turns = arc / ( CLT_TWO_PI * radius );
    const double ring = out + ( arc < quarter ? radius * cltSine( turns ) : radius );
    const double height = arc < quarter ? radius * cltCosine( turns ) : quarter - arc;
    place[0] = (float)( 0.5 * state->extent[0] + ring * direction.cosine );
    place[1] = (float)( 0.5 * state->extent[1] + ring * direction.sine );
    place[2] = (float)( state->extent[2] - 0.5 * state->extent[0] + height );
}

// The height of a pleat: 0 on top of the head, and higher where more of the sheet has to fit around the figure.
static double cltPleatHeight( double arc, double radius )
{
    const double excess = arc / radius - 1;
    const double slope = excess <= 0 ? 0 : excess < 1 ? s_pleatSlope * excess : s_pleatSlope;
    return slope * s_pleatWidth / CLT_TWO_PI;
}

static void cltPlaceSheetVertex( const cltSceneState* state, const cltClothShape* shape, uint32_t column, uint32_t row,
                                 float place[3] )
{
    const double time = (double)state->scene.def.speed * state->scene.step;
    const double x = column - 0.5 * shape->sheetEdge;
    const double y = row - 0.5 * shape->sheetEdge;
    const double arc = sqrt( x * x + y * y );
    const cltTurn direction = arc > 0 ? ( cltTurn ){ x / arc, y / arc } : ( cltTurn ){ 1, 0 };
    const cltTurn pleat = cltAddTurns( cltMultiplyTurn( direction, shape->pleats ), cltTurnBy( s_travelling * time ) );
    const double out = cltPleatHeight( arc, shape->radius ) * ( 1 + pleat.cosine );
    const cltTurn turned = cltAddTurns( direction, cltTurnBy( s_turning * time / ( CLT_TWO_PI * shape->radius ) ) );
    cltPlaceVertex( state, shape->radius + s_gap, arc, turned, out, place );
}

static void cltPlaceFigureVertex( const cltSceneState* state, const cltClothShape* shape, uint32_t column, uint32_t row,
                                  float place[3] )
{
    const double time = (double)state->scene.def.speed * state->scene.step;
    const double arc = s_figureOverRadius * shape->radius * row / shape->figureRows;
    const double turns = (double)( column % shape->figureColumns ) / shape->figureColumns;
    const cltTurn turned = cltTurnBy( turns - s_turning * time / ( CLT_TWO_PI * shape->radius ) );
    cltPlaceVertex( state, shape->radius, arc, turned, 0, place );
}

void cltPlaceTriangle( cltSceneState* state, uint32_t body )
{
    static const uint32_t corners[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 0, 1 } }, { { 1, 1 }, { 1, 0 }, { 0, 1 } } };
    const cltClothShape shape = cltClothShapeOf( state );
    const bool isOfSheet = body < shape.sheetCount;
    const uint32_t triangle = isOfSheet ? body : body - shape.sheetCount;
    const uint32_t columns = isOfSheet ? shape.sheetEdge : shape.figureColumns;
    float places[3][3];
    for ( uint32_t k = 0; k < 3; ++k )
    {
        const uint32_t* corner = corners[triangle % 2][k];
        const uint32_t column = triangle / 2 % columns + corner[0];
        const uint32_t row = triangle / 2 / columns + corner[1];
        ( isOfSheet ? cltPlaceSheetVertex : cltPlaceFigureVertex )( state, &shape, column, row, places[k] );
    }
    state->scene.boxes[body] = cltBoxAround( places, 3 );
}

static void cltLayOutSheetAndFigure( cltSceneState* state, cltFilter sheet, cltFilter figure )
{
    const cltClothShape shape = cltClothShapeOf( state );
    const double hanging = sqrt( 0.5 ) * shape.sheetEdge - 0.25 * CLT_TWO_PI * shape.radius;
    state->extent[0] = state->extent[1] = 2 * ( shape.radius + 2 * cltPleatHeight( HUGE_VAL, 1 ) + 1 );
    state->extent[2] = 0.5 * state->extent[0] + hanging;
    for ( uint32_t body = 0; body < state->scene.def.bodyCount; ++body )
    {
        state->scene.filters[body] = body < shape.sheetCount ? sheet : figure;
        state->halfEdges[body] = 0.5f;
        cltPlaceTriangle( state, body );
    }
}

void cltLayOutCloth( cltSceneState* state )
{
    cltLayOutSheetAndFigure( state, ( cltFilter ){ 1, -1 },
                             ( cltFilter ){ 2, ~2 } ); // filters of a moving and of a static body
}

void cltLayOutTeams( cltSceneState* state )
{
    cltLayOutSheetAndFigure( state, ( cltFilter ){ 1, 2 }, ( cltFilter ){ 2, 1 } );
}
