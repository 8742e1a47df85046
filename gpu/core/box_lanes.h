// SPDX-License-Identifier: Zlib
/// \file box_lanes.h
/// Sixteen boxes side by side, tested against one at a time. The same comparisons as cltAabb_Overlaps, with the SSE2
/// that every x86-64 has, or in plain C. In an array of such blocks lanes are numbered through, from block to block.
#ifndef CLT_CORE_BOX_LANES_H
#define CLT_CORE_BOX_LANES_H

#include "gpu/core/aabb.h"

#if defined( CLT_SSE2 )
#include <emmintrin.h>
#endif

/// A lane's number within its block has so many bits.
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

/// An empty lane holds NaN, which overlaps nothing.
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

#if defined( CLT_SSE2 )

CLT_HD uint32_t cltBoxLanes_OverlapFour( const cltBoxLanes* lanes, uint32_t lane, const cltAabb* box )
{
    __m128 hit = _mm_cmple_ps( _mm_loadu_ps( lanes->lower[0] + lane ), _mm_set1_ps( box->upper[0] ) );
    hit = _mm_and_ps( hit, _mm_cmple_ps( _mm_set1_ps( box->lower[0] ), _mm_loadu_ps( lanes->upper[0] + lane ) ) );
    for ( int axis = 1; axis < 3; ++axis )
    {
        const __m128 upper = _mm_set1_ps( box->upper[axis] );
        const __m128 lower = _mm_set1_ps( box->lower[axis] );
        hit = _mm_and_ps( hit, _mm_cmple_ps( _mm_loadu_ps( lanes->lower[axis] + lane ), upper ) );
        hit = _mm_and_ps( hit, _mm_cmple_ps( lower, _mm_loadu_ps( lanes->upper[axis] + lane ) ) );
    }
    return (uint32_t)_mm_movemask_ps( hit );
}

/// The lanes that overlap `box`, as bits.
CLT_HD uint32_t cltBoxLanes_Overlap( const cltBoxLanes* lanes, const cltAabb* box )
{
    return cltBoxLanes_OverlapFour( lanes, 0, box ) | cltBoxLanes_OverlapFour( lanes, 4, box ) << 4 |
           cltBoxLanes_OverlapFour( lanes, 8, box ) << 8 | cltBoxLanes_OverlapFour( lanes, 12, box ) << 12;
}

#else

/// The lanes that overlap `box`, as bits.
CLT_HD uint32_t cltBoxLanes_Overlap( const cltBoxLanes* lanes, const cltAabb* box )
{
    uint32_t hits = 0;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        bool hit = true;
        for ( int axis = 0; axis < 3; ++axis )
        {
            hit = hit && lanes->lower[axis][lane] <= box->upper[axis] && box->lower[axis] <= lanes->upper[axis][lane];
        }
        hits |= (uint32_t)hit << lane;
    }
    return hits;
}

#endif

#endif
