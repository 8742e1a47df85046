// SPDX-License-Identifier: Zlib
// Makes the index when it pays, and finds a proxy in it.

#include "gpu/rest/near_pair_index.h"

#include <string.h>

/// A search of the tree costs as much as adding this many near pairs to the index, or resetting this many entries.
#define PAIRS_PER_SEARCH 128u
#define ENTRIES_PER_SEARCH 1024u

/// The value of NearPairEntry::first if the index does not contain the proxy.
#define NOT_INDEXED ( CLT_NEAR_PROXIES_END - 1u )

/// The number of the first turn (near_pair_index.h). Above 1, so that turn 0 is never the current or previous one.
#define FIRST_TURN 2u

typedef struct NearPairEntry
{
    uint32_t turn;  ///< the last turn in which QueryNew was called for the proxy; 0 if it never was
    uint32_t first; ///< the first link, CLT_NEAR_PROXIES_END or NOT_INDEXED; valid if cltNearPairIndex::isMade
} NearPairEntry;

static NearPairEntry* Entries( const cltNearPairIndex* index )
{
    return index->entries.data;
}

static uint32_t CurrentTurn( const cltNearPairIndex* index )
{
    return FIRST_TURN + index->turn;
}

/// Whether QueryNew was called for the proxy in this turn or the previous one.
static bool WasQueried( const cltNearPairIndex* index, uint32_t slot )
{
    return Entries( index )[slot].turn + 1u >= CurrentTurn( index );
}

static cltStatus EnsureEntries( cltNearPairIndex* index, uint32_t count, cltMemory* memory )
{
    if ( index->entryCount < count )
    {
        CLT_TRY( cltBuffer_Grow( &index->entries, memory, count, sizeof( NearPairEntry ) ) );
        memset( Entries( index ) + index->entryCount, 0, ( count - index->entryCount ) * sizeof( NearPairEntry ) );
        index->entryCount = count;
    }
    return clt_ok;
}

/// Records a call of QueryNew for the proxy. An index that was made without the proxy will not contain it in this turn.
static void RecordQuery( cltNearPairIndex* index, uint32_t slot )
{
    NearPairEntry* entry = Entries( index ) + slot;
    if ( entry->turn != CurrentTurn( index ) )
    {
        entry->first = WasQueried( index, slot ) ? entry->first : NOT_INDEXED;
        entry->turn = CurrentTurn( index );
        ++index->askedCount;
    }
}

static bool IndexPays( const cltNearPairIndex* index, const cltNearPairs* pairs )
{
    const uint64_t searches = index->askedCount > index->previousCount ? index->askedCount : index->previousCount;
    return searches >= pairs->count / PAIRS_PER_SEARCH + index->entryCount / ENTRIES_PER_SEARCH;
}

/// Adds `other` to the list of the proxy `slot` if QueryNew was called for `slot`. Returns the number of links added.
static uint32_t AddLink( cltNearPairIndex* index, uint32_t link, uint32_t slot, uint32_t other )
{
    if ( !WasQueried( index, slot ) )
    {
        return 0u;
    }
    NearPairEntry* entry = Entries( index ) + slot;
    ( (cltNearLink*)index->links.data )[link] = ( cltNearLink ){ other, entry->first };
    entry->first = link;
    return 1u;
}

static cltStatus MakeIndex( cltNearPairIndex* index, const cltNearPairs* near, cltMemory* memory )
{
    const cltNearPair* pairs = near->pairs.data;
    CLT_TRY( cltBuffer_Reserve( &index->links, memory, 2u * (size_t)near->count, sizeof( cltNearLink ) ) );
    for ( uint32_t slot = 0; slot < index->entryCount; ++slot )
    {
        Entries( index )[slot].first = CLT_NEAR_PROXIES_END;
    }
    uint32_t count = 0;
    for ( uint32_t i = 0; i < near->count; ++i )
    {
        if ( !pairs[i].isPair )
        {
            count += AddLink( index, count, pairs[i].slotA, pairs[i].slotB );
            count += AddLink( index, count, pairs[i].slotB, pairs[i].slotA );
        }
    }
    index->linkCount = count;
    index->isMade = true;
    return clt_ok;
}

bool cltNearPairIndex_Find( cltNearPairIndex* index, const cltNearPairs* pairs, uint32_t slot, uint32_t slotCount,
                            cltMemory* memory, cltNearProxies* found )
{
    if ( EnsureEntries( index, slotCount, memory ) != clt_ok )
    {
        return false;
    }
    RecordQuery( index, slot );
    if ( !index->isMade && ( !IndexPays( index, pairs ) || MakeIndex( index, pairs, memory ) != clt_ok ) )
    {
        return false;
    }
    const uint32_t first = Entries( index )[slot].first;
    if ( first == NOT_INDEXED )
    {
        return false;
    }
    *found = ( cltNearProxies ){ index->links.data, first };
    return true;
}

void cltNearPairIndex_Commit( cltNearPairIndex* index, cltMemory* memory )
{
    const uint32_t needed = index->isMade ? index->linkCount : 0u;
    if ( cltShrinkPolicy_IsDue( &index->shrinkPolicy, needed, index->links.bytes / sizeof( cltNearLink ) ) )
    {
        cltBuffer_Shrink( &index->links, memory, 0, cltShrinkPolicy_Capacity( needed ), sizeof( cltNearLink ) );
    }
    index->isMade = false;
    if ( index->askedCount > 0 )
    {
        index->previousCount = index->askedCount;
        index->askedCount = 0;
        ++index->turn;
    }
}

void cltNearPairIndex_Release( cltNearPairIndex* index, cltMemory* memory )
{
    cltBuffer_Release( &index->entries, memory );
    cltBuffer_Release( &index->links, memory );
    *index = ( cltNearPairIndex ){ 0 };
}
