// SPDX-License-Identifier: Zlib
/// \file measure.h
/// Measures how far the searching lanes may move before a pair can begin or end: their rest margins (gpu/rest/rest.h).
///
/// The gap of two boxes is their largest distance along an axis, negative if they overlap. If no bound of one box moves
/// by more than d, and no bound of the other by more than e, the gap changes by at most d + e.
#ifndef CLT_HOST_WIDE_MEASURE_H
#define CLT_HOST_WIDE_MEASURE_H

#include "gpu/host/wide/searcher.h"

#include <math.h>

/// For each lane, the absolute value of its gap to a box with coordinates CLT_LANE_COUNT floats apart. Axes along which
/// both boxes are infinite do not count.
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

/// Infinity in lane `lane`, -infinity in all others. The maximum with this row makes a lane's gap to itself infinite.
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

/// Adds the near pairs of the candidate in lane `found` with `lanes`. Only the lower lane adds a pair of two movers.
/// \param moved  whether the candidate is a mover
static inline void AddNearPairs( const Searcher* searcher, uint32_t lanes, uint32_t found, bool moved )
{
    const cltWideSearch* search = searcher->search;
    const cltAabb other = cltLane_Get( search->current, found );
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t lane = searcher->block * CLT_LANE_COUNT + cltLowestBit( lanes );
        if ( !moved || lane < found )
        {
            const cltAabb own = cltLane_Get( search->current, lane );
            cltNearPairs_Add( &search->rest->nearPairs, &search->input->filters, cltLeafRef_Slot( search->refs[lane] ),
                              cltLeafRef_Slot( search->refs[found] ), cltAabb_Overlaps( &own, &other ) );
        }
    }
}

/// Lowers each searching lane's smallest gap to its gap to the candidate in lane `lane`. If that is too small for a
/// rest margin, the smallest gap stays as it is, and the two lanes must become a near pair.
/// \return the searching lanes that must become near pairs with the candidate, as bits
/// \param least  the smallest gap that a rest margin needs
static inline uint32_t MeasureLane( const Searcher* searcher, const cltBoxes* own, uint32_t lane, bool moved,
                                    float least )
{
    const cltWideSearch* search = searcher->search;
    const uint32_t block = lane / CLT_LANE_COUNT;
    const float margin = moved ? 0.0f : cltRest_Margin( search->rest, cltLeafRef_Slot( search->refs[lane] ) );
    const cltFloats enough = cltFloats_Splat( moved ? 2.0f * least : least );
    float* nearest = moved ? searcher->gaps->toMovers : searcher->gaps->toOthers;
    float gaps[CLT_LANE_COUNT];
    uint32_t tooNear = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const uint32_t first = part * CLT_WIDTH;
        cltFloats gap = GapSizes( own + part, search->current[block].lower[0] + lane % CLT_LANE_COUNT );
        gap = cltFloats_Subtract( gap, cltFloats_Splat( margin ) );
        if ( block == searcher->block )
        {
            gap = cltFloats_Max( cltFloats_Load( OnlyLane( lane % CLT_LANE_COUNT ) + first ), gap );
        }
        cltFloats_Store( gaps + first, gap );
        tooNear |= cltFlags_Bits( cltFloats_LessEqual( gap, enough ) ) << first;
    }
    tooNear &= searcher->lanes;
    for ( uint32_t rest = tooNear; rest != 0; rest &= rest - 1u )
    {
        gaps[cltLowestBit( rest )] = INFINITY;
    }
    for ( uint32_t first = 0; first < CLT_LANE_COUNT; first += CLT_WIDTH )
    {
        cltFloats_Store( nearest + first,
                         cltFloats_Min( cltFloats_Load( gaps + first ), cltFloats_Load( nearest + first ) ) );
    }
    return tooNear;
}

/// Lowers the smallest gaps where a candidate is nearer, and empties the list of candidates.
static inline void MeasureCandidates( Searcher* searcher )
{
    const cltWideSearch* search = searcher->search;
    const float least = search->rest->minMargin + cltRest_Tolerance( search->rest );
    cltBoxes own[CLT_BLOCK_VECTORS];
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        own[part] = cltBoxes_Load( search->current + searcher->block, part );
    }
    for ( uint32_t i = 0; i < searcher->candidateCount; ++i )
    {
        const uint32_t lane = searcher->candidates[i];
        const bool moved = ( search->movers[lane / CLT_LANE_COUNT] >> lane % CLT_LANE_COUNT & 1u ) != 0;
        AddNearPairs( searcher, MeasureLane( searcher, own, lane, moved, least ), lane, moved );
    }
    searcher->candidateCount = 0;
}

/// Sets the rest box of each searching lane, and the gap left for its margin. Of a gap to a mover, one half is left.
static inline void StoreGaps( const Searcher* searcher )
{
    const cltWideSearch* search = searcher->search;
    for ( uint32_t rest = searcher->lanes; rest != 0; rest &= rest - 1u )
    {
        const uint32_t lane = cltLowestBit( rest );
        const cltLeafRef ref = search->refs[searcher->block * CLT_LANE_COUNT + lane];
        if ( cltLeafRef_Kind( ref ) != CLT_LEAF_PREVIOUS )
        {
            const cltAabb box = cltBoxLanes_Get( search->current + searcher->block, lane );
            cltRest_SetBox( search->rest, cltLeafRef_Slot( ref ), &box,
                            fminf( 0.5f * searcher->gaps->toMovers[lane], searcher->gaps->toOthers[lane] ) );
        }
    }
}

#endif
