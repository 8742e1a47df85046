// SPDX-License-Identifier: Zlib
/// \file measure.h
/// How far the searching lanes may move before a pair can begin or end (slack.h).
///
/// The gap of two boxes is the largest of their distances along an axis: positive apart, else they overlap. When no
/// bound of either moves further than d and e, the gap changes by no more than d + e.
#ifndef CLT_HOST_WIDE_MEASURE_H
#define CLT_HOST_WIDE_MEASURE_H

#include "gpu/host/wide/searcher.h"
#include "gpu/host/wide/watch.h"

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

/// Watches the candidate with some of the searching lanes. Of two movers the one in the lower lane does.
static inline void WatchLanes( const Searcher* searcher, uint32_t lanes, uint32_t found, bool moved )
{
    const cltWideSearch* search = searcher->search;
    const cltAabb other = cltLane_Get( search->now, found );
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t lane = searcher->block * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( lanes );
        if ( !moved || lane < found )
        {
            const cltAabb own = cltLane_Get( search->now, lane );
            cltWatch_Add( search->slack->watch, search->input, cltLeafRef_Slot( search->refs[lane] ),
                          cltLeafRef_Slot( search->refs[found] ), cltAabb_Overlaps( &own, &other ) );
        }
    }
}

/// Takes a candidate into account. Returns the lanes to which it leaves too little, as bits: they have all room.
static inline uint32_t MeasureLane( const Searcher* searcher, const cltBoxes* own, uint32_t lane, bool moved )
{
    const cltWideSearch* search = searcher->search;
    const uint32_t block = lane / CLT_LANE_COUNT;
    const cltFloats slack = cltFloats_Splat( moved ? 0.0f : search->slack->slacks[lane] );
    const float least = search->slack->least + search->slack->tolerance;
    const cltFloats enough = cltFloats_Splat( moved ? 2.0f * least : least );
    float* nearest = moved ? searcher->gaps->toMovers : searcher->gaps->toOthers;
    float rooms[CLT_LANE_COUNT];
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
        cltFloats_Store( rooms + first, room );
        tooNear |= cltFlags_Bits( cltFloats_LessEqual( room, enough ) ) << first;
    }
    tooNear &= searcher->lanes;
    for ( uint32_t rest = tooNear; rest != 0; rest &= rest - 1u )
    {
        rooms[__builtin_ctz( rest )] = INFINITY;
    }
    for ( uint32_t first = 0; first < CLT_LANE_COUNT; first += CLT_WIDTH )
    {
        cltFloats_Store( nearest + first,
                         cltFloats_Min( cltFloats_Load( rooms + first ), cltFloats_Load( nearest + first ) ) );
    }
    return tooNear;
}

/// Takes all candidates into account, which empties the list.
static inline void MeasureCandidates( Searcher* searcher )
{
    const cltWideSearch* search = searcher->search;
    cltBoxes own[CLT_BLOCK_VECTORS];
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        own[part] = cltBoxes_Load( search->now + searcher->block, part );
    }
    for ( uint32_t i = 0; i < searcher->candidateCount; ++i )
    {
        const uint32_t lane = searcher->candidates[i];
        const bool moved = ( search->movers[lane / CLT_LANE_COUNT] >> lane % CLT_LANE_COUNT & 1u ) != 0;
        WatchLanes( searcher, MeasureLane( searcher, own, lane, moved ), lane, moved );
    }
    searcher->candidateCount = 0;
}

/// True if a box has an end so far away that it is rounded more than others.
static inline bool EndsBeyond( const cltAabb* box, float furthest )
{
    bool beyond = false;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = fabsf( box->lower[axis] );
        const float upper = fabsf( box->upper[axis] );
        beyond = beyond || ( lower > furthest && lower < INFINITY ) || ( upper > furthest && upper < INFINITY );
    }
    return beyond;
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
        const cltAabb box = cltLane_Get( search->now, place );
        const bool isBeyond = EndsBeyond( &box, slack->furthest );
        slack->slacks[place] = isBeyond || most < 0.0f ? 0.0f : most;
        if ( cltLeafRef_Kind( search->refs[place] ) != CLT_LEAF_PREVIOUS )
        {
            slack->anchors[cltLeafRef_Slot( search->refs[place] )] =
                ( cltAnchor ){ .box = box, .slack = isBeyond ? CLT_NO_ANCHOR : slack->slacks[place] };
        }
    }
}

#endif
