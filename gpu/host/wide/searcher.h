// SPDX-License-Identifier: Zlib
/// \file searcher.h
/// The searching lanes, and their candidates and hits so far.
#ifndef CLT_HOST_WIDE_SEARCHER_H
#define CLT_HOST_WIDE_SEARCHER_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/simd.h"

/// The largest number of candidates to collect before they are tested. Mostly there are about thirty, with boxes that
/// are still in the cache.
#define CANDIDATE_CAPACITY 256u

/// Records of one batch: one for each candidate, and one for each lane of the searching block.
#define RECORD_CAPACITY ( CANDIDATE_CAPACITY + CLT_LANE_COUNT )

/// Hits to collect before they are reported.
#define HIT_CAPACITY 512u

typedef struct Hits
{
    uint32_t of[HIT_CAPACITY];    ///< by hit, the body of the searching block, as in cltWide_Report
    uint32_t found[HIT_CAPACITY]; ///< by hit, the body that was found
    uint32_t count;
    bool someNeedFilters; ///< some hits also need a test of filters
    cltPairBlock keys;
} Hits;

/// The smallest gaps of the lanes of a block (measure.h).
typedef struct Gaps
{
    float toMovers[CLT_LANE_COUNT];
    float toOthers[CLT_LANE_COUNT]; ///< gaps to lanes that are no movers, less the rest margins of these lanes
} Gaps;

/// The largest number of nodes in a vicinity. If there are more, the vicinity is not used.
#define VICINITY_CAPACITY 64u

/// The nodes of level 1 that the sixteen blocks below one node of level 1 may have to visit (walk.h).
typedef struct Vicinity
{
    cltBoxLanes boxes[VICINITY_CAPACITY / CLT_LANE_COUNT];
    cltFilterLanes filters[VICINITY_CAPACITY / CLT_LANE_COUNT]; ///< only if search->filters is not NULL
    uint32_t nodes[VICINITY_CAPACITY];
    uint32_t count;
} Vicinity;

/// Lanes of a block that search together, and the box around them.
typedef struct Searcher
{
    const cltWideSearch* search;
    const Vicinity* vicinity; ///< the nodes at which walks begin; NULL: the root
    uint32_t block;
    uint32_t lanes;
    uint32_t selfMovers; ///< all lanes of the block that search, with `lanes` or separately; see SelfLanes
    cltAabb box;
    cltFilter filter;     ///< the union of the searching lanes' filters; only if search->filters is not NULL
    uint32_t* candidates; ///< the lanes of the candidates; at most CANDIDATE_CAPACITY
    uint32_t candidateCount;
    Hits* hits; ///< NULL with clt_wideMeasure
    Gaps* gaps; ///< NULL unless clt_wideMeasure
} Searcher;

/// True if a search tests previous boxes as well as current boxes.
CLT_SPECIALIZED bool TestsPreviousBoxes( cltWideFind find )
{
    return find == clt_wideChanges || find == clt_wideTouching;
}

/// The previous boxes of a block. If no lane moved, these are the current boxes, so that half as much memory is read.
static inline const cltBoxLanes* PreviousBoxesOf( const cltWideSearch* search, uint32_t block )
{
    return search->onlyMoversDiffer && search->movers[block] == 0 ? search->current + block : search->previous + block;
}

/// The lanes of the searching block that lane `lane`, one of selfMovers, must test: all lanes that do not search, and
/// the searching lanes after `lane`. The searching lanes before it test `lane` themselves.
static inline uint32_t SelfLanes( const Searcher* searcher, uint32_t lane )
{
    const uint32_t later = ~1u << lane;
    return later | ~searcher->selfMovers;
}

// ---------------------------------------------------------------------------------------------------- hits

// Turns the hits of a searcher into keys for the sink. One box at a time is tested against all lanes of the searching
// block. The number of lanes that the box hits is unpredictable, so loops avoid branches on this number. If boxes alone
// decide, keys are computed as whole vectors.

/// The result of testing one box against all lanes of the searching block:
///
///     bit  61 .. 32              31 .. 16      15 .. 0
///          lane of the box       before        now         one bit for each lane of the searching block
typedef uint64_t Record;

/// The searching lanes, as bits, that have a pair with the record's box or, with clt_wideChanges, a change.
CLT_SPECIALIZED uint32_t PairedLanes( Record record, cltWideFind find )
{
    const uint32_t now = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t before = (uint32_t)record >> 16;
    return find == clt_wideChanges ? cltPairChange_ChangedLanes( before, now ) : now | before;
}

/// Turns hits into keys if boxes alone decide.
static inline void WriteKeys( Hits* hits, uint32_t slotBits )
{
    cltPairBlock* keys = &hits->keys;
    for ( uint32_t i = 0, size; i < hits->count; i += size )
    {
        const uint32_t room = CLT_PAIR_BLOCK_SIZE - keys->count;
        size = hits->count - i < room ? hits->count - i : room;
        const uint32_t* of = hits->of + i;
        const uint32_t* found = hits->found + i;
        uint64_t* to = keys->keys + keys->count;
        for ( uint32_t k = 0; k < size; ++k )
        {
            const uint64_t isNow = of[k] >> ( CLT_HIT_SLOT_BITS + 1u );
            to[k] = cltPairKey( of[k] & CLT_HIT_SLOT_MASK, found[k], slotBits ) | isNow << ( 2u * slotBits );
        }
        keys->count += size;
        if ( keys->count == CLT_PAIR_BLOCK_SIZE )
        {
            cltPairBlock_Flush( keys );
        }
    }
}

static inline void FlushHits( const cltWideSearch* search, Hits* hits )
{
    const bool boxesDecide =
        search->find == clt_wideChanges || ( search->find == clt_widePairs && search->boxesDecide );
    if ( boxesDecide && !hits->someNeedFilters )
    {
        WriteKeys( hits, search->slotBits );
    }
    else
    {
        cltWide_Report( search, hits->of, hits->found, hits->count, boxesDecide, &hits->keys );
    }
    hits->count = 0;
    hits->someNeedFilters = false;
}

/// The slots of a block's lanes.
static inline void ListSlots( const cltWideSearch* search, uint32_t block, uint32_t* slots )
{
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        slots[lane] = cltLeafRef_Slot( search->refs[block * CLT_LANE_COUNT + lane] );
    }
}

/// Turns records into hits. A hit needs no test of the bodies' filters if the intersections of the two blocks' filters
/// accept each other. Mostly the intersections do, and the filters by slot need not be read.
CLT_SPECIALIZED void RecordsToHits( const Searcher* searcher, const Record* records, uint32_t recordCount,
                                    cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    const cltBlockFilter* filters = search->input->filters.now != NULL ? search->blockFilters : NULL;
    Hits* hits = searcher->hits;
    uint32_t slots[CLT_LANE_COUNT];
    uint32_t count = hits->count;
    if ( recordCount == 0 )
    {
        return;
    }
    ListSlots( search, searcher->block, slots );
    for ( uint32_t k = 0; k < recordCount; ++k )
    {
        if ( count > HIT_CAPACITY - CLT_LANE_COUNT )
        {
            hits->count = count;
            FlushHits( search, hits );
            count = 0;
        }
        const Record record = records[k];
        const uint32_t lane = (uint32_t)( record >> 32 );
        const bool needsFilters = filters != NULL && !cltFilter_Allows( &filters[searcher->block].every,
                                                                        &filters[lane / CLT_LANE_COUNT].every );
        const uint32_t found = cltLeafRef_Slot( search->refs[lane] ) | (uint32_t)needsFilters << CLT_HIT_SLOT_BITS;
        for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i ) // a fixed number of entries, so that the loop is a vector store
        {
            hits->found[count + i] = found;
        }
        hits->someNeedFilters |= needsFilters;
        count += cltLanes_Pick( hits->of + count, slots, PairedLanes( record, find ), (uint32_t)record >> 16,
                                (uint32_t)record & CLT_ALL_LANES );
    }
    hits->count = count;
}

#endif
