// SPDX-License-Identifier: Zlib
/// \file surfaces.h
/// The surfaces of mesh scenes: a grid of squares with two triangles each, and a formula that places the corners.
#ifndef CLT_DEMOS_SURFACES_H
#define CLT_DEMOS_SURFACES_H

#include "wave.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cltSurface
{
    uint32_t triangleCount; ///< number of triangles used, from the first of the grid on
    uint32_t rows;
    uint32_t columns;
    bool isClosed; ///< the last column is joined to the first
    void ( *place )( const struct cltSurface* surface, double row, double column, double time, double place[3] );

    double center[3];
    double radius;  ///< of a ball; for sheets, of the ball or funnel that they are draped over or drawn through
    double edge;    ///< of a square of a sheet
    double bumps;   ///< height of a ball's bumps over its radius
    bool areMoving; ///< the bumps move
    double pleats;  ///< number of pleats around a draped or drawn sheet
    double turning; ///< turns of the center about the upward axis in a unit of time
} cltSurface;

/// A ball with bumps. Its poles are on the first axis, where the surface is open. With the radius of cltBallRadius its
/// squares have an edge of about 1.
cltSurface cltBall( uint32_t triangleCount, double radius );
double cltBallRadius( uint32_t triangleCount );

/// A sagging square sheet that sinks through a ball.
cltSurface cltSinkingSheet( uint32_t squares, double edge, double radius );

/// A square sheet in pleats over a ball and in folds around it.
cltSurface cltDrapedSheet( uint32_t squares, double edge, double radius );

/// A square sheet that is pulled down at its middle, through the neck of a funnel.
cltSurface cltDrawnSheet( uint32_t squares, double edge, double neck );

/// The funnel, from its neck up.
cltSurface cltFunnel( uint32_t triangleCount, double neck );

#endif
