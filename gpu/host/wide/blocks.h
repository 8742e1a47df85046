// SPDX-License-Identifier: Zlib
/// \file blocks.h
/// The blocks of `wide`, and so their lanes:
///
///     block    0 .. CLT_OUTLIER_BLOCKS - 1    CLT_OUTLIER_BLOCKS ..  ordered  ..     .. blockCount - 1
///              outliers                       in the order of the curve              unsorted, since the last sort
#ifndef CLT_HOST_WIDE_BLOCKS_H
#define CLT_HOST_WIDE_BLOCKS_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/scene_statistics.h"

#define CLT_OUTLIER_BLOCKS ( CLT_OUTLIER_LIMIT / CLT_LANE_COUNT )
#define CLT_OUTLIER_LANES ( CLT_OUTLIER_BLOCKS * CLT_LANE_COUNT )

/// Asks for a cache line that will be needed soon. Any address will do.
static inline void cltPrefetch( const void* address )
{
    __builtin_prefetch( address );
    __asm__ volatile( "" ); // gcc leaves out calls of functions that only prefetch: it takes them for pure
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
