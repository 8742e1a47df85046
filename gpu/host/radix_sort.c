// SPDX-License-Identifier: Zlib
// A pass by the leading bits moves keys into buckets that fit a cache. Each bucket is then sorted in the cache by
// digits, last digit first. So a key is written to memory once, whatever its width. The pass counts the keys of each
// bucket per chunk, turns the counts into positions, by bucket and then by chunk, and moves every key. The sort is
// stable, and the result does not depend on the number of threads.
//
// Written by hand: no library in C sorts keys stably by some of their bits, in parallel on threads that the caller
// provides, and without allocating.

#include "gpu/host/radix_sort.h"

#include "bridge/cullet_bits.h"

#include <string.h>

/// With 2048 buckets, the cache lines to which keys are moved, one for each bucket, stay in the second-level cache.
#define MAX_BUCKET_BITS 11u

/// Keys per bucket, if keys are spread evenly. Together with scratch, a bucket fits the first-level cache.
#define BUCKET_SIZE 2048u

/// Buckets of more keys exceed the second-level cache and are split into buckets again.
#define MAX_CACHED 32768u

/// A bucket is sorted by leading bits: SPREAD_BITS more than are needed to number its keys. If keys are spread evenly,
/// about one in 2^5 has the same leading bits as another. Runs of equal leading bits are sorted by the remaining bits.
#define SPREAD_BITS 5u

/// If one key in this many shares its leading bits with the previous one, sorting by all bits at once is faster.
#define CROWDED_RATIO 4u

#define MAX_DIGIT_BITS 11u

/// Runs up to this length are sorted by insertion.
#define INSERTION_COUNT 32u

/// Up to this many keys are sorted by insertion, so that the smallest worlds need no scratch.
#define SMALL_COUNT 64u

/// Enough chunks for any number of processors that a memory bus can feed, few enough for small histograms.
#define MAX_CHUNKS 16u
#define MIN_CHUNK_SIZE 16384u

/// Buckets per task.
#define BUCKET_GRAIN 4u

typedef struct Pass
{
    uint64_t* from;
    uint64_t* to;
    uint64_t* result; ///< `from` or `to`: where sorted keys belong
    size_t* counts;   ///< by chunk, then by bucket: counts; positions after the scan, end positions after the moves
    size_t count;
    size_t chunkSize;
    uint32_t chunkCount;
    uint32_t firstBit;
    uint32_t shift; ///< lowest bit of the bucket number
    uint32_t bucketBits;
    bool crowded; ///< many keys of the bucket sorted last had equal leading bits; a hint for SortFew
} Pass;

static uint32_t BucketOf( const Pass* pass, uint64_t key )
{
    return (uint32_t)( key >> pass->shift ) & ( ( 1u << pass->bucketBits ) - 1u );
}

static size_t ChunkEnd( const Pass* pass, uint32_t chunk )
{
    size_t first = chunk * pass->chunkSize;
    return pass->count - first > pass->chunkSize ? first + pass->chunkSize : pass->count;
}

static void CountChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Pass* pass = context;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        size_t* counts = pass->counts + ( (size_t)chunk << pass->bucketBits );
        memset( counts, 0, sizeof( size_t ) << pass->bucketBits );
        for ( size_t i = chunk * pass->chunkSize, end = ChunkEnd( pass, chunk ); i < end; ++i )
        {
            ++counts[BucketOf( pass, pass->from[i] )];
        }
    }
}

static void ScanCounts( const Pass* pass )
{
    size_t place = 0;
    for ( uint32_t bucket = 0; bucket < 1u << pass->bucketBits; ++bucket )
    {
        for ( uint32_t chunk = 0; chunk < pass->chunkCount; ++chunk )
        {
            size_t* count = pass->counts + ( (size_t)chunk << pass->bucketBits ) + bucket;
            size_t here = *count;
            *count = place;
            place += here;
        }
    }
}

static void MoveChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Pass* pass = context;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        size_t* places = pass->counts + ( (size_t)chunk << pass->bucketBits );
        for ( size_t i = chunk * pass->chunkSize, end = ChunkEnd( pass, chunk ); i < end; ++i )
        {
            uint64_t key = pass->from[i];
            pass->to[places[BucketOf( pass, key )]++] = key;
        }
    }
}

/// The end of a bucket after the moves, which is the end of the last chunk's keys in it.
static size_t BucketEnd( const Pass* pass, uint32_t bucket )
{
    return pass->counts[( (size_t)( pass->chunkCount - 1u ) << pass->bucketBits ) + bucket];
}

static size_t BucketStart( const Pass* pass, uint32_t bucket )
{
    return bucket == 0 ? 0 : BucketEnd( pass, bucket - 1u );
}

// --------------------------------------------------------------------------------------------------- in the cache

static void CopyKeys( uint64_t* to, const uint64_t* from, size_t count )
{
    if ( to != from )
    {
        memcpy( to, from, count * sizeof *to );
    }
}

static void SortByInsertion( uint64_t* keys, size_t count, uint32_t firstBit )
{
    for ( size_t i = 1; i < count; ++i )
    {
        const uint64_t key = keys[i];
        size_t place = i;
        while ( place > 0 && keys[place - 1u] >> firstBit > key >> firstBit )
        {
            keys[place] = keys[place - 1u];
            --place;
        }
        keys[place] = key;
    }
}

/// One past the highest bit in which keys differ; firstBit if they are equal from firstBit on.
static uint32_t EndOfDifference( const uint64_t* keys, size_t count, uint32_t firstBit )
{
    uint64_t differing = 0;
    for ( size_t i = 1; i < count; ++i )
    {
        differing |= keys[i] ^ keys[0];
    }
    differing >>= firstBit;
    return firstBit + ( differing != 0 ? cltHighestBit64( differing ) + 1u : 0u );
}

/// A stable pass by a digit that begins at bit `shift`.
static void MoveByDigit( const uint64_t* from, uint64_t* to, size_t count, uint32_t shift, uint32_t bits )
{
    const uint32_t mask = ( 1u << bits ) - 1u;
    uint32_t places[1u << MAX_DIGIT_BITS];
    memset( places, 0, sizeof *places << bits );
    for ( size_t i = 0; i < count; ++i )
    {
        ++places[from[i] >> shift & mask];
    }
    uint32_t place = 0;
    for ( uint32_t digit = 0; digit <= mask; ++digit )
    {
        const uint32_t here = places[digit];
        places[digit] = place;
        place += here;
    }
    for ( size_t i = 0; i < count; ++i )
    {
        const uint64_t key = from[i];
        to[places[key >> shift & mask]++] = key;
    }
}

/// Sorts by bits [firstBit, endBit), in digits of equal width. \return the array with the result, `keys` or `spare`
static uint64_t* SortByDigits( uint64_t* keys, uint64_t* spare, size_t count, uint32_t firstBit, uint32_t endBit )
{
    const uint32_t digitCount = ( endBit - firstBit + MAX_DIGIT_BITS - 1u ) / MAX_DIGIT_BITS;
    for ( uint32_t i = 0, bit = firstBit; i < digitCount; ++i )
    {
        const uint32_t bits = ( endBit - bit + digitCount - i - 1u ) / ( digitCount - i );
        MoveByDigit( keys, spare, count, bit, bits );
        bit += bits;
        uint64_t* moved = spare;
        spare = keys;
        keys = moved;
    }
    return keys;
}

/// Sorts runs of keys that are equal from leadingBit on. \return the number of keys with a predecessor in their run
static size_t SortRuns( uint64_t* keys, uint64_t* spare, size_t count, uint32_t firstBit, uint32_t leadingBit )
{
    size_t sharing = 0;
    for ( size_t start = 0, end; start < count; start = end )
    {
        const uint64_t leading = keys[start] >> leadingBit;
        for ( end = start + 1u; end < count && keys[end] >> leadingBit == leading; )
        {
            ++end;
        }
        const size_t length = end - start;
        sharing += length - 1u;
        if ( length > INSERTION_COUNT )
        {
            const uint64_t* sorted = SortByDigits( keys + start, spare + start, length, firstBit, leadingBit );
            CopyKeys( keys + start, sorted, length );
        }
        else if ( length > 1u )
        {
            SortByInsertion( keys + start, length, firstBit );
        }
    }
    return sharing;
}

/// Sorts few keys by all bits from firstBit on, into `result`, which is `keys` or `spare`.
/// \param[in,out] crowded  whether many keys of the last bucket had equal leading bits; all bits are then used at once
static void SortFew( uint64_t* keys, uint64_t* spare, uint64_t* result, size_t count, uint32_t firstBit, bool* crowded )
{
    if ( count <= INSERTION_COUNT )
    {
        SortByInsertion( keys, count, firstBit );
        CopyKeys( result, keys, count );
        return;
    }
    const uint32_t endBit = EndOfDifference( keys, count, firstBit );
    const uint32_t wanted = SPREAD_BITS + cltHighestBit64( count ) + 1u;
    const uint32_t leadingBit = *crowded || endBit - firstBit <= wanted ? firstBit : endBit - wanted;
    uint64_t* sorted = SortByDigits( keys, spare, count, leadingBit, endBit );
    if ( leadingBit > firstBit )
    {
        *crowded =
            SortRuns( sorted, sorted == keys ? spare : keys, count, firstBit, leadingBit ) > count / CROWDED_RATIO;
    }
    CopyKeys( result, sorted, count );
}

static void SortBuckets( uint32_t firstBucket, uint32_t lastBucket, void* context )
{
    Pass* pass = context;
    bool crowded = __atomic_load_n( &pass->crowded, __ATOMIC_RELAXED ); // buckets of one sort are similar
    for ( uint32_t bucket = firstBucket; bucket < lastBucket; ++bucket )
    {
        const size_t start = BucketStart( pass, bucket );
        const size_t count = BucketEnd( pass, bucket ) - start;
        if ( count <= MAX_CACHED )
        {
            SortFew( pass->to + start, pass->from + start, pass->result + start, count, pass->firstBit, &crowded );
        }
    }
    __atomic_store_n( &pass->crowded, crowded, __ATOMIC_RELAXED );
}

// ---------------------------------------------------------------------------------------------------------- the sort

typedef struct Sort
{
    cltRadixSort* scratch;
    cltWorkerPool* pool;
    cltMemory* memory;
    uint32_t firstBit;
} Sort;

/// \param endBit  one past the highest bit in which keys differ
static Pass MakePass( const Sort* sort, uint64_t* from, uint64_t* to, size_t count, uint32_t endBit )
{
    Pass pass = { .from = from, .to = to, .count = count, .firstBit = sort->firstBit };
    const uint32_t keyBits = endBit - sort->firstBit;
    while ( pass.bucketBits < MAX_BUCKET_BITS && pass.bucketBits < keyBits && count >> pass.bucketBits > BUCKET_SIZE )
    {
        ++pass.bucketBits;
    }
    pass.shift = endBit - pass.bucketBits;
    pass.chunkSize = count / MAX_CHUNKS + 1u;
    pass.chunkSize = pass.chunkSize > MIN_CHUNK_SIZE ? pass.chunkSize : MIN_CHUNK_SIZE;
    pass.chunkCount = (uint32_t)( ( count - 1u ) / pass.chunkSize ) + 1u;
    return pass;
}

/// Sorts the keys of `from` into `result`, which is `from` or `to`.
/// \param countsUsed  the number of entries at the start of scratch->counts that enclosing passes use
static cltStatus SortKeys( const Sort* sort, uint64_t* from, uint64_t* to, uint64_t* result, size_t count,
                           uint32_t endBit, size_t countsUsed )
{
    if ( count <= MAX_CACHED || endBit <= sort->firstBit )
    {
        bool crowded = false;
        SortFew( from, to, result, count, sort->firstBit, &crowded );
        return clt_ok;
    }
    Pass pass = MakePass( sort, from, to, count, endBit );
    const uint32_t bucketCount = 1u << pass.bucketBits;
    const size_t placeCount = (size_t)pass.chunkCount << pass.bucketBits;
    cltBuffer* counts = &sort->scratch->counts;
    CLT_TRY( cltBuffer_Grow( counts, sort->memory, countsUsed + placeCount, sizeof( size_t ) ) );
    pass.counts = (size_t*)counts->data + countsUsed;
    pass.result = result;
    cltWorkerPool_Run( sort->pool, CountChunks, pass.chunkCount, 1u, &pass );
    ScanCounts( &pass );
    cltWorkerPool_Run( sort->pool, MoveChunks, pass.chunkCount, 1u, &pass );
    cltWorkerPool_Run( sort->pool, SortBuckets, bucketCount, BUCKET_GRAIN, &pass );
    for ( uint32_t bucket = 0; bucket < bucketCount; ++bucket )
    {
        pass.counts = (size_t*)counts->data + countsUsed; // nested buckets may have reallocated them
        const size_t start = BucketStart( &pass, bucket );
        const size_t size = BucketEnd( &pass, bucket ) - start;
        if ( size > MAX_CACHED )
        {
            CLT_TRY(
                SortKeys( sort, to + start, from + start, result + start, size, pass.shift, countsUsed + placeCount ) );
        }
    }
    return clt_ok;
}

cltStatus cltRadixSort_Run( cltRadixSort* scratch, cltWorkerPool* pool, cltMemory* memory, cltBuffer* keys,
                            size_t count, uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2u || firstBit >= endBit )
    {
        return clt_ok;
    }
    if ( count <= SMALL_COUNT )
    {
        SortByInsertion( keys->data, count, firstBit );
        return clt_ok;
    }
    // as large as the capacity of `keys`, so that a few more keys next time need no allocation
    CLT_TRY( cltBuffer_Reserve( &scratch->spare, memory, keys->bytes / sizeof( uint64_t ), sizeof( uint64_t ) ) );
    const Sort sort = { scratch, pool, memory, firstBit };
    return SortKeys( &sort, keys->data, scratch->spare.data, keys->data, count, endBit, 0 );
}

void cltRadixSort_Release( cltRadixSort* sort, cltMemory* memory )
{
    cltBuffer_Release( &sort->spare, memory );
    cltBuffer_Release( &sort->counts, memory );
}
