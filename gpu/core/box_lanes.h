// SPDX-License-Identifier: Zlib
/// \file box_lanes.h Sixteen boxes in a structure of arrays. In an array of these blocks, lanes are numbered
/// consecutively across blocks.
#ifndef CLT_CORE_BOX_LANES_H
#define CLT_CORE_BOX_LANES_H

#include "bridge/cullet_queries.h"
#include "gpu/core/aabb.h"

/// Bits of a lane's number within its block.
#define CLT_LANE_BITS 4u

CLT_HD void cltBoxLanes_Set( cltBoxLanes* lanes, uint32_t lane, const cltAabb* box )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        lanes->lower[axis][lane] = box->lower[axis];
        lanes->upper[axis][lane] = box->upper[axis];
    }
}

CLT_HD cltAabb cltBoxLanes_Get( const cltBoxLanes* lanes, uint32_t lane )
{
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = lanes->lower[axis][lane];
        box.upper[axis] = lanes->upper[axis][lane];
    }
    return box;
}

/// Makes a lane empty: NaN bounds overlap nothing.
CLT_HD void cltBoxLanes_Clear( cltBoxLanes* lanes, uint32_t lane )
{
    const float nan = cltNan();
    const cltAabb absent = { { nan, nan, nan }, { nan, nan, nan } };
    cltBoxLanes_Set( lanes, lane, &absent );
}

CLT_HD uint32_t cltBlocksFor( uint32_t laneCount )
{
    return ( laneCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
}

CLT_HD cltAabb cltLane_Get( const cltBoxLanes* blocks, uint32_t lane )
{
    return cltBoxLanes_Get( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
}

CLT_HD void cltLane_Set( cltBoxLanes* blocks, uint32_t lane, const cltAabb* box )
{
    cltBoxLanes_Set( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT, box );
}

CLT_HD void cltLane_Clear( cltBoxLanes* blocks, uint32_t lane )
{
    cltBoxLanes_Clear( blocks + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
}

#endif
