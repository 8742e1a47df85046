// SPDX-License-Identifier: Zlib
/// \file growth.h
/// How much the ordered blocks have grown since they were sorted: by their longest edges, in 1/256 of what they were. Whole
/// numbers, because their sum is the same in any order. Bounds hold the boxes before too, so that speed counts as size.
#ifndef CLT_HOST_WIDE_GROWTH_H
#define CLT_HOST_WIDE_GROWTH_H

#include "gpu/core/aabb.h"
#include "gpu/platform/memory.h"

#include <string.h>

/// Blocks that have grown to this on average cost about as much in the search as a new order does.
#define CLT_STALE_GROWTH 282u

/// What one block may add to the average: a body that left is no reason to sort all others.
#define CLT_MAX_GROWTH 1024u

typedef struct cltBlockGrowth
{
    float freshEdge; ///< longest edge when the order was new
    uint32_t growth; ///< 0: not looked at since
} cltBlockGrowth;

typedef struct cltGrowth
{
    cltBuffer blocks; ///< cltBlockGrowth
    uint64_t sum;
} cltGrowth;

/// The order is new.
static inline void cltGrowth_Reset( cltGrowth* growth, uint32_t blockCount )
{
    memset( growth->blocks.data, 0, blockCount * sizeof( cltBlockGrowth ) );
    growth->sum = 0;
}

/// From any thread, each block by one.
static inline void cltGrowth_Note( cltGrowth* growth, uint32_t block, const cltAabb* bounds )
{
    cltBlockGrowth* noted = (cltBlockGrowth*)growth->blocks.data + block;
    const float edge = cltAabb_LongestEdge( bounds );
    noted->freshEdge = noted->growth == 0 ? edge : noted->freshEdge;
    const float factor = 256.0f * ( edge / noted->freshEdge );
    const uint32_t now = factor > 256.0f ? ( factor < (float)CLT_MAX_GROWTH ? (uint32_t)factor : CLT_MAX_GROWTH )
                                         : 256u; // also for the NaN of an empty block
    if ( now != noted->growth )
    {
        __atomic_fetch_add( &growth->sum, (uint64_t)now - noted->growth, __ATOMIC_RELAXED );
        noted->growth = now;
    }
}

/// True if a new order pays.
static inline bool cltGrowth_IsStale( const cltGrowth* growth, uint32_t orderedCount )
{
    return growth->sum > (uint64_t)CLT_STALE_GROWTH * orderedCount;
}

#endif
