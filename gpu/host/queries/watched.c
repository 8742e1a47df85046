// SPDX-License-Identifier: Zlib
// Keys of watched pairs, sorted by body.

#include "gpu/host/queries/watched.h"

/// So many pairs are listed while a walk is made.
#define PAIRS_PER_WALK 32u

/// The caller has reserved two keys a pair. Returns how many there are.
static uint32_t WriteWatchedKeys( const cltAnchors* anchors, uint64_t* keys )
{
    uint32_t count = 0;
    for ( size_t i = 0; i < anchors->watchedCount; ++i )
    {
        const cltWatchedPair pair = anchors->watched[i];
        keys[count] = (uint64_t)pair.slotA << 32 | pair.slotB;
        keys[count + 1u] = (uint64_t)pair.slotB << 32 | pair.slotA;
        count += pair.isPair ? 0u : 2u;
    }
    return count;
}

bool cltWatchedList_Provide( cltWatchedList* list, const cltAnchors* anchors, cltMemory* memory )
{
    if ( list->isKnown )
    {
        return true;
    }
    if ( (uint64_t)++list->walks * PAIRS_PER_WALK < anchors->watchedCount ||
         cltBuffer_Reserve( &list->keys, memory, 2u * anchors->watchedCount + 1u, sizeof( uint64_t ) ) != clt_ok )
    {
        return false;
    }
    list->count = WriteWatchedKeys( anchors, list->keys.data );
    list->isKnown =
        list->count == 0 || cltRadixSort_Run( &list->sort, NULL, memory, &list->keys, list->count, 32u, 63u ) == clt_ok;
    return list->isKnown;
}

uint32_t cltWatchedList_Find( const cltWatchedList* list, uint32_t slot )
{
    const uint64_t* keys = list->keys.data;
    uint32_t first = 0;
    for ( uint32_t left = list->count; left > 0; )
    {
        const uint32_t half = left / 2u;
        const bool isBefore = keys[first + half] >> 32 < slot;
        first += isBefore ? half + 1u : 0u;
        left = isBefore ? left - half - 1u : half;
    }
    return first;
}

void cltWatchedList_Release( cltWatchedList* list, cltMemory* memory )
{
    cltBuffer_Release( &list->keys, memory );
    cltRadixSort_Release( &list->sort, memory );
}
