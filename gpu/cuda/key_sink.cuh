// SPDX-License-Identifier: Zlib
/// \file key_sink.cuh
/// Where searches put the keys they find: one array filled by all blocks. What does not fit is counted, so that the
/// search can be redone with an array of the right size.
///
/// A block collects its keys in shared memory first and claims places for all of them at once, with one atomic instead
/// of one a key, and writes them side by side. Nobody waits inside the search: a key that finds the block's room full
/// goes straight to the sink.
#ifndef CLT_CUDA_KEY_SINK_CUH
#define CLT_CUDA_KEY_SINK_CUH

#include "gpu/core/atomic.h"
#include "gpu/core/pair_key.h"
#include "gpu/cuda/launch.cuh"

/// Keys that a block collects: 4 KB, which keeps no block from its processor. When few bodies' pairs change a block
/// finds far less; when a world is filled it overflows, and the atomics of the rest are shared by the threads of a
/// warp.
#define CLT_BLOCK_KEY_COUNT 512u

/// View of the sink.
typedef struct cltKeySink
{
    uint64_t* keys;
    uint64_t room;
    uint64_t* count; ///< keys found so far, more than fit perhaps
} cltKeySink;

/// In shared memory.
typedef struct cltBlockKeys
{
    uint64_t keys[CLT_BLOCK_KEY_COUNT];
    uint64_t first; ///< place of the first one in the sink
    uint32_t count; ///< of keys that the block found, more than fit perhaps; memory ends long before 2^32 of them
} cltBlockKeys;

static __device__ inline void cltKeySink_Put( const cltKeySink* sink, uint64_t place, uint64_t key )
{
    if ( place < sink->room )
    {
        sink->keys[place] = key;
    }
}

/// Every thread of a block begins its search with this,
static __device__ inline void cltBlockKeys_Begin( cltBlockKeys* block )
{
    if ( threadIdx.x == 0 )
    {
        block->count = 0;
    }
    __syncthreads();
}

/// may add in between, together with others or alone, what is not CLT_NO_KEY,
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

/// and ends with this, whether it had anything to search or not.
static __device__ inline void cltBlockKeys_End( cltBlockKeys* block, const cltKeySink* sink )
{
    __syncthreads(); // all keys are there
    const uint32_t count = block->count < CLT_BLOCK_KEY_COUNT ? block->count : CLT_BLOCK_KEY_COUNT;
    if ( threadIdx.x == 0 && count > 0 )
    {
        block->first = cltClaim( sink->count, count );
    }
    __syncthreads(); // all know where they go
    for ( uint32_t i = threadIdx.x; i < count; i += blockDim.x )
    {
        cltKeySink_Put( sink, block->first + i, block->keys[i] );
    }
}

#endif
