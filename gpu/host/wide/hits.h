// SPDX-License-Identifier: Zlib
/// \file hits.h
/// Turns the hits of a searcher into keys for the sink. One box at a time is tested against all lanes of the searching
/// block. The number of lanes that it hits is unpredictable, so loops avoid branches on it. If boxes alone decide, keys
/// are computed as whole vectors.
#ifndef CLT_HOST_WIDE_HITS_H
#define CLT_HOST_WIDE_HITS_H

#include "gpu/host/wide/searcher.h"

/// The result of testing one box against all lanes of the searching block:
///
///     bit  61 .. 32              31 .. 16      15 .. 0
///          lane of the box       before        now         one bit for each lane of the searching block
typedef uint64_t Record;

/// The searching lanes, as bits, that form a pair or a change with the record's box, by `find`.
CLT_SPECIALIZED uint32_t FoundIn( Record record, cltWideFind find )
{
    const uint32_t now = (uint32_t)record & CLT_ALL_LANES;
    const uint32_t before = (uint32_t)record >> 16;
    return find == clt_wideChanges ? cltPairChange_Lanes( before, now ) : now | before;
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
            const uint64_t isNow = of[k] >> ( CLT_FOUND_SHIFT + 1u );
            to[k] = cltPairKey( of[k] & CLT_FOUND_SLOT, found[k], slotBits ) | isNow << ( 2u * slotBits );
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
    if ( boxesDecide && !hits->someAsk )
    {
        WriteKeys( hits, search->slotBits );
    }
    else
    {
        cltWide_Report( search, hits->of, hits->found, hits->count, boxesDecide, &hits->keys );
    }
    hits->count = 0;
    hits->someAsk = false;
}

/// The slots of a block's lanes.
static inline void ListSlots( const cltWideSearch* search, uint32_t block, uint32_t* slots )
{
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        slots[lane] = cltLeafRef_Slot( search->refs[block * CLT_LANE_COUNT + lane] );
    }
}

/// Turns records into hits. A hit needs a test of the bodies' filters, unless the two blocks' filters accept all their
/// pairs. Mostly they do, and then the filters by slot need not be read.
CLT_SPECIALIZED void Unfold( const Searcher* searcher, const Record* records, uint32_t recordCount, cltWideFind find )
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
        const bool asks = filters != NULL &&
                          !cltFilter_Allows( &filters[searcher->block].every, &filters[lane / CLT_LANE_COUNT].every );
        const uint32_t found = cltLeafRef_Slot( search->refs[lane] ) | (uint32_t)asks << CLT_FOUND_SHIFT;
        for ( uint32_t i = 0; i < CLT_LANE_COUNT; ++i ) // a fixed number, so that this is a vector store
        {
            hits->found[count + i] = found;
        }
        hits->someAsk |= asks;
        count += cltLanes_Pick( hits->of + count, slots, FoundIn( record, find ), (uint32_t)record >> 16,
                                (uint32_t)record & CLT_ALL_LANES );
    }
    hits->count = count;
}

#endif
