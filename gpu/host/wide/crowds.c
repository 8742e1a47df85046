// SPDX-License-Identifier: Zlib
// The order among lanes that share a code. The curve has 1024 cells a side over all bodies; where groups of them lie
// very far apart, a whole group gets one code, has no order in itself, and every block of it meets every other. So a
// crowd that shares a code is ordered along a curve over itself alone, and the crowds in that again.

#include "gpu/host/wide/order.h"

#include <math.h>
#include <string.h>

/// Lanes with one code that are left as they are: a few blocks that all meet each other cost little.
#define SMALL_CROWD 64u

/// Curves within curves: each makes cells a thousandth as long, so that what is still together then mostly coincides.
#define DEEPEST 3u

typedef struct Sorter
{
    cltOrder* order;
    const cltLanes* lanes;
    cltWorkerPool* pool;
    cltMemory* memory;
} Sorter;

static cltCurve CurveOverLanes( const cltLanes* lanes, const uint64_t* keys, uint32_t count )
{
    float lower[3] = { INFINITY, INFINITY, INFINITY };
    float upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = cltLanes_AnyBox( lanes, (uint32_t)keys[i] );
        for ( int axis = 0; axis < 3; ++axis )
        {
            const float center = cltAabb_Center( &box, axis );
            lower[axis] = center < lower[axis] ? center : lower[axis]; // not for a NaN
            upper[axis] = center > upper[axis] ? center : upper[axis];
        }
    }
    return cltCurve_Make( lower, upper );
}

/// Gives the crowd's keys new codes and sorts them.
static cltStatus OrderOne( const Sorter* sorter, uint64_t* keys, uint32_t count )
{
    cltBuffer* scratch = &sorter->order->crowdKeys;
    const cltCurve curve = CurveOverLanes( sorter->lanes, keys, count );
    CLT_TRY( cltBuffer_Reserve( scratch, sorter->memory, count, sizeof( uint64_t ) ) );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltAabb box = cltLanes_AnyBox( sorter->lanes, (uint32_t)keys[i] );
        ( (uint64_t*)scratch->data )[i] = (uint64_t)cltCurve_Key( &curve, &box ) << 32 | (uint32_t)keys[i];
    }
    CLT_TRY( cltRadixSort_Run( &sorter->order->sort, sorter->pool, sorter->memory, scratch, count, 32u,
                               32u + CLT_CURVE_BITS ) );
    memcpy( keys, scratch->data, count * sizeof *keys );
    return clt_ok;
}

static cltStatus OrderWithin( const Sorter* sorter, uint64_t* keys, uint32_t count, uint32_t depth )
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
            CLT_TRY( OrderOne( sorter, keys + first, end - first ) );
            if ( depth + 1u < DEEPEST )
            {
                CLT_TRY( OrderWithin( sorter, keys + first, end - first, depth + 1u ) );
            }
        }
    }
    return clt_ok;
}

cltStatus cltOrder_SortCrowds( cltOrder* order, const cltLanes* lanes, uint64_t* keys, uint32_t count,
                               cltWorkerPool* pool, cltMemory* memory )
{
    const Sorter sorter = { order, lanes, pool, memory };
    return OrderWithin( &sorter, keys, count, 0 );
}
