// SPDX-License-Identifier: Zlib
// What became of the pairs that are watched, in an update and in a list of all pairs.

#include "gpu/host/wide/watch.h"

/// Room to begin with beyond what is needed.
#define FEWEST_WATCHED 8u
#define SLOT_MASK ( UINT32_MAX >> 1 ) // what slots need no more than

static cltWatchedPair* NextWatched( const cltWatch* watch )
{
    return watch->next.data;
}

static size_t WatchRoom( const cltWatch* watch )
{
    return watch->next.bytes / sizeof( cltWatchedPair );
}

static void AddFlip( cltWatch* watch, const cltWatchedPair* pair, bool wasPair, bool isPair )
{
    cltWatchFlip* flip = (cltWatchFlip*)watch->flips.data + watch->flipCount;
    flip->slotA = pair->slotA;
    flip->slotB = pair->slotB;
    flip->change = cltPairChange( wasPair, isPair );
    watch->flipCount += wasPair != isPair;
}

/// What a search takes the pair to have been before: what the anchors say, and double boxes have to agree.
static bool WasToSearch( const cltSlots* slots, const cltWatchedPair* pair )
{
    if ( !slots->isDouble || !pair->byAnchors )
    {
        return pair->byAnchors;
    }
    const cltAabbD* boxesA = cltSlots_PreviousBoxes( slots, pair->slotA );
    const cltAabbD* boxesB = cltSlots_PreviousBoxes( slots, pair->slotB );
    return cltAabbD_Overlaps( boxesA + pair->slotA, boxesB + pair->slotB );
}

/// The same now, of boxes that overlap or do not.
static bool IsToSearch( const cltSlots* slots, const cltWatchedPair* pair, bool overlap )
{
    return pair->byAnchors && ( !slots->isDouble || overlap );
}

cltStatus cltWatch_Look( cltWatch* watch, const cltSlots* slots, bool isOver, cltMemory* memory )
{
    const cltWatchedPair* pairs = watch->pairs.data;
    watch->flipCount = 0;
    watch->nextCount = 0;
    watch->keptCount = 0;
    if ( watch->count == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( cltBuffer_Reserve( &watch->flips, memory, watch->count + 1u, sizeof( cltWatchFlip ) ) );
    CLT_TRY( cltBuffer_Reserve( &watch->next, memory, watch->count, sizeof( cltWatchedPair ) ) );
    for ( uint32_t i = 0; i < watch->count; ++i )
    {
        cltWatchedPair pair = pairs[i];
        const uint32_t states = slots->states[pair.slotA] | slots->states[pair.slotB];
        if ( !isOver && ( states & CLT_SLOT_CHANGED ) == 0 )
        {
            const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair.slotA, pair.slotB );
            AddFlip( watch, &pair, pair.isPair, overlap );
            pair.isPair = overlap;
            NextWatched( watch )[watch->nextCount++] = pair;
        }
        else if ( ( states & CLT_SLOT_DESTROYED ) == 0 ) // else it ended then
        {
            AddFlip( watch, &pair, pair.isPair, WasToSearch( slots, &pair ) );
        }
    }
    watch->keptCount = (uint32_t)watch->nextCount;
    return clt_ok;
}

void cltWatch_Add( cltWatch* watch, const cltSearchInput* input, uint32_t slotA, uint32_t slotB, bool byAnchors )
{
    if ( cltPairChange_Filter( CLT_PAIR_BEGAN, &input->filters, slotA, slotB ) == CLT_PAIR_NOTHING )
    {
        return;
    }
    const uint64_t place = cltClaim( &watch->nextCount, 1u );
    if ( place < WatchRoom( watch ) )
    {
        NextWatched( watch )[place] =
            ( cltWatchedPair ){ .slotA = slotA & SLOT_MASK, .slotB = slotB & SLOT_MASK, .byAnchors = byAnchors };
    }
}

cltStatus cltWatch_MakeRoom( cltWatch* watch, cltMemory* memory, bool* isAgain )
{
    const size_t needed = watch->nextCount;
    *isAgain = needed > WatchRoom( watch );
    if ( *isAgain )
    {
        cltWatch_DropAdded( watch );
        return cltBuffer_Grow( &watch->next, memory, needed + needed / 2u + FEWEST_WATCHED, sizeof( cltWatchedPair ) );
    }
    return clt_ok;
}

cltStatus cltWatch_Take( cltWatch* watch, const cltSlots* slots, cltMemory* memory )
{
    const size_t flipRoom = watch->flipCount + ( watch->nextCount - watch->keptCount ) + 1u;
    CLT_TRY( cltBuffer_Grow( &watch->flips, memory, flipRoom, sizeof( cltWatchFlip ) ) );
    for ( uint64_t i = watch->keptCount; i < watch->nextCount; ++i )
    {
        cltWatchedPair* pair = NextWatched( watch ) + i;
        const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, pair->slotA, pair->slotB );
        AddFlip( watch, pair, IsToSearch( slots, pair, overlap ), overlap );
        pair->isPair = overlap;
    }
    return clt_ok;
}

void cltWatch_Commit( cltWatch* watch )
{
    cltBuffer_Swap( &watch->pairs, &watch->next );
    watch->count = (uint32_t)watch->nextCount;
    watch->keptCount = 0;
    watch->nextCount = 0;
    watch->flipCount = 0;
}

// ------------------------------------------------------------------------------------------------------- reporting

static void ReportFlips( const cltWatch* watch, uint32_t slotBits, cltPairBlock* keys )
{
    const cltWatchFlip* flips = watch->flips.data;
    for ( uint32_t i = 0; i < watch->flipCount; ++i )
    {
        cltPairBlock_Add(
            keys, cltPairChange_Key( flips[i].change, clt_findChanges, flips[i].slotA, flips[i].slotB, slotBits ) );
    }
}

/// Pairs that are none to the search of all pairs, as if they began, and those that are none, as if they ended.
static void ReportPairs( const cltWatch* watch, const cltSlots* slots, uint32_t slotBits, cltPairBlock* keys )
{
    const cltWatchedPair* pairs = watch->pairs.data;
    for ( uint32_t i = 0; i < watch->count; ++i )
    {
        const uint32_t a = pairs[i].slotA;
        const uint32_t b = pairs[i].slotB;
        const bool overlap = cltBoxesOverlap( slots->now, slots->isDouble, a, b );
        const uint32_t change = cltPairChange( IsToSearch( slots, pairs + i, overlap ), pairs[i].isPair );
        cltPairBlock_Add( keys, cltPairChange_Key( change, clt_findChanges, a, b, slotBits ) );
    }
}

cltStatus cltWatch_Report( const cltWatch* watch, cltFind find, const cltSlots* slots, cltPairSink* sink,
                           cltMemory* memory )
{
    const uint32_t slotBits = cltIndexBits( slots->count );
    const size_t most = find == clt_findChanges ? watch->flipCount : watch->count;
    CLT_TRY( cltBuffer_Grow( &sink->buffer, memory, sink->next + most, sizeof( uint64_t ) ) );
    cltPairBlock keys;
    cltPairBlock_Init( &keys, sink );
    if ( find == clt_findChanges )
    {
        ReportFlips( watch, slotBits, &keys );
    }
    else
    {
        ReportPairs( watch, slots, slotBits, &keys );
    }
    cltPairBlock_Flush( &keys );
    sink->hasSplits = true;
    return clt_ok;
}

void cltWatch_Shrink( cltWatch* watch, cltMemory* memory )
{
    cltBuffer_Shrink( &watch->pairs, memory, watch->count, cltShrinkPolicy_Capacity( watch->count ),
                      sizeof( cltWatchedPair ) );
    cltBuffer_Release( &watch->next, memory );
    cltBuffer_Release( &watch->flips, memory );
}

void cltWatch_Release( cltWatch* watch, cltMemory* memory )
{
    cltBuffer_Release( &watch->pairs, memory );
    cltBuffer_Release( &watch->next, memory );
    cltBuffer_Release( &watch->flips, memory );
    watch->count = 0;
}
