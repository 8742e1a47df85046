// SPDX-License-Identifier: Zlib
/// \file measure.h
/// How far the searching lanes may move before a pair can begin or end (slack.h).
///
/// The gap of two boxes is the largest of their distances along an axis: positive apart, else they overlap. When no
/// bound of either moves further than d and e, the gap changes by no more than d + e.
#ifndef CLT_HOST_WIDE_MEASURE_H
#define CLT_HOST_WIDE_MEASURE_H

#include "gpu/host/wide/searcher.h"

#include <math.h>

/// The size of the gap between a box, whose coordinates lie CLT_LANE_COUNT floats apart, and all lanes. Axes along
/// which both are infinite do not count.
static inline cltFloats GapSizes( const cltBoxes* boxes, const float* box )
{
    cltFloats gap = cltFloats_Splat( -INFINITY );
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        const cltFloats upper = cltFloats_Splat( box[( 3 + axis ) * CLT_LANE_COUNT] );
        const cltFloats lower = cltFloats_Splat( box[axis * CLT_LANE_COUNT] );
        gap = cltFloats_Max( cltFloats_Subtract( boxes->rows[axis], upper ), gap );
        gap = cltFloats_Max( cltFloats_Subtract( lower, boxes->rows[axis + 3] ), gap );
    }
    return cltFloats_Max( cltFloats_Subtract( cltFloats_Splat( 0.0f ), gap ), gap );
}

/// Nothing is in the way of itself: +infinity from here on in the lane of the same number, else -infinity.
static inline const float* OnlyLane( uint32_t lane )
{
    // clang-format off
    static const float only[2 * CLT_LANE_COUNT - 1] = {
        -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
        -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
        -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
        -INFINITY };
    // clang-format on
    return only + CLT_LANE_COUNT - 1u - lane;
}

/// Takes a candidate into account. True if it keeps its slack and that leaves nothing to one of the searching lanes.
static inline bool MeasureLane( const Searcher* searcher, const cltBoxes* own, uint32_t lane )
{
    const cltWideSearch* search = searcher->search;
    const uint32_t block = lane / CLT_LANE_COUNT;
    const bool moved = ( search->movers[block] >> lane % CLT_LANE_COUNT & 1u ) != 0;
    const cltFloats slack = cltFloats_Splat( moved ? 0.0f : search->slack->slacks[lane] );
    float* nearest = moved ? searcher->gaps->toMovers : searcher->gaps->toOthers;
    uint32_t tooNear = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const uint32_t first = part * CLT_WIDTH;
        cltFloats room = GapSizes( own + part, search->now[block].lower[0] + lane % CLT_LANE_COUNT );
        room = cltFloats_Subtract( room, slack );
        if ( block == searcher->block )
        {
            room = cltFloats_Max( cltFloats_Load( OnlyLane( lane % CLT_LANE_COUNT ) + first ), room );
        }
        cltFloats_Store( nearest + first, cltFloats_Min( room, cltFloats_Load( nearest + first ) ) );
        const cltFlags taken = cltFloats_LessEqual( room, cltFloats_Splat( search->slack->tolerance ) );
        tooNear |= cltFlags_Bits( taken ) << first;
    }
    return !moved && ( tooNear & searcher->lanes ) != 0;
}

/// Lists the lane, once.
static inline void Spoil( const cltSlackSearch* slack, uint32_t lane )
{
    const uint16_t bit = (uint16_t)( 1u << lane % CLT_LANE_COUNT );
    const uint16_t known = __atomic_fetch_or( slack->spoilt + lane / CLT_LANE_COUNT, bit, __ATOMIC_RELAXED );
    if ( ( known & bit ) == 0 )
    {
        slack->spoiltLanes[__atomic_fetch_add( slack->spoiltCount, 1u, __ATOMIC_RELAXED )] = lane;
    }
}

/// Takes all candidates into account, which empties the list.
static inline void MeasureCandidates( Searcher* searcher )
{
    const cltSlackSearch* slack = searcher->search->slack;
    cltBoxes own[CLT_BLOCK_VECTORS];
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        own[part] = cltBoxes_Load( searcher->search->now + searcher->block, part );
    }
    for ( uint32_t i = 0; i < searcher->candidateCount; ++i )
    {
        const uint32_t lane = searcher->candidates[i];
        if ( MeasureLane( searcher, own, lane ) && slack->slacks[lane] > 0.0f )
        {
            Spoil( slack, lane );
        }
    }
    searcher->candidateCount = 0;
}

/// From gaps to slacks: of two movers each gets half.
static inline void KeepSlacks( const Searcher* searcher )
{
    const cltWideSearch* search = searcher->search;
    const cltSlackSearch* slack = search->slack;
    for ( uint32_t rest = searcher->lanes; rest != 0; rest &= rest - 1u )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( rest );
        const float half = 0.5f * searcher->gaps->toMovers[lane];
        const float other = searcher->gaps->toOthers[lane];
        const float room = ( half < other ? half : other ) - slack->tolerance;
        const float most = room < slack->reach ? room : slack->reach;
        const uint32_t place = searcher->block * CLT_LANE_COUNT + lane;
        slack->slacks[place] = most > 0.0f ? most : 0.0f;
        if ( cltLeafRef_Kind( search->refs[place] ) != CLT_LEAF_BEFORE )
        {
            slack->anchors[cltLeafRef_Slot( search->refs[place] )] =
                ( cltAnchor ){ .box = cltLane_Get( search->now, place ), .slack = slack->slacks[place] };
        }
    }
}

#endif
