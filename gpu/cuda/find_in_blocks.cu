// SPDX-License-Identifier: Zlib
// Searches the tree of blocks with a warp for each block of 32 leaves. The lanes test 32 children at once against the
// block's bounds, and a ballot decides where the walk continues. If the walk reaches a block of leaves, its leaves are
// tested against the same bounds. Leaves that meet the bounds, some three a block, are listed, and each lane tests its
// own leaf against the listed leaves.
//
// If all bodies move, the search takes 22 us for 10,000 bodies, 53 for 100,000 and 278 for a million. The search of the
// binary tree by a thread for each leaf takes 71, 119 and 589 (H200, with leaves tested one at a time). Testing four at
// a time, without divisions, took 24,000 instead of 39,000 cycles for 10,000 bodies in a simulator's model. In a
// prototype, prefetching the next block gained nothing, nor did bounds of half blocks.

#include "gpu/cuda/block_walk.cuh"
#include "gpu/cuda/find_outliers.cuh"
#include "gpu/cuda/searches.cuh"

/// 2^2 warps share the search from a block, each testing every fourth block reached, if all warps fit on the device at
/// once. The prototype took 10 us instead of 16 for 10,000 bodies, but 33 instead of 31 for 100,000.
#define SHARE_BITS_IF_FEW 2u

/// The number of thread blocks, each of one warp, that a multiprocessor runs at once for float boxes. Its registers are
/// the limit (see the table in cuda_backend.cuh); for double boxes there are fewer.
#define MAX_BLOCKS_PER_MULTIPROCESSOR 28u

/// Arguments of the kernel.
typedef struct BlockSearch
{
    cltWarpTree tree;
    cltLeaves leaves;
    const cltPlan* plan;
    cltFind find;
    uint32_t shareBits; ///< 2^shareBits warps share the search from a block
    cltKeySink sink;
} BlockSearch;

/// Whether the calling warp does part `i` of a search.
static __device__ bool IsInShare( const BlockSearch* search, uint32_t i )
{
    return ( ( i ^ blockIdx.x ) & ( ( 1u << search->shareBits ) - 1u ) ) == 0;
}

/// In shared memory: the leaves that the lanes test.
template <typename Leaf>
struct ListedLeaves
{
    uint32_t listed[2u * CLT_WARP_SIZE]; ///< at most CLT_WARP_SIZE before a block's leaves are appended
    Leaf leaves[CLT_WARP_SIZE];          ///< copies of the first CLT_WARP_SIZE listed leaves
};

/// The warps that share a search visit the blocks of level 0 in turns. Returns those of `blocks` that this warp visits.
/// \param passedCount  blocks passed before, to which `blocks` are added; balances the work of the warps
static __device__ uint32_t BlocksOfShare( const BlockSearch* search, uint32_t blocks, uint32_t* passedCount )
{
    const uint32_t turn = *passedCount + (uint32_t)__popc( blocks & ( ( 1u << threadIdx.x ) - 1u ) );
    *passedCount += (uint32_t)__popc( blocks );
    return blocks & __ballot_sync( CLT_ALL_LANES, IsInShare( search, turn ) );
}

/// Appends leaves of a block to the list. Returns the length of the list.
template <typename Leaf>
static __device__ uint32_t ListLeaves( ListedLeaves<Leaf>* candidates, uint32_t listedCount, uint32_t block,
                                       uint32_t lanes )
{
    const uint32_t laneBit = 1u << threadIdx.x;
    if ( ( lanes & laneBit ) != 0 )
    {
        const uint32_t place = listedCount + (uint32_t)__popc( lanes & ( laneBit - 1u ) );
        candidates->listed[place] = block * CLT_WARP_SIZE + threadIdx.x;
    }
    return listedCount + (uint32_t)__popc( lanes );
}

/// The lane's own leaf, in registers.
template <typename Leaf>
struct OwnLeaf
{
    Leaf leaf;
    uint32_t index;
    bool isTested; ///< false if the lane has no leaf or an outlier
};

template <typename Leaf>
static __device__ OwnLeaf<Leaf> LoadOwnLeaf( const BlockSearch* search, uint32_t block )
{
    const Leaf* leaves = (const Leaf*)search->leaves.records;
    OwnLeaf<Leaf> own;
    own.index = block * CLT_WARP_SIZE + threadIdx.x;
    const bool isLeaf = own.index < search->tree.leafCount;
    own.leaf = leaves[isLeaf ? own.index : 0u];
    own.isTested = isLeaf && ( own.leaf.ref & CLT_LEAF_OUTLIER ) == 0;
    return own;
}

static __device__ bool OverlapsOnAxis( const cltAabb* a, const cltAabb* b, int axis )
{
    return cltAabb_OverlapsOnAxis( a, b, axis );
}

static __device__ bool OverlapsOnAxis( const cltAabbD* a, const cltAabbD* b, int axis )
{
    return cltAabbD_OverlapsOnAxis( a, b, axis );
}

/// Masks of listed leaves that a leaf overlapped and overlaps.
typedef struct Overlaps
{
    uint32_t before;
    uint32_t now;
} Overlaps;

/// Tests a leaf against four leaves. Their comparisons alternate, so that none waits for the one before.
template <typename Leaf>
static __device__ Overlaps OverlapsOfFour( const Leaf* leaf, const Leaf* listed )
{
    const Leaf leaves[4] = { listed[0], listed[1], listed[2], listed[3] }; // loaded before the first test
    bool before[4] = { true, true, true, true };
    bool now[4] = { true, true, true, true };
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( uint32_t k = 0; k < 4u; ++k )
        {
            before[k] &= OverlapsOnAxis( &leaf->before, &leaves[k].before, axis );
            now[k] &= OverlapsOnAxis( &leaf->now, &leaves[k].now, axis );
        }
    }
    Overlaps overlaps = { 0, 0 };
    for ( uint32_t k = 0; k < 4u; ++k )
    {
        overlaps.before |= (uint32_t)before[k] << k;
        overlaps.now |= (uint32_t)now[k] << k;
    }
    return overlaps;
}

/// Tests a leaf against the first `count` listed leaves. The last tests may read leaves behind these and ignore them.
template <typename Leaf>
static __device__ Overlaps OverlapsAmong( const Leaf* leaf, const Leaf* listed, uint32_t count )
{
    const uint32_t isListed = count < CLT_WARP_SIZE ? ( 1u << count ) - 1u : CLT_ALL_LANES;
    Overlaps overlaps = { 0, 0 };
    for ( uint32_t first = 0; first < count; first += 4u )
    {
        const Overlaps some = OverlapsOfFour( leaf, listed + first );
        overlaps.before |= some.before << first;
        overlaps.now |= some.now << first;
    }
    overlaps.before &= isListed;
    overlaps.now &= isListed;
    return overlaps;
}

/// Tests the first `count` listed leaves, at most CLT_WARP_SIZE, and removes them from the list.
template <typename Leaf>
static __device__ void TestListed( const BlockSearch* search, ListedLeaves<Leaf>* candidates, uint32_t count,
                                   const OwnLeaf<Leaf>* own, cltBlockKeys* keys )
{
    uint32_t* listed = candidates->listed;
    __syncthreads(); // the list is complete
    if ( threadIdx.x < count )
    {
        candidates->leaves[threadIdx.x] = ( (const Leaf*)search->leaves.records )[listed[threadIdx.x]];
    }
    __syncthreads();
    const Overlaps overlaps = OverlapsAmong( &own->leaf, candidates->leaves, count );
    uint32_t hits = cltPairChange_LanesToReport( overlaps.before, overlaps.now, search->find, &search->leaves.filters );
    for ( hits = own->isTested ? hits : 0u; hits != 0; hits &= hits - 1u )
    {
        const uint32_t k = (uint32_t)__ffs( (int)hits ) - 1u;
        if ( listed[k] > own->index ) // of two own leaves, the first reports
        {
            const uint32_t change = cltPairChange( overlaps.before >> k & 1u, overlaps.now >> k & 1u );
            cltBlockKeys_Add( keys, &search->sink,
                              cltLeaves_KeyOfChange( &search->leaves, search->find, change, own->leaf.ref,
                                                     candidates->leaves[k].ref ) );
        }
    }
    __syncthreads(); // the list is read
    listed[threadIdx.x] = listed[threadIdx.x + CLT_WARP_SIZE];
    __syncthreads();
}

template <typename Leaf>
static __device__ void SearchFrom( const BlockSearch* search, uint32_t own, ListedLeaves<Leaf>* candidates,
                                   cltBlockKeys* keys )
{
    const cltWarpTree* tree = &search->tree;
    const OwnLeaf<Leaf> ownLeaf = LoadOwnLeaf<Leaf>( search, own );
    cltBlockWalk walk = cltBlockWalk_Begin( tree, search->find, own );
    // own leaves are listed without a test of bounds, or not at all if none moves and changes are searched
    const uint32_t lanes =
        walk.stillLanes & __ballot_sync( CLT_ALL_LANES, ownLeaf.isTested && IsInShare( search, threadIdx.x ) );
    uint32_t listedCount = ListLeaves( candidates, 0u, own, lanes );
    uint32_t passedCount = 0;
    for ( uint32_t children; ( children = cltBlockWalk_NextChildren( &walk, tree ) ) != 0; )
    {
        for ( uint32_t blocks = BlocksOfShare( search, children, &passedCount ); blocks != 0; blocks &= blocks - 1u )
        {
            const uint32_t block = walk.block * CLT_WARP_SIZE + (uint32_t)__ffs( (int)blocks ) - 1u;
            listedCount = ListLeaves( candidates, listedCount, block, cltBlockWalk_MeetingLanes( &walk, tree, block ) );
            if ( listedCount >= CLT_WARP_SIZE )
            {
                TestListed( search, candidates, CLT_WARP_SIZE, &ownLeaf, keys );
                listedCount -= CLT_WARP_SIZE;
            }
        }
    }
    TestListed( search, candidates, listedCount, &ownLeaf, keys );
}

template <typename Leaf>
static __global__ void FindInBlocksKernel( BlockSearch search )
{
    __shared__ cltBlockKeys keys;
    __shared__ ListedLeaves<Leaf> candidates;
    cltBlockKeys_Begin( &keys );
    search.tree.leafCount = cltPlan_TreeLeafCount( search.plan );
    const uint32_t block = blockIdx.x >> search.shareBits;
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
        blockCount << SHARE_BITS_IF_FEW <= MAX_BLOCKS_PER_MULTIPROCESSOR * search->device->multiprocessorCount;
    const uint32_t shareBits = areFew ? SHARE_BITS_IF_FEW : 0u;
    const BlockSearch searching = { blocks->tree, leaves->view, cltDeviceLeaves_Plan( leaves ),
                                    search->find, shareBits,    search->sink };
    return cltLaunchBlocks( search->device, "find in blocks", blockCount << shareBits, CLT_WARP_SIZE,
                            leaves->view.isDouble ? FindInBlocksKernel<cltLeafD> : FindInBlocksKernel<cltLeaf>,
                            searching );
}
