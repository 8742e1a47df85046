// SPDX-License-Identifier: Zlib
/// \file segment.h Segments against boxes by the slab test, in double precision. Rounding is conservative: no box that
/// is hit is missed.
#ifndef CLT_CORE_SEGMENT_H
#define CLT_CORE_SEGMENT_H

#include "gpu/core/slabs.h"

#include <math.h>

/// A segment with halved coordinates. Halving is exact, and the difference of any two finite halves is finite.
typedef struct cltSegment
{
    double halfFrom[3];
    double halfWay[3]; ///< (to - from) / 2
} cltSegment;

CLT_HD cltSegment cltSegment_Make( const double from[3], const double to[3] )
{
    cltSegment segment;
    for ( int axis = 0; axis < 3; ++axis )
    {
        segment.halfFrom[axis] = 0.5 * from[axis];
        segment.halfWay[axis] = 0.5 * to[axis] - segment.halfFrom[axis];
    }
    return segment;
}

/// Where the segment crosses the plane at `coordinate`, as a fraction of its length. The result is lowered (direction
/// -1) or raised (+1) by more than the rounding of the two differences and the quotient.
CLT_HD double cltSegment_Crossing( const cltSegment* segment, int axis, double coordinate, double direction )
{
    double crossing = ( 0.5 * coordinate - segment->halfFrom[axis] ) / segment->halfWay[axis];
    double slack = fabs( crossing ) * 8.9e-16; // 2^-50
    return slack < HUGE_VAL ? crossing + direction * slack : crossing;
}

/// Whether some point of the segment up to `maxFraction` lies in the closed box. Boxes with a NaN and inverted boxes
/// contain no points.
/// \param[out] enter  the fraction at which the segment enters; 0 if it starts inside
CLT_HD bool cltSegment_Meets( const cltSegment* segment, const cltAabbD* box, double maxFraction, double* enter )
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
        if ( segment->halfWay[axis] == 0.0 )
        {
            if ( segment->halfFrom[axis] < 0.5 * lower || segment->halfFrom[axis] > 0.5 * upper )
            {
                return false;
            }
            continue;
        }
        bool forward = segment->halfWay[axis] > 0.0;
        double in = cltSegment_Crossing( segment, axis, forward ? lower : upper, -1.0 );
        double out = cltSegment_Crossing( segment, axis, forward ? upper : lower, 1.0 );
        first = in > first ? in : first;
        last = out < last ? out : last;
    }
    *enter = first;
    return first <= last;
}

/// Slabs for a conservative test in float: they meet every box that the segment meets, and perhaps more.
CLT_HD cltSlabs cltSegment_Cover( const cltSegment* segment )
{
    cltSlabs slabs;
    for ( int axis = 0; axis < 3; ++axis )
    {
        // an infinity if the segment is parallel to the slab
        slabs.axes[axis] = cltSlab_Cover( 2.0 * segment->halfFrom[axis], 0.0, 0.0, 0.5 / segment->halfWay[axis] );
    }
    cltSlabs_CoverLength( &slabs, 1.0 );
    return slabs;
}

#endif
