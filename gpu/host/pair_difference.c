// SPDX-License-Identifier: Zlib
// The ascending lists of previous and current pairs are cut at the same keys, into ranges of about equal total size.
// Each range is read twice: first to count the keys in both lists, which gives the output positions of all ranges, then
// to write changes. Comparisons of keys are unpredictable, so there are no branches on them.

#include "gpu/host/pair_difference.h"

#include "gpu/core/pair_key.h"

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
