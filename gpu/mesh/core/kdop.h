// SPDX-License-Identifier: Zlib
/// \file kdop.h 18-DOPs: a box, and slabs across six diagonals of the axes (Klosowski et al., Efficient Collision
/// Detection Using Bounding Volume Hierarchies of k-DOPs, 1998). They separate many triangles that have overlapping
/// boxes.
///
///     direction   0 1 2   3    4    5    6    7    8
///     measures    x y z  x+y  x+z  y+z  x-y  x-z  y-z
///
/// No tolerance is needed, because rounding loses no overlap. Each measure is at most one addition of two given
/// numbers, and correctly rounded addition is monotone: if one sum is not above another, the same holds after rounding.
/// So overlapping intervals still overlap. This is why there are 18 planes and not 14 or 26, which measure x+y+z: it is
/// rounded twice, so that a smaller sum may become the larger one.
#ifndef CLT_CORE_KDOP_H
#define CLT_CORE_KDOP_H

#include "gpu/core/aabb.h"

#include <float.h>

#define CLT_DIAGONAL_COUNT 6
#define CLT_KDOP_DIRECTION_COUNT ( 3 + CLT_DIAGONAL_COUNT )

/// The intervals of a k-DOP in directions 3 to 8, along the diagonals.
typedef struct cltDiagonalIntervals
{
    float lower[CLT_DIAGONAL_COUNT];
    float upper[CLT_DIAGONAL_COUNT];
} cltDiagonalIntervals;

/// An 18-DOP. Empty if a lower bound is above the upper bound.
typedef struct cltKdop
{
    cltAabb box; ///< directions 0 to 2
    cltDiagonalIntervals diagonals;
} cltKdop;

CLT_HD float cltKdop_Lower( const cltKdop* kdop, int direction )
{
    return direction < 3 ? kdop->box.lower[direction] : kdop->diagonals.lower[direction - 3];
}

CLT_HD float cltKdop_Upper( const cltKdop* kdop, int direction )
{
    return direction < 3 ? kdop->box.upper[direction] : kdop->diagonals.upper[direction - 3];
}

/// Computes the measures of a point along the diagonals.
CLT_HD void cltMeasureDiagonals( const float point[3], float measures[CLT_DIAGONAL_COUNT] )
{
    measures[0] = point[0] + point[1];
    measures[1] = point[0] + point[2];
    measures[2] = point[1] + point[2];
    measures[3] = point[0] - point[1];
    measures[4] = point[0] - point[2];
    measures[5] = point[1] - point[2];
}

CLT_HD void cltDiagonalIntervals_AddPoint( cltDiagonalIntervals* diagonals, const float point[3] )
{
    float measures[CLT_DIAGONAL_COUNT];
    cltMeasureDiagonals( point, measures );
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        diagonals->lower[i] = measures[i] < diagonals->lower[i] ? measures[i] : diagonals->lower[i];
        diagonals->upper[i] = measures[i] > diagonals->upper[i] ? measures[i] : diagonals->upper[i];
    }
}

/// The intervals of a triangle along the diagonals. The triangle may be degenerate.
CLT_HD cltDiagonalIntervals cltDiagonalIntervals_OfTriangle( const float a[3], const float b[3], const float c[3] )
{
    cltDiagonalIntervals diagonals;
    cltMeasureDiagonals( a, diagonals.lower );
    cltMeasureDiagonals( a, diagonals.upper );
    cltDiagonalIntervals_AddPoint( &diagonals, b );
    cltDiagonalIntervals_AddPoint( &diagonals, c );
    return diagonals;
}

CLT_HD cltDiagonalIntervals cltDiagonalIntervals_Union( const cltDiagonalIntervals* a, const cltDiagonalIntervals* b )
{
    cltDiagonalIntervals both;
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        both.lower[i] = a->lower[i] < b->lower[i] ? a->lower[i] : b->lower[i];
        both.upper[i] = a->upper[i] > b->upper[i] ? a->upper[i] : b->upper[i];
    }
    return both;
}

/// A float that is below `value` by at least `distance`, whatever the rounding. -infinity stays -infinity.
CLT_HD float cltFarBelow( float value, float distance )
{
    const float below = value - distance;
    return below >= -FLT_MAX ? cltNextBelow( below ) : below;
}

CLT_HD float cltFarAbove( float value, float distance )
{
    return -cltFarBelow( -value, distance );
}

/// Widens the intervals to enclose all points within `distance`, whatever the rounding. A bound moves by one float,
/// then by the distance times the square root of two, rounded up, and one more float.
CLT_HD void cltDiagonalIntervals_Widen( cltDiagonalIntervals* diagonals, float distance )
{
    const float share = 1.41421366f * distance;
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        diagonals->lower[i] = cltFarBelow( cltFarBelow( diagonals->lower[i], 0.0f ), share );
        diagonals->upper[i] = cltFarAbove( cltFarAbove( diagonals->upper[i], 0.0f ), share );
    }
}

/// Whether some interval is infinite. If a corner is infinite, some measures are NaN, and bounds depend on the order of
/// corners; but at least one bound is infinite.
CLT_HD bool cltDiagonalIntervals_HaveInfinity( const cltDiagonalIntervals* diagonals )
{
    int openings = 0;
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        openings += ( diagonals->lower[i] < -FLT_MAX ) | ( diagonals->upper[i] > FLT_MAX );
    }
    return openings > 0;
}

/// Whether no diagonal separates `a` and `b`, also true if they touch. Infinite intervals separate nothing.
CLT_HD bool cltDiagonalIntervals_Overlap( const cltDiagonalIntervals* a, const cltDiagonalIntervals* b )
{
    int separations = 0;
    for ( int i = 0; i < CLT_DIAGONAL_COUNT; ++i )
    {
        separations += ( a->lower[i] > b->upper[i] ) | ( b->lower[i] > a->upper[i] );
    }
    return separations == 0 || cltDiagonalIntervals_HaveInfinity( a ) || cltDiagonalIntervals_HaveInfinity( b );
}

CLT_HD cltKdop cltKdop_OfTriangle( const float a[3], const float b[3], const float c[3] )
{
    cltKdop kdop;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = a[axis] < b[axis] ? a[axis] : b[axis];
        const float upper = a[axis] > b[axis] ? a[axis] : b[axis];
        kdop.box.lower[axis] = c[axis] < lower ? c[axis] : lower;
        kdop.box.upper[axis] = c[axis] > upper ? c[axis] : upper;
    }
    kdop.diagonals = cltDiagonalIntervals_OfTriangle( a, b, c );
    return kdop;
}

/// The smallest k-DOP that overlaps everything that `a` or `b` overlaps.
CLT_HD cltKdop cltKdop_Union( const cltKdop* a, const cltKdop* b )
{
    cltKdop both;
    both.box = cltAabb_Union( &a->box, &b->box );
    both.diagonals = cltDiagonalIntervals_Union( &a->diagonals, &b->diagonals );
    return both;
}

/// Whether no direction separates `a` and `b`, also true if they touch.
CLT_HD bool cltKdop_Overlaps( const cltKdop* a, const cltKdop* b )
{
    return cltAabb_Overlaps( &a->box, &b->box ) && cltDiagonalIntervals_Overlap( &a->diagonals, &b->diagonals );
}

#endif
