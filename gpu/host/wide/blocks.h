// SPDX-License-Identifier: Zlib
/// \file blocks.h
/// The order of the blocks of `wide`, and so of their lanes:
///
///     block    0 .. CLT_OUTLIER_BLOCKS - 1    CLT_OUTLIER_BLOCKS ..  ordered  ..     .. blockCount - 1
///              outliers                       in the order of the curve              unsorted, added since the sort
#ifndef CLT_HOST_WIDE_BLOCKS_H
#define CLT_HOST_WIDE_BLOCKS_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/scene_statistics.h"

#define CLT_OUTLIER_BLOCKS ( CLT_OUTLIER_LIMIT / CLT_LANE_COUNT )
#define CLT_OUTLIER_LANES ( CLT_OUTLIER_BLOCKS * CLT_LANE_COUNT )

/// Prefetches a cache line that will be needed soon. The address may be invalid.
static inline void cltPrefetch( const void* address )
{
    __builtin_prefetch( address );
    __asm__ volatile( "" ); // gcc takes functions that only prefetch for pure, and leaves out calls of them
}

static inline void cltBlock_Prefetch( const cltBoxLanes* block )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        cltPrefetch( block->lower[axis] );
        cltPrefetch( block->upper[axis] );
    }
}

#endif
