// SPDX-License-Identifier: Zlib
/// \file blocks.h
/// A lane is a place for one box in a block of CLT_LANE_COUNT. Lanes are numbered through, from block to block:
///
///     block    0 .. CLT_OUTLIER_BLOCKS - 1    CLT_OUTLIER_BLOCKS ..  ordered  ..     .. blockCount - 1
///              outliers                       in the order of the curve              unsorted, since the last sort
#ifndef CLT_HOST_WIDE_BLOCKS_H
#define CLT_HOST_WIDE_BLOCKS_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/scene_statistics.h"

#define CLT_OUTLIER_BLOCKS ( CLT_OUTLIER_LIMIT / CLT_LANE_COUNT )
#define CLT_OUTLIER_LANES ( CLT_OUTLIER_BLOCKS * CLT_LANE_COUNT )

static inline uint32_t cltBlocksFor( uint32_t laneCount )
{
    return ( laneCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
}

static inline cltAabb cltLane_Get( const cltBoxLanes* blocks, uint32_t lane )
{
    return cltBoxLanes_Get( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
}

static inline void cltLane_Set( cltBoxLanes* blocks, uint32_t lane, const cltAabb* box )
{
    cltBoxLanes_Set( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT, box );
}

static inline void cltLane_Clear( cltBoxLanes* blocks, uint32_t lane )
{
    cltBoxLanes_Clear( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
}

static inline void cltBlock_Prefetch( const cltBoxLanes* block )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        __builtin_prefetch( block->lower[axis] );
        __builtin_prefetch( block->upper[axis] );
    }
}

#endif
