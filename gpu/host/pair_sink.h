// SPDX-License-Identifier: Zlib
/// \file pair_sink.h
/// Where searches put the keys they find: one array filled by all threads, a block at a time. What does not fit is
/// counted, so that the search can be redone with an array of the right size.
#ifndef CLT_HOST_PAIR_SINK_H
#define CLT_HOST_PAIR_SINK_H

#include "gpu/core/atomic.h"
#include "gpu/platform/memory.h"

#define CLT_PAIR_BLOCK_SIZE 256u

typedef struct cltPairSink
{
    cltBuffer buffer;
    uint64_t next; ///< keys found so far, more than fit perhaps
} cltPairSink;

/// A thread's own few keys on their way to the sink. Lives on the stack of a task.
typedef struct cltPairBlock
{
    cltPairSink* sink;
    uint32_t count;
    uint64_t keys[CLT_PAIR_BLOCK_SIZE];
} cltPairBlock;

static inline void cltPairBlock_Init( cltPairBlock* block, cltPairSink* sink )
{
    block->sink = sink;
    block->count = 0;
}

/// Every task ends with this.
void cltPairBlock_Flush( cltPairBlock* block );

static inline void cltPairBlock_Add( cltPairBlock* block, uint64_t key )
{
    block->keys[block->count++] = key;
    if ( block->count == CLT_PAIR_BLOCK_SIZE )
    {
        cltPairBlock_Flush( block );
    }
}

static inline size_t cltPairSink_Capacity( const cltPairSink* sink )
{
    return sink->buffer.bytes / sizeof( uint64_t );
}

/// True if keys were lost: make room for sink->next of them and search again.
static inline bool cltPairSink_Overflowed( const cltPairSink* sink )
{
    return sink->next > cltPairSink_Capacity( sink );
}

#endif
