// SPDX-License-Identifier: Zlib
/// \file segment.h Segments against boxes by the slab test, in double precision. Rounding is conservative: no box that
/// is hit is missed.
#ifndef CLT_CORE_SEGMENT_H
#define CLT_CORE_SEGMENT_H

#include "gpu/core/slabs.h"

#include <math.h>

/// A segment whose coordinates along an axis are halved if the difference of its ends may overflow. Other axes are not
/// halved, because half of an odd subnormal number is not exact.
typedef struct cltSegment
{
    double scale[3]; ///< 1 or 0.5
    double from[3];  ///< scaled
    double way[3];   ///< to - from, scaled
} cltSegment;

/// The difference of two numbers up to this is finite.
#define CLT_SEGMENT_LARGEST_UNSCALED 4.0e307

CLT_HD cltSegment cltSegment_Make( const double from[3], const double to[3] )
{
    cltSegment segment;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double largest = fmax( fabs( from[axis] ), fabs( to[axis] ) );
        const double scale = largest > CLT_SEGMENT_LARGEST_UNSCALED ? 0.5 : 1.0;
        segment.scale[axis] = scale;
        segment.from[axis] = scale * from[axis];
        segment.way[axis] = scale * to[axis] - segment.from[axis];
    }
    return segment;
}

/// Where the segment crosses the plane at `coordinate`, as a fraction of its length. The result is lowered (direction
/// -1) or raised (+1) by more than the rounding of the two differences and the quotient, also if the quotient is
/// subnormal.
CLT_HD double cltSegment_Crossing( const cltSegment* segment, int axis, double coordinate, double direction )
{
    double crossing = ( segment->scale[axis] * coordinate - segment->from[axis] ) / segment->way[axis];
    double slack = fabs( crossing ) * 8.9e-16 + 5.0e-324; // 2^-50 of it and the smallest double
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
        if ( segment->way[axis] == 0.0 )
        {
            if ( segment->from[axis] < segment->scale[axis] * lower ||
                 segment->from[axis] > segment->scale[axis] * upper )
            {
                return false;
            }
            continue;
        }
        bool forward = segment->way[axis] > 0.0;
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
        const double scale = segment->scale[axis];
        // the inverse is an infinity if the segment is parallel to the slab
        slabs.axes[axis] = cltSlab_Cover( segment->from[axis] / scale, 0.0, 0.0, scale / segment->way[axis], 1.0 );
    }
    cltSlabs_CoverLength( &slabs, 1.0 );
    return slabs;
}

#endif
