// SPDX-License-Identifier: Zlib
#include "surfaces.h"

#include <math.h>

static const double s_cornerStep = 0.1;  // edges that a corner moves in a unit of time, approximately
static const double s_sheetGap = 0.05;   // between a sheet and the surface that it lies on
static const double s_foldWidth = 0.085; // fraction of the radius
static const double s_foldGap = 0.02;    // descent of the folds for each unit along the sheet
static const double s_pleatDrift = 0.01; // turns of the pleats in a unit of time

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

double cltBallRadius( uint32_t triangleCount )
{
    return sqrt( 0.5 * triangleCount / ( 2 * CLT_TWO_PI ) );
}

cltSurface cltBall( uint32_t triangleCount, double radius )
{
    const uint32_t squares = ( triangleCount + 1 ) / 2;
    cltSurface ball = { .triangleCount = triangleCount, .isClosed = true, .place = cltPlaceOnBall, .radius = radius };
    ball.rows = (uint32_t)ceil( sqrt( 0.5 * squares ) );
    ball.columns = ( squares + ball.rows - 1 ) / ball.rows;
    ball.bumps = 0.1;
    return ball;
}

// ------------------------------------------------------------------------------------------------------------- sheets

/// The distance of a corner from the middle of a square sheet, along the sheet, and its direction.
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

static void cltPlaceSinking( const cltSurface* sheet, double row, double column, double time, double place[3] )
{
    cltTurn direction;
    const double arc = cltDistanceFromMiddle( sheet, row, column, &direction ) / sheet->radius;
    const double ripple = cltSine( arc * direction.cosine - 0.3 * arc * direction.sine + 0.01 * time );
    const double height = sheet->radius * ( 1.3 - 0.3 * arc * arc + 0.04 * ripple );
    cltPlaceAround( sheet, direction, sheet->radius * arc, height - s_cornerStep * sheet->edge * time, place );
}

static cltSurface cltSheet( uint32_t squares, double edge, double radius )
{
    return ( cltSurface ){
        .triangleCount = 2 * squares * squares, .rows = squares, .columns = squares, .edge = edge, .radius = radius };
}

cltSurface cltSinkingSheet( uint32_t squares, double edge, double radius )
{
    cltSurface sheet = cltSheet( squares, edge, radius );
    sheet.place = cltPlaceSinking;
    return sheet;
}

/// The height of pleats where a circle of the sheet with radius `arc` lies on a ring with radius `ring`. The height is
/// chosen so that the wavy line around the ring is as long as the circle.
static double cltPleatOut( const cltSurface* sheet, double arc, double ring )
{
    const double longer = arc / ring;
    const double slope = longer > 1 ? sqrt( 2 * ( longer * longer - 1 ) ) : 0;
    return fmin( slope / sheet->pleats, 0.45 ) * ring;
}

/// The wave of the pleats around the sheet, from 0 to 2.
static double cltPleat( const cltSurface* sheet, cltTurn direction, double time )
{
    const cltTurn pleat = cltMultiplyTurn( direction, (uint32_t)sheet->pleats );
    return 1 + cltAddTurns( pleat, cltTurnBy( s_pleatDrift * time ) ).cosine;
}

/// The part of the sheet that is longer than the ball's quarter arc lies around the ball in folds that descend slowly.
/// Pleats stand up from the folds.
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
    const double out = arc > 0 ? cltPleatOut( sheet, arc, ring ) * cltPleat( sheet, direction, time ) : 0;
    cltPlaceAround( sheet, direction, ring + s_sheetGap + ( hanging > 0 ? 0 : out ),
                    height + ( hanging > 0 ? out : 0 ) - s_foldGap * hanging, place );
}

cltSurface cltDrapedSheet( uint32_t squares, double edge, double radius )
{
    cltSurface sheet = cltSheet( squares, edge, radius );
    sheet.place = cltPlaceDraped;
    sheet.pleats = 60;
    return sheet;
}

// ------------------------------------------------------------------------------------------------------------- funnels

// The slope of the funnel is 1: its radius grows by as much as its height.
static void cltPlaceOnFunnel( const cltSurface* funnel, double row, double column, double time, double place[3] )
{
    (void)time;
    const double up = row * funnel->edge;
    cltPlaceAround( funnel, cltTurnBy( column / funnel->columns ), funnel->radius + up, up, place );
}

cltSurface cltFunnel( uint32_t triangleCount, double neck )
{
    const uint32_t squares = triangleCount / 2;
    cltSurface funnel = { .triangleCount = triangleCount, .isClosed = true, .place = cltPlaceOnFunnel, .radius = neck };
    funnel.rows = (uint32_t)ceil( sqrt( 0.4 * squares ) );
    funnel.columns = ( squares + funnel.rows - 1 ) / funnel.rows;
    funnel.edge = 1;
    return funnel;
}

static void cltPlaceDrawn( const cltSurface* sheet, double row, double column, double time, double place[3] )
{
    cltTurn direction;
    const double arc = cltDistanceFromMiddle( sheet, row, column, &direction );
    const double drawn = sheet->radius + s_cornerStep * time; // the length that has passed the neck
    const double beyond = ( arc - drawn ) * sqrt( 0.5 );
    const double ring = arc < drawn ? fmin( arc, sheet->radius ) : sheet->radius + beyond;
    const double in = ring > 0 ? cltPleatOut( sheet, arc, ring ) * cltPleat( sheet, direction, time ) : 0;
    cltPlaceAround( sheet, direction, ring - s_sheetGap - in, arc < drawn ? arc - drawn : beyond, place );
}

cltSurface cltDrawnSheet( uint32_t squares, double edge, double neck )
{
    cltSurface sheet = cltSheet( squares, edge, neck );
    sheet.place = cltPlaceDrawn;
    sheet.pleats = 60;
    return sheet;
}
