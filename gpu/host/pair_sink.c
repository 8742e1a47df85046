// SPDX-License-Identifier: Zlib
// Handing a block of keys to the sink: one claim of consecutive places, one copy.

#include "gpu/host/pair_sink.h"

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
    block->count = 0;
}
