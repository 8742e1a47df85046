// SPDX-License-Identifier: Zlib
// Least significant digit first. Each pass counts digits per chunk, turns the counts into places, digit by digit and
// within a digit chunk by chunk, and moves every key to its place: stable, and the same whichever thread does what.

#include "gpu/host/radix_sort.h"

#include <string.h>

/// A pass over 11 bits keeps its 2048 write positions in the second level cache.
#define MAX_DIGIT_BITS 11u
#define SMALL_DIGIT_BITS 8u
#define SMALL_COUNT 4096u

/// Enough chunks for any number of processors that a memory bus can feed, few enough that the histograms stay small.
#define MAX_CHUNKS 32u
#define MIN_CHUNK_SIZE 4096u

typedef struct Pass
{
    const uint64_t* from;
    uint64_t* to;
    size_t* counts; ///< chunk after chunk, one count a digit; places after the scan
    size_t count;
    size_t chunkSize;
    uint32_t chunkCount;
    uint32_t shift;
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

cltStatus cltRadixSort_Run( cltRadixSort* sort, cltWorkerPool* pool, cltMemory* memory, cltBuffer* keys, size_t count,
                            uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2u || firstBit >= endBit )
    {
        return clt_ok;
    }
    const uint32_t maxDigitBits = count < SMALL_COUNT ? SMALL_DIGIT_BITS : MAX_DIGIT_BITS;
    const uint32_t passCount = ( endBit - firstBit + maxDigitBits - 1u ) / maxDigitBits;

    Pass pass = { .count = count };
    pass.digitBits = ( endBit - firstBit + passCount - 1u ) / passCount;
    pass.chunkSize = count / MAX_CHUNKS + 1u;
    pass.chunkSize = pass.chunkSize > MIN_CHUNK_SIZE ? pass.chunkSize : MIN_CHUNK_SIZE;
    pass.chunkCount = (uint32_t)( ( count - 1u ) / pass.chunkSize ) + 1u;

    // As large as the other, for they change places: whoever owns the keys keeps the room that was reserved.
    CLT_TRY( cltBuffer_Reserve( &sort->spare, memory, keys->bytes / sizeof( uint64_t ), sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &sort->counts, memory, (size_t)pass.chunkCount << pass.digitBits, sizeof( size_t ) ) );
    pass.counts = sort->counts.data;

    for ( uint32_t i = 0; i < passCount; ++i )
    {
        pass.shift = firstBit + i * pass.digitBits;
        pass.from = keys->data;
        pass.to = sort->spare.data;
        cltWorkerPool_Run( pool, CountChunks, pass.chunkCount, 1u, &pass );
        ScanCounts( &pass );
        cltWorkerPool_Run( pool, MoveChunks, pass.chunkCount, 1u, &pass );

        cltBuffer moved = sort->spare;
        sort->spare = *keys;
        *keys = moved;
    }
    return clt_ok;
}

void cltRadixSort_Release( cltRadixSort* sort, cltMemory* memory )
{
    cltBuffer_Release( &sort->spare, memory );
    cltBuffer_Release( &sort->counts, memory );
}
