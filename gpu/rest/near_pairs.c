// SPDX-License-Identifier: Zlib
// Tests near pairs in an update.

#include "gpu/rest/near_pairs.h"

#include "gpu/core/atomic.h"

/// Added to 1.5 times the needed capacity, so that a buffer for the first few pairs has space for more, too.
#define MIN_SPARE_PAIRS 8u
#define SLOT_MASK ( UINT32_MAX >> 1 ) // cltNearPair stores a slot in 31 bits

static cltNearPair* NextPairs( const cltNearPairs* near )
{
    return near->next.data;
}

static size_t NextCapacity( const cltNearPairs* near )
{
    return near->next.bytes / sizeof( cltNearPair );
}

/// Adds the change from one state of a pair to another, if the states differ.
static void AddChange( cltNearPairs* near, const cltNearPair* pair, bool wasPair, bool isPair )
{
    cltNearPairChange* change = (cltNearPairChange*)near->changes.data + near->changeCount;
    change->slotA = pair->slotA;
    change->slotB = pair->slotB;
    change->change = cltPairChange( wasPair, isPair );
    near->changeCount += wasPair != isPair;
}

/// Whether a search reports a near pair as a pair: the rest boxes overlap and, if boxes are double, the boxes overlap.
static bool SearchReportsPair( const cltSlots* slots, const cltNearPair* pair, bool overlap )
{
    return pair->restBoxesOverlap && ( !slots->isDouble || overlap );
}

/// Whether a search would have reported the near pair as a pair in the last committed update.
static bool SearchReportedPair( const cltSlots* slots, const cltNearPair* pair )
{
    if ( !slots->isDouble || !pair->restBoxesOverlap )
    {
        return pair->restBoxesOverlap;
    }
    const cltAabbD* boxesA = cltSlots_PreviousBoxes( slots, pair->slotA );
    const cltAabbD* boxesB = cltSlots_PreviousBoxes( slots, pair->slotB );
    return cltAabbD_Overlaps( boxesA + pair->slotA, boxesB + pair->slotB );
}

cltStatus cltNearPairs_Test( cltNearPairs* near, const cltSlots* slots, bool endsAll, cltMemory* memory )
{
    const cltNearPair* pairs = near->pairs.data;
    cltNearPairs_Clear( near );
    if ( near->count == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Reserve( &near->changes, memory, near->count + 1u, sizeof( cltNearPairChange ) ) );
    CLT_TRY( cltBuffer_Reserve( &near->next, memory, near->count, sizeof( cltNearPair ) ) );
    for ( uint32_t i = 0; i < near->count; ++i )
    {
        cltNearPair pair = pairs[i];
        const uint32_t states = slots->states[pair.slotA] | slots->states[pair.slotB];
        if ( !endsAll && ( states & CLT_SLOT_CHANGED ) == 0 )
        {
            const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair.slotA, pair.slotB );
            AddChange( near, &pair, pair.isPair, overlap );
            pair.isPair = overlap;
            NextPairs( near )[near->nextCount++] = pair;
        }
        else if ( ( states & CLT_SLOT_DESTROYED ) == 0 ) // else the pair ended with its proxy
        {
            AddChange( near, &pair, pair.isPair, SearchReportedPair( slots, &pair ) );
        }
    }
    near->keptCount = (uint32_t)near->nextCount;
    return clt_ok;
}

void cltNearPairs_Add( cltNearPairs* near, const cltPairFilters* filters, uint32_t slotA, uint32_t slotB,
                       bool restBoxesOverlap )
{
    if ( cltPairChange_Filter( CLT_PAIR_BEGAN, filters, slotA, slotB ) == CLT_PAIR_NOTHING )
    {
        return;
    }
    const uint64_t place = cltClaim( &near->nextCount, 1u );
    if ( place < NextCapacity( near ) )
    {
        NextPairs( near )[place] = ( cltNearPair ){
            .slotA = slotA & SLOT_MASK, .slotB = slotB & SLOT_MASK, .restBoxesOverlap = restBoxesOverlap };
    }
}

cltStatus cltNearPairs_Grow( cltNearPairs* near, cltMemory* memory, bool* hasGrown )
{
    const uint64_t needed = near->nextCount;
    *hasGrown = needed > NextCapacity( near );
    if ( !*hasGrown )
    {
        return clt_ok;
    }
    cltNearPairs_DropAdded( near );
    return cltBuffer_Grow( &near->next, memory, needed + needed / 2u + MIN_SPARE_PAIRS, sizeof( cltNearPair ) );
}

cltStatus cltNearPairs_TestAdded( cltNearPairs* near, const cltSlots* slots, cltMemory* memory )
{
    const uint64_t most = near->changeCount + ( near->nextCount - near->keptCount ) + 1u;
    CLT_TRY( cltBuffer_Grow( &near->changes, memory, most, sizeof( cltNearPairChange ) ) );
    for ( uint64_t i = near->keptCount; i < near->nextCount; ++i )
    {
        cltNearPair* pair = NextPairs( near ) + i;
        const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair->slotA, pair->slotB );
        AddChange( near, pair, SearchReportsPair( slots, pair, overlap ), overlap );
        pair->isPair = overlap;
    }
    return clt_ok;
}

uint32_t cltNearPair_Change( const cltNearPair* pair, const cltSlots* slots )
{
    const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair->slotA, pair->slotB );
    return cltPairChange( SearchReportsPair( slots, pair, overlap ), pair->isPair );
}

void cltNearPairs_Commit( cltNearPairs* near )
{
    cltBuffer_Swap( &near->pairs, &near->next );
    near->count = (uint32_t)near->nextCount;
    cltNearPairs_Clear( near );
}

void cltNearPairs_Shrink( cltNearPairs* near, cltMemory* memory )
{
    cltBuffer_Shrink( &near->pairs, memory, near->count, cltShrinkPolicy_Capacity( near->count ),
                      sizeof( cltNearPair ) );
    cltBuffer_Release( &near->next, memory );
    cltBuffer_Release( &near->changes, memory );
}

void cltNearPairs_Release( cltNearPairs* near, cltMemory* memory )
{
    cltBuffer_Release( &near->pairs, memory );
    cltBuffer_Release( &near->next, memory );
    cltBuffer_Release( &near->changes, memory );
    near->count = 0;
}
