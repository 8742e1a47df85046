// SPDX-License-Identifier: Zlib
// Turns hits, and changes of near pairs (gpu/rest/near_pairs.h), into keys of pairs. This code runs once for each pair
// found, not once for each test.

#include "gpu/host/wide/wide.h"

/// Hits are processed in batches: the filters of a batch are prefetched before the first is tested.
#define BATCH 64u

static void PrefetchFilters( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count )
{
    const cltFilter* filters = search->input->filters.now;
    for ( uint32_t i = 0; i < count; ++i )
    {
        if ( found[i] >> CLT_HIT_SLOT_BITS != 0 )
        {
            cltPrefetch( filters + ( of[i] & CLT_HIT_SLOT_MASK ) );
            cltPrefetch( filters + ( found[i] & CLT_HIT_SLOT_MASK ) );
        }
    }
}

/// Whether a pair began, ended or persists, by the double boxes. Lanes hold only float boxes around the double boxes.
static uint32_t ExactChange( const cltSlots* slots, uint32_t a, uint32_t b )
{
    const cltAabbD* beforeA = cltSlots_PreviousBoxes( slots, a );
    const cltAabbD* beforeB = cltSlots_PreviousBoxes( slots, b );
    const cltAabbD* now = slots->now;
    return cltPairChange( cltAabbD_Overlaps( beforeA + a, beforeB + b ), cltAabbD_Overlaps( now + a, now + b ) );
}

static void ReportBatch( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                         bool boxesDecide, cltPairBlock* keys )
{
    const cltSlots* slots = &search->input->slots;
    const cltFilter* filtersNow = search->input->filters.now;
    const cltPairFilters filters = { filtersNow, boxesDecide ? filtersNow : search->input->filters.before };
    const cltFind find = search->find == clt_widePairs && !boxesDecide ? clt_findPairs : clt_findChanges;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t a = of[i] & CLT_HIT_SLOT_MASK;
        const uint32_t b = found[i] & CLT_HIT_SLOT_MASK;
        uint32_t change = of[i] >> CLT_HIT_SLOT_BITS;
        if ( !boxesDecide && slots->isDouble )
        {
            change &= ExactChange( slots, a, b );
        }
        if ( found[i] >> CLT_HIT_SLOT_BITS != 0 )
        {
            change = cltPairChange_Filter( change, &filters, a, b );
        }
        cltPairBlock_Add( keys, cltPairChange_Key( change, find, a, b, search->slotBits ) );
    }
}

void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     bool boxesDecide, cltPairBlock* keys )
{
    for ( uint32_t first = 0; first < count; first += BATCH )
    {
        const uint32_t size = count - first < BATCH ? count - first : BATCH;
        PrefetchFilters( search, of + first, found + first, size );
        ReportBatch( search, of + first, found + first, size, boxesDecide, keys );
    }
}

cltStatus cltWide_ReportNearPairs( const cltWide* wide, cltFind find, const cltSlots* slots, cltPairSink* sink )
{
    const cltNearPairs* near = &wide->rest->nearPairs;
    const cltNearPairChange* changes = near->changes.data;
    const cltNearPair* pairs = near->pairs.data;
    const uint32_t slotBits = cltIndexBits( slots->count );
    const uint32_t count = cltNearPairs_ReportCount( near, find );
    CLT_TRY( cltBuffer_Grow( &sink->buffer, wide->memory, sink->next + count, sizeof( uint64_t ) ) );
    cltPairBlock keys;
    cltPairBlock_Init( &keys, sink );
    for ( uint32_t i = 0; i < count; ++i )
    {
        const cltNearPairChange change =
            find == clt_findChanges
                ? changes[i]
                : ( cltNearPairChange ){ pairs[i].slotA, pairs[i].slotB, cltNearPair_Change( pairs + i, slots ) };
        cltPairBlock_Add( &keys,
                          cltPairChange_Key( change.change, clt_findChanges, change.slotA, change.slotB, slotBits ) );
    }
    cltPairBlock_Flush( &keys );
    sink->hasSplits = true;
    return clt_ok;
}
