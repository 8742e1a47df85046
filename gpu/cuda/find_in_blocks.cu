// SPDX-License-Identifier: Zlib
// Searches the tree of blocks with a warp for each block of 32 leaves. The lanes test 32 children at once against the
// block's bounds, and a ballot decides where the walk continues. If the walk reaches a block of leaves, its leaves are
// tested against the same bounds. Leaves that meet the bounds, some three a block, are listed, and each lane tests its
// own leaf against the listed leaves.
//
// If all bodies move, the search takes 22 us for 10,000 bodies, 53 for 100,000 and 278 for a million. The search of the
// binary tree by a thread for each leaf takes 71, 119 and 589 (H200). In a prototype, prefetching the next block gained
// nothing, nor did bounds of half blocks.

#include "gpu/cuda/find_outliers.cuh"
#include "gpu/cuda/searches.cuh"

/// The number of warps that share the search from a block, each testing every fourth block reached, if all warps fit on
/// the device at once. The prototype took 10 us instead of 16 for 10,000 bodies, but 33 instead of 31 for 100,000.
#define WARPS_PER_SEARCH_IF_FEW 4u

/// The number of thread blocks, each of one warp, that a multiprocessor runs at once for float boxes.
#define MAX_BLOCKS_PER_MULTIPROCESSOR 32u

/// Arguments of the kernel.
typedef struct BlockSearch
{
    cltWarpTree tree;
    cltLeaves leaves;
    const cltPlan* plan;
    cltFind find;
    uint32_t shareCount; ///< warps that share the search from a block
    cltKeySink sink;
} BlockSearch;

/// A depth-first walk over the blocks of level 0 that meet a block's bounds, in ascending order. Its state is bounded:
/// a mask of children for each level.
typedef struct Walk
{
    cltAabb bounds;
    cltFilter filter;
    uint32_t own;       ///< the searching block
    uint32_t wanted;    ///< CLT_ALL_LANES to visit also lanes in which no leaf moves, else 0
    uint32_t end;       ///< the level above the top
    uint32_t level;     ///< the level of the current block
    uint32_t block;     ///< the current block
    uint32_t remaining; ///< in lane l, a mask of children not yet visited, for the current path's block at level l
} Walk;

/// In shared memory: the leaves that the lanes test.
template <typename Leaf>
struct ListedLeaves
{
    uint32_t listed[2u * CLT_WARP_SIZE]; ///< ascending; a full warp of them is tested before more are listed
    Leaf leaves[CLT_WARP_SIZE];          ///< copies of the first CLT_WARP_SIZE listed leaves
};

/// Begins the search from block `own`. If no leaf of `own` moves, a search for changes visits only leaves that move.
static __device__ Walk BeginWalk( const BlockSearch* search, uint32_t own )
{
    const cltWarpTree* tree = &search->tree;
    const uint32_t parent = cltWarpTree_At( tree, 1, own / CLT_WARP_SIZE );
    Walk walk;
    walk.bounds = cltWarpTree_Box( tree, parent, own % CLT_WARP_SIZE );
    walk.filter = cltWarpTree_Filter( tree, parent, own % CLT_WARP_SIZE );
    walk.own = own;
    walk.wanted = search->find == clt_findPairs || tree->moves[own] != 0 ? CLT_ALL_LANES : 0u;
    walk.end = cltWarpTree_Top( tree ) + 1u;
    walk.level = walk.end;
    walk.block = 0;
    walk.remaining = threadIdx.x == walk.end ? 1u : 0u; // the block at the top
    return walk;
}

/// A mask of the current block's lanes that meet the walk's bounds.
static __device__ uint32_t MeetingLanes( const cltWarpTree* tree, const Walk* walk )
{
    const uint32_t at = cltWarpTree_At( tree, walk->level, walk->block );
    const uint32_t moves = tree->moves[at];
    const bool meets = cltWarpTree_Meets( tree, at, threadIdx.x, &walk->bounds, &walk->filter );
    return __ballot_sync( CLT_ALL_LANES, meets ) & ( moves | walk->wanted );
}

/// A mask of the current block's children to visit. Children that lie wholly before the searching block are excluded.
static __device__ uint32_t ChildrenAhead( const cltWarpTree* tree, const Walk* walk )
{
    const uint32_t child = walk->block * CLT_WARP_SIZE + threadIdx.x;
    const bool isAhead = cltWarpTree_IsAhead( walk->level - 1u, child, walk->own );
    return MeetingLanes( tree, walk ) & __ballot_sync( CLT_ALL_LANES, isAhead );
}

/// Goes to the first remaining child of the current block.
static __device__ void GoDown( Walk* walk, uint32_t remaining )
{
    walk->remaining = threadIdx.x == walk->level ? remaining & ( remaining - 1u ) : walk->remaining;
    walk->block = walk->block * CLT_WARP_SIZE + (uint32_t)__ffs( (int)remaining ) - 1u;
    --walk->level;
}

/// Cursor: goes to the next block of level 0. False at the end.
static __device__ bool NextBlock( Walk* walk, const cltWarpTree* tree )
{
    while ( walk->level <= walk->end )
    {
        const uint32_t remaining = __shfl_sync( CLT_ALL_LANES, walk->remaining, (int)walk->level );
        if ( remaining == 0 )
        {
            ++walk->level;
            walk->block /= CLT_WARP_SIZE;
            continue;
        }
        GoDown( walk, remaining );
        if ( walk->level == 0 )
        {
            return true;
        }
        const uint32_t children = ChildrenAhead( tree, walk );
        walk->remaining = threadIdx.x == walk->level ? children : walk->remaining;
    }
    return false;
}

/// Appends the current block's leaves that meet the bounds. Returns the length of the list.
template <typename Leaf>
static __device__ uint32_t ListLeaves( const cltWarpTree* tree, const Walk* walk, ListedLeaves<Leaf>* candidates,
                                       uint32_t listedCount )
{
    const uint32_t lanes = MeetingLanes( tree, walk );
    const uint32_t own = 1u << threadIdx.x;
    if ( ( lanes & own ) != 0 )
    {
        const uint32_t place = listedCount + (uint32_t)__popc( lanes & ( own - 1u ) );
        candidates->listed[place] = walk->block * CLT_WARP_SIZE + threadIdx.x;
    }
    return listedCount + (uint32_t)__popc( lanes );
}

/// A mask of the changes (gpu/core/pair_change.h) that may be reported.
static __device__ uint32_t WantedChanges( const BlockSearch* search )
{
    uint32_t wanted = 0;
    for ( uint32_t change = CLT_PAIR_NOTHING; change <= CLT_PAIR_KEPT; ++change )
    {
        const bool isWanted = cltPairChange_MayBeReported( change, search->find, &search->leaves.filters );
        wanted |= (uint32_t)isWanted << change;
    }
    return wanted;
}

static __device__ uint32_t ChangeOf( const cltLeaf* a, const cltLeaf* b )
{
    return cltLeaf_Change( a, b );
}

static __device__ uint32_t ChangeOf( const cltLeafD* a, const cltLeafD* b )
{
    return cltLeafD_Change( a, b );
}

template <typename Leaf>
static __device__ uint64_t KeyOf( const BlockSearch* search, const Leaf* a, const Leaf* b )
{
    return cltLeaves_KeyOfChange( &search->leaves, search->find, ChangeOf( a, b ), a->ref, b->ref );
}

/// The lane's own leaf, in registers.
template <typename Leaf>
struct Tester
{
    Leaf leaf;
    uint32_t index;
    uint32_t wanted; ///< changes that may be reported: none if the lane has no leaf or an outlier
};

template <typename Leaf>
static __device__ Tester<Leaf> BeginTests( const BlockSearch* search, uint32_t block )
{
    const Leaf* leaves = (const Leaf*)search->leaves.records;
    Tester<Leaf> tester;
    tester.index = block * CLT_WARP_SIZE + threadIdx.x;
    const bool isLeaf = tester.index < search->tree.leafCount;
    tester.leaf = leaves[isLeaf ? tester.index : 0u];
    tester.wanted = isLeaf && ( tester.leaf.ref & CLT_LEAF_OUTLIER ) == 0 ? WantedChanges( search ) : 0u;
    return tester;
}

/// Returns a mask: bit k is set if the lane's leaf and listed leaf k, for k below `count`, may be a pair to report.
template <typename Leaf>
static __device__ uint32_t HitsAmong( const ListedLeaves<Leaf>* candidates, uint32_t count, const Tester<Leaf>* tester )
{
    uint32_t hits = 0;
    for ( uint32_t k = 0; k < count; ++k )
    {
        const uint32_t change = ChangeOf( &tester->leaf, candidates->leaves + k );
        hits |= ( tester->wanted >> change & 1u ) << k;
    }
    return hits;
}

/// Tests the first `count` listed leaves, at most CLT_WARP_SIZE, and removes them from the list.
template <typename Leaf>
static __device__ void TestListed( const BlockSearch* search, ListedLeaves<Leaf>* candidates, uint32_t count,
                                   const Tester<Leaf>* tester, cltBlockKeys* keys )
{
    uint32_t* listed = candidates->listed;
    __syncthreads(); // the list is complete
    if ( threadIdx.x < count )
    {
        candidates->leaves[threadIdx.x] = ( (const Leaf*)search->leaves.records )[listed[threadIdx.x]];
    }
    __syncthreads();
    for ( uint32_t hits = HitsAmong( candidates, count, tester ); hits != 0; hits &= hits - 1u )
    {
        const uint32_t k = (uint32_t)__ffs( (int)hits ) - 1u;
        if ( listed[k] > tester->index ) // the searching block lists its own leaves too
        {
            cltBlockKeys_Add( keys, &search->sink, KeyOf( search, &tester->leaf, candidates->leaves + k ) );
        }
    }
    __syncthreads(); // the list is read
    listed[threadIdx.x] = listed[threadIdx.x + CLT_WARP_SIZE];
    __syncthreads();
}

template <typename Leaf>
static __device__ void SearchFrom( const BlockSearch* search, uint32_t block, ListedLeaves<Leaf>* candidates,
                                   cltBlockKeys* keys )
{
    const Tester<Leaf> tester = BeginTests<Leaf>( search, block );
    Walk walk = BeginWalk( search, block );
    uint32_t listedCount = 0;
    for ( uint32_t turn = blockIdx.x % search->shareCount; NextBlock( &walk, &search->tree ); ++turn )
    {
        if ( turn % search->shareCount == 0 ) // the other blocks are tested by the warps with the other shares
        {
            listedCount = ListLeaves( &search->tree, &walk, candidates, listedCount );
        }
        if ( listedCount >= CLT_WARP_SIZE )
        {
            TestListed( search, candidates, CLT_WARP_SIZE, &tester, keys );
            listedCount -= CLT_WARP_SIZE;
        }
    }
    TestListed( search, candidates, listedCount, &tester, keys );
}

template <typename Leaf>
static __global__ void FindInBlocksKernel( BlockSearch search )
{
    __shared__ cltBlockKeys keys;
    __shared__ ListedLeaves<Leaf> candidates;
    cltBlockKeys_Begin( &keys );
    search.tree.leafCount = cltPlan_TreeLeafCount( search.plan );
    const uint32_t block = blockIdx.x / search.shareCount;
    if ( block < cltWarpTree_BlockCount( &search.tree, 0 ) )
    {
        SearchFrom( &search, block, &candidates, &keys );
    }
    cltTestOutliers( &search.leaves, search.plan, search.find, &keys, &search.sink );
    cltBlockKeys_End( &keys, &search.sink );
}

cltStatus cltDeviceBlocks_Find( const cltDeviceBlocks* blocks, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    const uint32_t blockCount = cltWarpTree_BlockCount( &blocks->tree, 0 );
    const bool areFew =
        WARPS_PER_SEARCH_IF_FEW * blockCount <= MAX_BLOCKS_PER_MULTIPROCESSOR * search->device->multiprocessorCount;
    const uint32_t shareCount = areFew ? WARPS_PER_SEARCH_IF_FEW : 1u;
    const BlockSearch searching = { blocks->tree, leaves->view, cltDeviceLeaves_Plan( leaves ),
                                    search->find, shareCount,   search->sink };
    return cltLaunchBlocks( search->device, "find in blocks", shareCount * blockCount, CLT_WARP_SIZE,
                            leaves->view.isDouble ? FindInBlocksKernel<cltLeafD> : FindInBlocksKernel<cltLeaf>,
                            searching );
}
