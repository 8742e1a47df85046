// SPDX-License-Identifier: Zlib
// Two passes by the leading bits, least significant digit first, which leave few keys unsorted: those that share all
// leading bits lie together in short runs. A pass counts digits per chunk, turns the counts into places, digit by digit
// and within a digit chunk by chunk, and moves every key to its place: stable, and the same whichever thread does what.

#include "gpu/host/radix_sort.h"

#include <string.h>

/// The write positions of 4096 digits stay in the second level cache.
#define MAX_DIGIT_BITS 12u
#define PASS_COUNT 2u

/// Leading bits beyond those that number the keys: one key in 2^5 or so then shares its leading bits with another, if
/// keys are spread evenly.
#define SPREAD_BITS 5u

/// Runs up to this long are sorted by insertion, longer ones by digits.
#define INSERTION_COUNT 32u
#define RUN_DIGIT_BITS 8u

/// Enough chunks for any number of processors that a memory bus can feed, few enough that the histograms stay small.
#define MAX_CHUNKS 16u
#define MIN_CHUNK_SIZE 16384u

typedef struct Pass
{
    uint64_t* from;
    uint64_t* to;
    size_t* counts;    ///< chunk after chunk, one count a digit; places after the scan
    size_t* runStarts; ///< by chunk, and one past the last
    size_t count;
    size_t chunkSize;
    uint32_t chunkCount;
    uint32_t firstBit;
    uint32_t leadingBit; ///< where the leading bits begin
    uint32_t shift;      ///< where the digit begins
    uint32_t digitBits;
} Pass;

static uint32_t Digit( const Pass* pass, uint64_t key )
{
    return (uint32_t)( key >> pass->shift ) & ( ( 1u << pass->digitBits ) - 1u );
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
        size_t* counts = pass->counts + ( (size_t)chunk << pass->digitBits );
        memset( counts, 0, sizeof( size_t ) << pass->digitBits );
        for ( size_t i = chunk * pass->chunkSize, end = ChunkEnd( pass, chunk ); i < end; ++i )
        {
            ++counts[Digit( pass, pass->from[i] )];
        }
    }
}

static void ScanCounts( const Pass* pass )
{
    size_t place = 0;
    for ( uint32_t digit = 0; digit < 1u << pass->digitBits; ++digit )
    {
        for ( uint32_t chunk = 0; chunk < pass->chunkCount; ++chunk )
        {
            size_t* count = pass->counts + ( (size_t)chunk << pass->digitBits ) + digit;
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
        size_t* places = pass->counts + ( (size_t)chunk << pass->digitBits );
        for ( size_t i = chunk * pass->chunkSize, end = ChunkEnd( pass, chunk ); i < end; ++i )
        {
            uint64_t key = pass->from[i];
            pass->to[places[Digit( pass, key )]++] = key;
        }
    }
}

/// A stable pass by one digit.
static void RunPass( Pass* pass, cltWorkerPool* pool )
{
    cltWorkerPool_Run( pool, CountChunks, pass->chunkCount, 1u, pass );
    ScanCounts( pass );
    cltWorkerPool_Run( pool, MoveChunks, pass->chunkCount, 1u, pass );
    uint64_t* moved = pass->to;
    pass->to = pass->from;
    pass->from = moved;
}

// ------------------------------------------------------------------------------------------------------------ runs

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

/// Sorts keys whose bits from `endBit` on are the same. `spare` has room for as many.
static void SortRun( uint64_t* keys, uint64_t* spare, size_t count, uint32_t firstBit, uint32_t endBit )
{
    if ( count <= INSERTION_COUNT )
    {
        SortByInsertion( keys, count, firstBit );
        return;
    }
    size_t counts[1u << RUN_DIGIT_BITS];
    Pass pass = { .from = keys, .to = spare, .counts = counts, .count = count, .digitBits = RUN_DIGIT_BITS };
    pass.chunkSize = count;
    pass.chunkCount = 1;
    for ( pass.shift = firstBit; pass.shift < endBit; pass.shift += RUN_DIGIT_BITS )
    {
        RunPass( &pass, NULL );
    }
    if ( pass.from != keys )
    {
        memcpy( keys, pass.from, count * sizeof *keys );
    }
}

/// Finds the first run that begins in each chunk: before the runs are sorted, for then nobody else may look at them.
static void FindRunStarts( const Pass* pass )
{
    size_t start = 0;
    pass->runStarts[0] = 0;
    for ( uint32_t chunk = 0; chunk < pass->chunkCount; ++chunk )
    {
        const size_t end = ChunkEnd( pass, chunk );
        start = start > end ? start : end; // a run may be longer than a chunk
        while ( start < pass->count &&
                pass->from[start] >> pass->leadingBit == pass->from[start - 1u] >> pass->leadingBit )
        {
            ++start;
        }
        pass->runStarts[chunk + 1u] = start;
    }
}

/// Sorts the runs that begin in each chunk.
static void SortRuns( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Pass* pass = context;
    const size_t end = pass->runStarts[lastChunk];
    size_t start = pass->runStarts[firstChunk];
    while ( start < end )
    {
        const uint64_t leading = pass->from[start] >> pass->leadingBit;
        size_t next = start + 1u;
        while ( next < end && pass->from[next] >> pass->leadingBit == leading )
        {
            ++next;
        }
        if ( next - start > 1u )
        {
            SortRun( pass->from + start, pass->to + start, next - start, pass->firstBit, pass->leadingBit );
        }
        start = next;
    }
}

// ---------------------------------------------------------------------------------------------------------- the sort

/// Bits of a digit, so that PASS_COUNT digits tell most of the keys apart.
static uint32_t DigitBits( size_t count, uint32_t keyBits )
{
    uint32_t bits = SPREAD_BITS;
    while ( count >> ( bits - SPREAD_BITS ) > 0 )
    {
        ++bits;
    }
    const uint32_t wanted = ( ( bits < keyBits ? bits : keyBits ) + PASS_COUNT - 1u ) / PASS_COUNT;
    return wanted < MAX_DIGIT_BITS ? wanted : MAX_DIGIT_BITS;
}

cltStatus cltRadixSort_Run( cltRadixSort* sort, cltWorkerPool* pool, cltMemory* memory, cltBuffer* keys, size_t count,
                            uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2u || firstBit >= endBit )
    {
        return clt_ok;
    }
    if ( count <= INSERTION_COUNT )
    {
        SortByInsertion( keys->data, count, firstBit );
        return clt_ok;
    }
    Pass pass = { .count = count, .firstBit = firstBit, .digitBits = DigitBits( count, endBit - firstBit ) };
    const uint32_t leadingBits = PASS_COUNT * pass.digitBits;
    pass.leadingBit = endBit - firstBit > leadingBits ? endBit - leadingBits : firstBit;
    pass.chunkSize = count / MAX_CHUNKS + 1u;
    pass.chunkSize = pass.chunkSize > MIN_CHUNK_SIZE ? pass.chunkSize : MIN_CHUNK_SIZE;
    pass.chunkCount = (uint32_t)( ( count - 1u ) / pass.chunkSize ) + 1u;

    // as much room as there is for keys, so that a few more of them next time need no memory
    CLT_TRY( cltBuffer_Reserve( &sort->spare, memory, keys->bytes / sizeof( uint64_t ), sizeof( uint64_t ) ) );
    const size_t placeCount = (size_t)pass.chunkCount << pass.digitBits;
    CLT_TRY( cltBuffer_Reserve( &sort->counts, memory, placeCount + pass.chunkCount + 1u, sizeof( size_t ) ) );
    pass.counts = sort->counts.data;
    pass.runStarts = pass.counts + placeCount;
    pass.from = keys->data;
    pass.to = sort->spare.data;
    for ( uint32_t i = 0; i < PASS_COUNT; ++i ) // an even number: the keys are where they were
    {
        pass.shift = pass.leadingBit + i * pass.digitBits;
        RunPass( &pass, pool );
    }
    FindRunStarts( &pass );
    cltWorkerPool_Run( pool, SortRuns, pass.chunkCount, 1u, &pass );
    return clt_ok;
}

void cltRadixSort_Release( cltRadixSort* sort, cltMemory* memory )
{
    cltBuffer_Release( &sort->spare, memory );
    cltBuffer_Release( &sort->counts, memory );
}
