// SPDX-License-Identifier: Zlib
// Merges a list with ended and begun pairs: three ascending sequences, in one pass. Also compares two lists.

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

// --------------------------------------------------------------------------------------------- the difference

// The ascending lists of previous and current pairs are cut at the same keys, into ranges of about equal total size.
// Each range is read twice: first to count the keys in both lists, which gives the output positions of all ranges, then
// to write changes. Comparisons of keys are unpredictable, so there are no branches on them.

/// Enough ranges for all processors that a memory bus can feed. A range of MIN_RANGE_SIZE takes about 20 microseconds.
#define MAX_RANGES 64u
#define MIN_RANGE_SIZE 8192u

/// The start of a range: its index in both lists and, once known, in the changes.
typedef struct Cut
{
    size_t before;
    size_t now;
    size_t keptCount; ///< the number of keys of this range that both lists contain
    size_t ended;
    size_t began;
} Cut;

typedef struct Comparison
{
    cltSortedPairs before;
    cltSortedPairs now;
    uint64_t beganBit;
    uint64_t* changes;
    uint32_t rangeCount;
    Cut cuts[MAX_RANGES + 1u];
} Comparison;

/// The cut after the first `total` keys of the merged lists. If these end with the first of two equal keys, the second
/// is included, so that no cut separates a pair's two keys.
static Cut CutAfter( const Comparison* comparison, size_t total )
{
    const cltSortedPairs* before = &comparison->before;
    const cltSortedPairs* now = &comparison->now;
    size_t low = total > now->count ? total - now->count : 0;
    size_t high = total < before->count ? total : before->count;
    while ( low < high ) // finds how many of these keys are from `before`
    {
        const size_t middle = low + ( high - low ) / 2u;
        if ( before->keys[middle] <= now->keys[total - middle - 1u] )
        {
            low = middle + 1u;
        }
        else
        {
            high = middle;
        }
    }
    Cut cut = { .before = low, .now = total - low };
    if ( low > 0 && cut.now < now->count && before->keys[low - 1u] == now->keys[cut.now] )
    {
        ++cut.now;
    }
    return cut;
}

static void CountKept( uint32_t first, uint32_t last, void* context )
{
    Comparison* comparison = context;
    const uint64_t* before = comparison->before.keys;
    const uint64_t* now = comparison->now.keys;
    for ( uint32_t range = first; range < last; ++range )
    {
        const Cut* end = comparison->cuts + range + 1u;
        size_t i = comparison->cuts[range].before;
        size_t k = comparison->cuts[range].now;
        size_t keptCount = 0;
        while ( i < end->before && k < end->now )
        {
            const uint64_t a = before[i];
            const uint64_t b = now[k];
            i += a <= b;
            k += b <= a;
            keptCount += a == b;
        }
        comparison->cuts[range].keptCount = keptCount;
    }
}

/// Computes output positions from the counts of common keys. \return the number of changes
static size_t PlaceRanges( Comparison* comparison )
{
    size_t keptCount = 0;
    for ( uint32_t range = 0; range < comparison->rangeCount; ++range )
    {
        Cut* cut = comparison->cuts + range;
        cut->ended = cut->before - keptCount;
        cut->began = cut->now - keptCount; // after all ended pairs
        keptCount += cut->keptCount;
    }
    const size_t endedCount = comparison->before.count - keptCount;
    for ( uint32_t range = 0; range < comparison->rangeCount; ++range )
    {
        comparison->cuts[range].began += endedCount;
    }
    return endedCount + comparison->now.count - keptCount;
}

static void WriteChanges( uint32_t first, uint32_t last, void* context )
{
    Comparison* comparison = context;
    const uint64_t* before = comparison->before.keys;
    const uint64_t* now = comparison->now.keys;
    for ( uint32_t range = first; range < last; ++range )
    {
        const Cut cut = comparison->cuts[range];
        const Cut* end = comparison->cuts + range + 1u;
        uint64_t* ended = comparison->changes + cut.ended;
        uint64_t* began = comparison->changes + cut.began;
        const uint64_t* const endedEnd = ended + ( end->before - cut.before - cut.keptCount );
        const uint64_t* const beganEnd = began + ( end->now - cut.now - cut.keptCount );
        uint64_t none; // target of writes past this range's changes, where those of the next range begin
        size_t i = cut.before;
        size_t k = cut.now;
        while ( i < end->before && k < end->now )
        {
            const uint64_t a = before[i];
            const uint64_t b = now[k];
            *( ended < endedEnd ? ended : &none ) = a & ~comparison->beganBit;
            *( began < beganEnd ? began : &none ) = b;
            ended += a < b;
            began += b < a;
            i += a <= b;
            k += b <= a;
        }
        for ( ; i < end->before; ++i )
        {
            *ended++ = before[i] & ~comparison->beganBit;
        }
        for ( ; k < end->now; ++k )
        {
            *began++ = now[k];
        }
    }
}

cltStatus cltPairDifference_Find( cltPairDifference* difference, cltSortedPairs before, cltSortedPairs now,
                                  uint32_t slotBits, cltWorkerPool* pool, cltMemory* memory )
{
    const size_t total = before.count + now.count;
    const size_t mostRanges = total / MIN_RANGE_SIZE + 1u;
    Comparison comparison = { .before = before,
                              .now = now,
                              .beganBit = cltPairKey_BeganBit( slotBits ),
                              .rangeCount = mostRanges < MAX_RANGES ? (uint32_t)mostRanges : MAX_RANGES };
    difference->count = 0;
    for ( uint32_t range = 0; range < comparison.rangeCount; ++range )
    {
        comparison.cuts[range] = CutAfter( &comparison, total / comparison.rangeCount * range );
    }
    comparison.cuts[comparison.rangeCount] = ( Cut ){ .before = before.count, .now = now.count };
    cltWorkerPool_Run( pool, CountKept, comparison.rangeCount, 1u, &comparison );
    const size_t count = PlaceRanges( &comparison );
    CLT_TRY( cltBuffer_Reserve( &difference->changes, memory, count, sizeof( uint64_t ) ) );
    comparison.changes = difference->changes.data;
    if ( count > 0 ) // else there may be no memory for changes
    {
        cltWorkerPool_Run( pool, WriteChanges, comparison.rangeCount, 1u, &comparison );
    }
    difference->count = count;
    return clt_ok;
}

void cltPairDifference_Release( cltPairDifference* difference, cltMemory* memory )
{
    cltBuffer_Release( &difference->changes, memory );
}
