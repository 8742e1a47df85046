// SPDX-License-Identifier: Zlib
/// \file pair_sink.h
/// Where searches put the keys they find: one array filled by all threads, a block at a time. What does not fit is
/// counted, and lost: whoever lost it searches again when there is more room.
#ifndef CLT_HOST_PAIR_SINK_H
#define CLT_HOST_PAIR_SINK_H

#include "gpu/core/atomic.h"
#include "gpu/core/pair_key.h"
#include "gpu/platform/memory.h"

#define CLT_PAIR_BLOCK_SIZE 256u

typedef struct cltPairSink
{
    cltBuffer buffer; ///< uint64_t
    uint64_t next;    ///< keys found so far, more than fit perhaps
    bool hasSplits;   ///< a body was searched as two: a pair that it kept is here twice, ended and begun
    bool hasRepeats;  ///< some of a search was done again, so that keys may be here twice
} cltPairSink;

/// A thread's own few keys on their way to the sink. Lives on the stack of a task.
typedef struct cltPairBlock
{
    cltPairSink* sink;
    uint32_t count;
    bool hasLost; ///< keys that did not fit
    uint64_t keys[CLT_PAIR_BLOCK_SIZE];
} cltPairBlock;

static inline void cltPairBlock_Init( cltPairBlock* block, cltPairSink* sink )
{
    block->sink = sink;
    block->count = 0;
    block->hasLost = false;
}

/// Every task ends with this.
void cltPairBlock_Flush( cltPairBlock* block );

/// CLT_NO_KEY is nothing to add.
static inline void cltPairBlock_Add( cltPairBlock* block, uint64_t key )
{
    block->keys[block->count] = key;
    block->count += key != CLT_NO_KEY;
    if ( block->count == CLT_PAIR_BLOCK_SIZE )
    {
        cltPairBlock_Flush( block );
    }
}

/// Where `next` is more, keys were lost.
static inline size_t cltPairSink_Capacity( const cltPairSink* sink )
{
    return sink->buffer.bytes / sizeof( uint64_t );
}

/// True if whatever is found from here on is lost. From any thread.
static inline bool cltPairSink_IsFull( const cltPairSink* sink )
{
    return __atomic_load_n( &sink->next, __ATOMIC_RELAXED ) >= cltPairSink_Capacity( sink );
}

/// Makes room for `count` keys after some were lost; keeps those that fitted.
cltStatus cltPairSink_Grow( cltPairSink* sink, cltMemory* memory, size_t count );

/// Takes keys that are there twice out of keys in canonical order.
void cltPairSink_DropRepeats( cltPairSink* sink );

/// Takes pairs that were kept out of keys in canonical order.
void cltPairSink_DropKept( cltPairSink* sink, uint32_t slotBits );

#endif
