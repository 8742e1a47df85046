// SPDX-License-Identifier: Zlib
/// \file ray.h
/// A segment against a box, by slabs, in double precision and rounded so that no box that it meets is missed.
#ifndef CLT_CORE_RAY_H
#define CLT_CORE_RAY_H

#include "bridge/cullet.h"
#include "gpu/core/callable.h"

#include <math.h>

/// Coordinates are kept halved, which is exact and keeps the difference of any two finite ones finite.
typedef struct cltRay
{
    double halfFrom[3];
    double halfWay[3]; ///< (to - from) / 2
} cltRay;

CLT_HD cltRay cltRay_Make( const double from[3], const double to[3] )
{
    cltRay ray;
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.halfFrom[axis] = 0.5 * from[axis];
        ray.halfWay[axis] = 0.5 * to[axis] - ray.halfFrom[axis];
    }
    return ray;
}

/// Where the segment crosses the plane at `coordinate`, as a fraction of its length, moved by more than the rounding
/// of the two differences and the quotient: earlier for direction -1, later for +1.
CLT_HD double cltRay_Crossing( const cltRay* ray, int axis, double coordinate, double direction )
{
    double crossing = ( 0.5 * coordinate - ray->halfFrom[axis] ) / ray->halfWay[axis];
    double slack = fabs( crossing ) * 8.9e-16; // 2^-50
    return slack < HUGE_VAL ? crossing + direction * slack : crossing;
}

/// True if some point of the segment up to `maxFraction` lies in the closed box; `enter` is the fraction where it gets
/// in, 0 if it starts inside. A box with a NaN and an inverted box have no points.
CLT_HD bool cltRay_Meets( const cltRay* ray, const cltAabbD* box, double maxFraction, double* enter )
{
    double first = 0.0;
    double last = maxFraction;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double lower = box->lower[axis];
        double upper = box->upper[axis];
        if ( !( lower <= upper ) )
        {
            return false;
        }
        if ( ray->halfWay[axis] == 0.0 )
        {
            if ( ray->halfFrom[axis] < 0.5 * lower || ray->halfFrom[axis] > 0.5 * upper )
            {
                return false;
            }
            continue;
        }
        bool forward = ray->halfWay[axis] > 0.0;
        double in = cltRay_Crossing( ray, axis, forward ? lower : upper, -1.0 );
        double out = cltRay_Crossing( ray, axis, forward ? upper : lower, 1.0 );
        first = in > first ? in : first;
        last = out < last ? out : last;
    }
    *enter = first;
    return first <= last;
}

#endif
