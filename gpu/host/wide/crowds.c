// SPDX-License-Identifier: Zlib
// The order inside crowds. The curve has 1024 cells a side over all bodies; where groups of them lie very far apart, a
// whole group gets one code, its order is anyone's, and every block of it meets every other. So a crowd that shares a code
// is ordered along a curve over itself alone, and the crowds in that again.

#include "gpu/host/wide/wide.h"

#include <math.h>
#include <string.h>

/// Bodies with one code that are left as they are: a few blocks that all meet each other cost little.
#define SMALL_CROWD 64u

/// Curves within curves: each makes cells a thousandth as long, so that what is still together then mostly coincides.
#define DEEPEST 3u

static cltAabb BoxOf( const cltWide* wide, uint32_t lane )
{
    const uint32_t block = lane / CLT_LANE_COUNT;
    const cltAabb now = cltBoxLanes_Get( cltWide_Now( wide ) + block, lane % CLT_LANE_COUNT );
    return cltAabb_HasNan( &now ) ? cltBoxLanes_Get( cltWide_Before( wide ) + block, lane % CLT_LANE_COUNT ) : now;
}

/// The curve over the centres of these lanes' boxes.
static cltCurve CurveOver( const cltWide* wide, const uint64_t* keys, uint32_t count )
{
    float lower[3] = { INFINITY, INFINITY, INFINITY };
    float upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = BoxOf( wide, (uint32_t)keys[i] );
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float centre = 0.5f * box.lower[axis] + 0.5f * box.upper[axis];
            lower[axis] = centre < lower[axis] ? centre : lower[axis]; // a NaN is nobody's centre
            upper[axis] = centre > upper[axis] ? centre : upper[axis];
        }
    }
    return cltCurve_Make( lower, upper );
}

/// Gives the crowd's keys new codes and sorts them.
static cltStatus OrderCrowd( cltWide* wide, uint64_t* keys, uint32_t count )
{
    const cltCurve curve = CurveOver( wide, keys, count );
    CLT_TRY( cltBuffer_Reserve( &wide->crowd, wide->memory, count, sizeof( uint64_t ) ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = BoxOf( wide, (uint32_t)keys[i] );
        ( (uint64_t*)wide->crowd.data )[i] = (uint64_t)cltCurve_Key( &curve, &box ) << 32 | (uint32_t)keys[i];
    }
    CLT_TRY(
        cltRadixSort_Run( &wide->sort, wide->pool, wide->memory, &wide->crowd, count, 32u, 32u + CLT_CURVE_BITS ) );
    memcpy( keys, wide->crowd.data, count * sizeof *keys );
    return clt_ok;
}

static cltStatus OrderCrowds( cltWide* wide, uint64_t* keys, uint32_t count, uint32_t depth )
{
    for ( uint32_t first = 0, end; first < count; first = end )
    {
        const uint64_t code = keys[first] >> 32;
        for ( end = first + 1u; end < count && keys[end] >> 32 == code; )
        {
            ++end;
        }
        if ( end - first > SMALL_CROWD )
        {
            CLT_TRY( OrderCrowd( wide, keys + first, end - first ) );
            if ( depth + 1u < DEEPEST )
            {
                CLT_TRY( OrderCrowds( wide, keys + first, end - first, depth + 1u ) );
            }
        }
    }
    return clt_ok;
}

cltStatus cltWide_OrderCrowds( cltWide* wide, uint64_t* keys, uint32_t count )
{
    return OrderCrowds( wide, keys, count, 0 );
}
