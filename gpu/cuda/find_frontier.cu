// SPDX-License-Identifier: Zlib
// Bulk-synchronous simultaneous traversal: one kernel per pass, one thread per tile of node pairs. The number of passes
// follows from the tree's shape, and each pass reads on the device how many pairs the previous pass found. So the host
// launches all passes without waiting, while Chitalu et al. wait for each pass.

#include "gpu/cuda/searches.cuh"

/// By default, a traversal begins this many levels below the root: with half a million pairs, in 33,000 tiles.
#define ENTRY_LEVEL 10u

typedef struct PairPass
{
    cltLevelTree tree;
    cltLeaves leaves;
    cltFind find;
    cltNodePairs entry;
    const cltNodePair* from;
    uint64_t room; ///< capacity of both queues
    cltPlan* plan;
    uint32_t number;
    uint32_t depthStep; ///< the number of levels that a pass descends
    uint32_t above;     ///< the level of the pairs in `from`
    uint32_t level;     ///< the level of the pairs that are tested
} PairPass;

/// Returns b such that the node pairs to test below one queued pair form at most 2^b rows and 2^b columns of tiles.
static __device__ uint32_t TileBits( const PairPass* pass )
{
    return pass->depthStep > CLT_TILE_BITS ? pass->depthStep - CLT_TILE_BITS : 0u;
}

/// Returns the number of tiles to test; 0 if the previous pass overflowed its queue, because the search is repeated.
template <bool isEntry>
static __device__ uint64_t TileCount( const PairPass* pass )
{
    if ( isEntry )
    {
        const cltNodePairs tiles = cltNodePairs_Tiles( &pass->entry );
        return cltNodePairs_Count( &tiles );
    }
    const uint64_t count = pass->plan->pairCounts[pass->number - 1u];
    return count > pass->room ? 0u : count << 2u * TileBits( pass );
}

/// Returns tile k, numbered as if each pair had the largest number of tiles; an empty tile if tile k does not exist.
template <bool isEntry>
static __device__ cltNodePairs TileAt( const PairPass* pass, uint64_t k )
{
    cltNodePairs below = pass->entry;
    cltNodePair at;
    if ( isEntry )
    {
        const cltNodePairs tiles = cltNodePairs_Tiles( &below );
        at = cltNodePairs_At( &tiles, k );
    }
    else
    {
        const uint32_t bits = TileBits( pass );
        const cltNodePair pair = pass->from[k >> 2u * bits];
        below = cltNodePair_Below( &pass->tree.levels, pass->above, &pass->tree.levels, pass->above, pair,
                                   pass->depthStep, pair.a == pair.b );
        at.a = (uint32_t)( k >> bits ) & ( ( 1u << bits ) - 1u );
        at.b = (uint32_t)k & ( ( 1u << bits ) - 1u );
    }
    const cltNodePairs tiles = cltNodePairs_Tiles( &below );
    if ( at.a >= tiles.a.count || at.b >= tiles.b.count || ( tiles.isTriangle && at.b < at.a ) )
    {
        below.a.count = 0;
        at.a = 0;
    }
    return cltNodePairs_Tile( &below, at );
}

/// Returns a node pair as a key for the sink: the bytes of cltNodePair.
static __device__ uint64_t KeyOfPair( cltNodePair pair )
{
    return pair.a | (uint64_t)pair.b << 32;
}

/// Tests a tile. Reports leaves that meet, and queues pairs of other nodes that meet for the next pass.
static __device__ void TestTile( const PairPass* pass, const cltNodePairs* tile, cltBlockKeys* block,
                                 const cltKeySink* sink )
{
    uint32_t meeting = cltNodePairs_Meeting( tile, &pass->tree, &pass->tree );
    if ( pass->level == 0 && tile->isTriangle )
    {
        meeting &= ~CLT_TILE_DIAGONAL;
    }
    for ( ; meeting != 0; meeting &= meeting - 1u )
    {
        const cltNodePair pair = cltNodePairs_OfBit( tile, (uint32_t)__ffs( (int)meeting ) - 1u );
        cltBlockKeys_Add( block, sink,
                          pass->level == 0 ? cltLeaves_Key( &pass->leaves, pass->find, pair.a, pair.b )
                                           : KeyOfPair( pair ) );
    }
}

template <bool isEntry>
static __global__ void FrontierPassKernel( PairPass pass, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    __shared__ uint64_t blockTestCount;
    const uint64_t count = TileCount<isEntry>( &pass );
    uint64_t testCount = 0;
    if ( threadIdx.x == 0 )
    {
        blockTestCount = 0;
    }
    for ( uint64_t first = (uint64_t)blockIdx.x * blockDim.x; first < count; first += (uint64_t)gridDim.x * blockDim.x )
    {
        cltBlockKeys_Begin( &block );
        if ( first + threadIdx.x < count )
        {
            const cltNodePairs tile = TileAt<isEntry>( &pass, first + threadIdx.x );
            testCount += cltNodePairs_Count( &tile );
            TestTile( &pass, &tile, &block, &sink );
        }
        cltBlockKeys_End( &block, &sink );
    }
    __syncthreads();
    cltClaim( &blockTestCount, testCount );
    __syncthreads();
    if ( threadIdx.x == 0 && blockTestCount > 0 )
    {
        cltClaim( &pass.plan->nodeTestCount, blockTestCount );
    }
}

cltStatus cltDeviceFrontier_Reserve( cltDeviceFrontier* frontier, cltCudaDevice* device, uint64_t pairCount )
{
    for ( cltCudaBuffer& pairs : frontier->pairs )
    {
        CLT_TRY( cltCudaBuffer_Reserve( &pairs, device, pairCount, sizeof( cltNodePair ) ) );
    }
    return clt_ok;
}

cltStatus cltDeviceFrontier_GrowQueues( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltPlan* plan,
                                        bool* isTooSmall )
{
    const uint64_t peak = cltPlan_FrontierPeak( plan );
    *isTooSmall = peak > cltDeviceFrontier_PairCapacity( frontier );
    return *isTooSmall ? cltDeviceFrontier_Reserve( frontier, device, peak + peak / 8u ) : clt_ok;
}

static PairPass FirstPass( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                           const cltResearchDef* research )
{
    const uint32_t entryLevel = research->entryLevel < 0 ? ENTRY_LEVEL : (uint32_t)research->entryLevel;
    PairPass pass = {};
    pass.tree = cltDeviceFrontier_View( frontier );
    pass.leaves = search->leaves->view;
    pass.find = search->find;
    pass.entry = cltNodePairs_Entry( &pass.tree.levels, &pass.tree.levels, entryLevel, true );
    pass.room = cltDeviceFrontier_PairCapacity( frontier );
    pass.plan = cltDeviceLeaves_Plan( search->leaves );
    const uint32_t top = pass.tree.levels.top;
    pass.level = top - ( entryLevel < top ? entryLevel : top );
    if ( search->find == clt_findPairs )
    {
        pass.tree.moves = NULL; // a search for all pairs also finds pairs of two still bodies
    }
    return pass;
}

static cltStatus LaunchPass( const cltDeviceFrontier* frontier, const cltDeviceSearch* search, const PairPass* pass )
{
    const bool isEntry = pass->number == 0;
    const cltNodePairs tiles = cltNodePairs_Tiles( &pass->entry );
    const uint64_t most = isEntry ? cltNodePairs_Count( &tiles ) : pass->room;
    const uint64_t blocks = most / CLT_BLOCK_SIZE + 1u;
    const uint32_t fullBlocks = 16u * search->device->multiprocessorCount; // each loops until all tiles are tested
    cltKeySink sink = search->sink;
    if ( pass->level > 0 )
    {
        sink.keys = (uint64_t*)frontier->pairs[pass->number % 2u].data;
        sink.room = pass->room;
        sink.groupCounts = NULL;
        sink.count = pass->plan->pairCounts + pass->number;
    }
    return cltLaunchBlocks( search->device, isEntry ? "frontier entry" : "frontier pass",
                            blocks < fullBlocks ? (uint32_t)blocks : fullBlocks, CLT_BLOCK_SIZE,
                            isEntry ? FrontierPassKernel<true> : FrontierPassKernel<false>, *pass, sink );
}

cltStatus cltDeviceFrontier_Find( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                                  const cltResearchDef* research, uint32_t* passCount )
{
    const uint32_t depthStep = (uint32_t)research->depthStep;
    PairPass pass = FirstPass( frontier, search, research );
    *passCount = cltFrontier_PassCount( pass.level, depthStep );
    CLT_TRY( cltCudaFill( search->device, pass.plan->pairCounts, 0, CLT_PLAN_PASSES_SIZE ) );
    for ( ; pass.number < *passCount; ++pass.number )
    {
        if ( pass.number > 0 )
        {
            pass.from = (const cltNodePair*)frontier->pairs[( pass.number + 1u ) % 2u].data;
            pass.above = pass.level;
            pass.depthStep = depthStep < pass.level ? depthStep : pass.level;
            pass.level -= pass.depthStep;
        }
        CLT_TRY( LaunchPass( frontier, search, &pass ) );
    }
    return cltDevice_FindOutliers( search );
}
