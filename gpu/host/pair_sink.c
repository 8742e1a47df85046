// SPDX-License-Identifier: Zlib
// Appends a block of keys to the sink: one claim of consecutive places, one copy.

#include "gpu/host/pair_sink.h"

#include "gpu/core/pair_change.h"

#include <string.h>

void cltPairBlock_Flush( cltPairBlock* block )
{
    uint64_t first = cltClaim( &block->sink->next, block->count );
    size_t capacity = cltPairSink_Capacity( block->sink );
    if ( first < capacity )
    {
        size_t room = capacity - (size_t)first;
        size_t count = block->count < room ? block->count : room;
        memcpy( (uint64_t*)block->sink->buffer.data + first, block->keys, count * sizeof( uint64_t ) );
    }
    block->hasLost = block->hasLost || first + block->count > capacity;
    block->count = 0;
}

cltStatus cltPairSink_Grow( cltPairSink* sink, cltMemory* memory, uint64_t count )
{
    sink->next = cltPairSink_Capacity( sink ); // the sink is full up to its capacity
    sink->hasRepeats = true;
    return cltBuffer_Grow( &sink->buffer, memory, count, sizeof( uint64_t ) );
}

void cltPairSink_DropRepeats( cltPairSink* sink )
{
    uint64_t* keys = sink->buffer.data;
    size_t kept = 0;
    uint64_t last = CLT_NO_KEY;
    for ( size_t i = 0; i < sink->next; ++i )
    {
        const uint64_t key = keys[i];
        keys[kept] = key;
        kept += key != last;
        last = key;
    }
    sink->next = kept;
}

void cltPairSink_DropPersistingPairs( cltPairSink* sink, uint32_t slotBits )
{
    uint64_t* keys = sink->buffer.data;
    const uint64_t beganBit = cltPairKey_BeganBit( slotBits );
    const size_t firstBegan = cltPairKeys_EndedCount( keys, (size_t)sink->next, slotBits );
    size_t endedKept = 0;
    size_t beganKept = 0;
    size_t ended = 0;
    for ( size_t began = firstBegan; began < sink->next; ++began )
    {
        while ( ended < firstBegan && ( keys[ended] | beganBit ) < keys[began] )
        {
            keys[endedKept++] = keys[ended++];
        }
        if ( ended < firstBegan && cltPairChange_IsKept( keys[ended], keys[began], slotBits ) )
        {
            ++ended;
        }
        else
        {
            keys[firstBegan + beganKept++] = keys[began];
        }
    }
    while ( ended < firstBegan )
    {
        keys[endedKept++] = keys[ended++];
    }
    if ( beganKept > 0 )
    {
        memmove( keys + endedKept, keys + firstBegan, beganKept * sizeof *keys );
    }
    sink->next = endedKept + beganKept;
}
