// SPDX-License-Identifier: Zlib
/// \file key_sink.cuh
/// Output of the searches: one array of keys filled by all blocks. Overflow is counted, not stored, so that the host
/// can repeat the search with a larger array.
///
/// A block collects its keys in shared memory, claims space for all of them with one atomic and writes them
/// contiguously. No thread waits during the search: a key that overflows the block's buffer goes to the sink directly.
#ifndef CLT_CUDA_KEY_SINK_CUH
#define CLT_CUDA_KEY_SINK_CUH

#include "gpu/core/atomic.h"
#include "gpu/core/pair_key.h"
#include "gpu/cuda/launch.cuh"

/// Capacity of a block's buffer in keys: 4 KB, which does not limit occupancy. If few pairs change, a block finds far
/// fewer keys. In a scene's first update the buffer overflows; the compiler then combines a warp's atomics on the sink.
#define CLT_BLOCK_KEY_COUNT 512u

/// View of the output array.
typedef struct cltKeySink
{
    uint64_t* keys;
    uint64_t room;
    uint64_t* count; ///< keys found so far, including overflow

    // The first step of a sort by groups (sort_pairs.cuh).
    uint32_t* groupCounts = NULL; ///< by group: keys stored so far. NULL: keys are not counted by group
    uint32_t* offsets = NULL;     ///< by key: how many keys of its group were stored before it
    uint32_t slotBits = 0;
} cltKeySink;

/// The keys of a block, in shared memory.
typedef struct cltBlockKeys
{
    uint64_t keys[CLT_BLOCK_KEY_COUNT];
    uint64_t first; ///< index of the first key in the sink
    uint32_t count; ///< keys found by the block, including overflow; memory runs out long before 2^32 keys
} cltBlockKeys;

static __device__ inline void cltKeySink_Put( const cltKeySink* sink, uint64_t place, uint64_t key )
{
    if ( place < sink->room )
    {
        sink->keys[place] = key;
        if ( sink->groupCounts != NULL )
        {
            sink->offsets[place] = atomicAdd( sink->groupCounts + cltPairKey_Group( key, sink->slotBits ), 1u );
        }
    }
}

/// Empties the block's buffer. All threads of the block call this before the search.
static __device__ inline void cltBlockKeys_Begin( cltBlockKeys* block )
{
    if ( threadIdx.x == 0 )
    {
        block->count = 0;
    }
    __syncthreads();
}

/// Adds a key during the search; may be called by any thread, in divergent code. Ignores CLT_NO_KEY.
static __device__ inline void cltBlockKeys_Add( cltBlockKeys* block, const cltKeySink* sink, uint64_t key )
{
    if ( key == CLT_NO_KEY )
    {
        return;
    }
    const uint32_t place = atomicAdd( &block->count, 1u );
    if ( place < CLT_BLOCK_KEY_COUNT )
    {
        block->keys[place] = key;
    }
    else
    {
        cltKeySink_Put( sink, cltClaim( sink->count, 1u ), key );
    }
}

/// Writes the block's keys to the sink. All threads of the block call this after the search.
static __device__ inline void cltBlockKeys_End( cltBlockKeys* block, const cltKeySink* sink )
{
    __syncthreads(); // all keys are collected
    const uint32_t count = block->count < CLT_BLOCK_KEY_COUNT ? block->count : CLT_BLOCK_KEY_COUNT;
    if ( threadIdx.x == 0 && count > 0 )
    {
        block->first = cltClaim( sink->count, count );
    }
    __syncthreads(); // `first` is known
    for ( uint32_t i = threadIdx.x; i < count; i += blockDim.x )
    {
        cltKeySink_Put( sink, block->first + i, block->keys[i] );
    }
}

#endif
