// SPDX-License-Identifier: Zlib
/// \file pair_sink.h The output of searches: one array that all threads fill, a block at a time. Overflow is counted,
/// not stored; the caller grows the sink and repeats the search.
#ifndef CLT_HOST_PAIR_SINK_H
#define CLT_HOST_PAIR_SINK_H

#include "gpu/core/atomic.h"
#include "gpu/core/pair_key.h"
#include "gpu/platform/memory.h"

#define CLT_PAIR_BLOCK_SIZE 256u

typedef struct cltPairSink
{
    cltBuffer buffer; ///< uint64_t
    uint64_t next;    ///< keys found so far; may exceed the capacity
    /// Some body was searched as two leaves, one for its previous and one for its current box. If a pair of this body
    /// persists, the first leaf reports that the pair ended, and the second leaf that it began.
    bool hasSplits;
    bool isOrdered;  ///< the keys are in canonical order
    bool hasRepeats; ///< part of a search was repeated, so that keys may be present twice
} cltPairSink;

/// A task's buffer of keys for the sink, on its stack.
typedef struct cltPairBlock
{
    cltPairSink* sink;
    uint32_t count;
    bool hasLost; ///< some keys did not fit
    uint64_t keys[CLT_PAIR_BLOCK_SIZE];
} cltPairBlock;

static inline void cltPairBlock_Init( cltPairBlock* block, cltPairSink* sink )
{
    block->sink = sink;
    block->count = 0;
    block->hasLost = false;
}

/// Must be called at the end of every task.
void cltPairBlock_Flush( cltPairBlock* block );

/// Adds a key; CLT_NO_KEY is ignored.
static inline void cltPairBlock_Add( cltPairBlock* block, uint64_t key )
{
    block->keys[block->count] = key;
    block->count += key != CLT_NO_KEY;
    if ( block->count == CLT_PAIR_BLOCK_SIZE )
    {
        cltPairBlock_Flush( block );
    }
}

/// The capacity in keys. If `next` is larger, keys were lost.
static inline size_t cltPairSink_Capacity( const cltPairSink* sink )
{
    return sink->buffer.bytes / sizeof( uint64_t );
}

/// Whether all further keys would be lost. Callable from any thread.
static inline bool cltPairSink_IsFull( const cltPairSink* sink )
{
    return __atomic_load_n( &sink->next, __ATOMIC_RELAXED ) >= cltPairSink_Capacity( sink );
}

/// Grows to `count` keys after some were lost; keeps the keys stored.
cltStatus cltPairSink_Grow( cltPairSink* sink, cltMemory* memory, uint64_t count );

/// Removes duplicate keys. The keys must be in canonical order.
void cltPairSink_DropRepeats( cltPairSink* sink );

/// Removes the two keys of each pair that both ended and began. The keys must be in canonical order.
void cltPairSink_DropPersistingPairs( cltPairSink* sink, uint32_t slotBits );

#endif
