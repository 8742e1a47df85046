// SPDX-License-Identifier: Zlib
// Merges a list with ended and begun pairs: three ascending sequences, in one pass.

#include "gpu/host/pair_list.h"

#include "gpu/core/pair_key.h"
#include "gpu/core/slots.h"

/// Copies keys from index `from` on that are below `bound`. \return the index of the first key not copied
static size_t CopyBelow( const uint64_t* keys, size_t from, size_t end, uint64_t bound, uint64_t* to )
{
    size_t next = from;
    while ( next < end && keys[next] < bound )
    {
        *to++ = keys[next++];
    }
    return next;
}

static size_t Merge( const cltPairList* list, const uint64_t* changes, size_t changeCount, uint64_t* to )
{
    const uint64_t beganBit = cltPairKey_BeganBit( list->slotBits );
    const uint64_t* keys = list->keys.data;
    const size_t endedCount = cltPairKeys_EndedCount( changes, changeCount, list->slotBits );
    size_t ended = 0;
    size_t began = endedCount;
    size_t next = 0;
    size_t count = 0;
    while ( ended < endedCount || began < changeCount )
    {
        const uint64_t nextEnded = ended < endedCount ? changes[ended] | beganBit : CLT_NO_KEY;
        const uint64_t nextBegan = began < changeCount ? changes[began] : CLT_NO_KEY;
        const bool ends = nextEnded < nextBegan; // no pair begins and ends in one update
        const size_t stop = CopyBelow( keys, next, list->count, ends ? nextEnded : nextBegan, to + count );
        count += stop - next;
        next = stop + ends;
        to[count] = nextBegan;
        count += !ends;
        ended += ends;
        began += !ends;
    }
    while ( next < list->count )
    {
        to[count++] = keys[next++];
    }
    return count;
}

cltStatus cltPairList_Apply( cltPairList* list, cltMemory* memory, const uint64_t* changes, size_t changeCount )
{
    // one more than the result needs: an ended pair is written, too, and the next pair overwrites it
    const size_t most = list->count + changeCount + 1u;
    CLT_TRY( cltBuffer_Reserve( &list->spare, memory, most, sizeof( uint64_t ) ) );
    if ( list->count > 0 || changeCount > 0 )
    {
        list->count = Merge( list, changes, changeCount, list->spare.data );
    }
    cltBuffer_Swap( &list->keys, &list->spare );
    list->age = clt_pairListCurrent;
    return clt_ok;
}

void cltPairList_Adapt( cltPairList* list, uint32_t slotBits, const uint8_t* states )
{
    const bool isAsWide = list->slotBits == slotBits || list->count == 0;
    uint64_t* keys = list->keys.data;
    size_t count = isAsWide && states == NULL ? list->count : 0;
    for ( size_t i = count; i < list->count; ++i )
    {
        const cltPair pair = cltPairKey_Pair( keys[i], list->slotBits );
        const uint32_t either = states != NULL ? states[pair.proxyA] | states[pair.proxyB] : 0u;
        keys[count] = cltPairKey( pair.proxyA, pair.proxyB, slotBits ) | cltPairKey_BeganBit( slotBits );
        count += ( either & CLT_SLOT_DESTROYED ) == 0;
    }
    list->count = count;
    list->slotBits = slotBits;
}

void cltPairList_Take( cltPairList* list, cltBuffer* keys, size_t count, uint32_t slotBits )
{
    cltBuffer_Swap( &list->keys, keys );
    list->count = count;
    list->slotBits = slotBits;
    list->age = clt_pairListCurrent;
}

void cltPairList_Shrink( cltPairList* list, cltMemory* memory )
{
    const size_t count = list->age == clt_pairListUnknown ? 0 : list->count;
    cltBuffer_Shrink( &list->keys, memory, count, cltShrinkPolicy_Capacity( count ), sizeof( uint64_t ) );
    cltBuffer_Release( &list->spare, memory );
}

void cltPairList_Release( cltPairList* list, cltMemory* memory )
{
    cltBuffer_Release( &list->keys, memory );
    cltBuffer_Release( &list->spare, memory );
}
