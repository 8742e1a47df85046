// SPDX-License-Identifier: Zlib
/// \file surfaces.h
/// The surfaces that the scenes of meshes are made of: a grid of squares, two triangles each, and a formula that places
/// its corners.
#ifndef CLT_DEMOS_SURFACES_H
#define CLT_DEMOS_SURFACES_H

#include "wave.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cltSurface
{
    uint32_t triangleCount; ///< the first so many of the grid's
    uint32_t rows;
    uint32_t columns;
    bool isClosed; ///< the last column meets the first
    void ( *place )( const struct cltSurface* surface, double row, double column, double time, double place[3] );

    double center[3];
    double radius;  ///< of a ball; of what a sheet is drawn over or through
    double edge;    ///< of the squares of a sheet
    double bumps;   ///< of a ball, over its radius
    bool areMoving; ///< the bumps travel
    double pleats;  ///< around a sheet that is drawn over or through something
    double turning; ///< of the center about the upward axis, turns in a unit of time
} cltSurface;

/// A ball with bumps. Its poles are on the first axis, where the surface is open. Its squares are about 1 wide
/// if `radius` is cltBallRadius of its triangles.
cltSurface cltBall( uint32_t triangleCount, double radius );
double cltBallRadius( uint32_t triangleCount );

/// A square sheet that sinks through a ball, sagging.
cltSurface cltSinkingSheet( uint32_t squares, double edge, double radius );

/// A square sheet in pleats over a ball, and around it in folds.
cltSurface cltDrapedSheet( uint32_t squares, double edge, double radius );

/// A square sheet whose middle is drawn down through the neck of a funnel.
cltSurface cltDrawnSheet( uint32_t squares, double edge, double neck );

/// The funnel, from its neck up.
cltSurface cltFunnel( uint32_t triangleCount, double neck );

#endif
