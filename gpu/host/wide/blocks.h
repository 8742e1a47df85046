// SPDX-License-Identifier: Zlib
/// \file blocks.h
/// The order of the blocks of `wide`, and so of their lanes:
///
///     block    0 .. CLT_OUTLIER_BLOCKS - 1    CLT_OUTLIER_BLOCKS ..  ordered  ..     .. blockCount - 1
///              outliers                       in the order of the curve              unsorted, added since the sort
#ifndef CLT_HOST_WIDE_BLOCKS_H
#define CLT_HOST_WIDE_BLOCKS_H

#include "bridge/cullet_bits.h"
#include "gpu/core/box_lanes.h"
#include "gpu/core/scene_statistics.h"

#define CLT_OUTLIER_BLOCKS ( CLT_OUTLIER_LIMIT / CLT_LANE_COUNT )
#define CLT_OUTLIER_LANES ( CLT_OUTLIER_BLOCKS * CLT_LANE_COUNT )

static inline void cltBlock_Prefetch( const cltBoxLanes* block )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        cltPrefetch( block->lower[axis] );
        cltPrefetch( block->upper[axis] );
    }
}

#endif
