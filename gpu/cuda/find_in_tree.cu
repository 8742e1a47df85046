// SPDX-License-Identifier: Zlib
// Searches the tree. If many leaves moved, each thread traverses the tree for one leaf. Threads are in curve order, so
// that the leaves of a warp are neighbours and mostly take the same path (Karras, Thinking Parallel, Part II, 2012,
// measured 0.91 ms without that order and 0.43 ms with it). If few leaves moved, there is one thread per mover, which
// starts at the root.
//
// A traversal only records the leaves that it reaches. After all traversals of a block have ended, its threads test the
// recorded candidates together. So no thread of a warp waits in its traversal while another thread reads a leaf record.

#include "gpu/cuda/find_outliers.cuh"
#include "gpu/cuda/searches.cuh"

/// Candidates that a block can record: 8 per thread.
#define CANDIDATE_CAPACITY ( 8u * CLT_BLOCK_SIZE )

/// The candidates of a block, in shared memory.
typedef struct Candidates
{
    uint64_t
        pairs[CANDIDATE_CAPACITY]; ///< the searching leaf i in the high word, the leaf j that it reached in the low
    uint32_t count;                ///< candidates of the block, including overflow
} Candidates;

/// Arguments of the kernel, except the sink: with it the struct would be too large for nvcc to keep in registers, and
/// the search would take 5 to 18 % longer (H200).
typedef struct Searching
{
    cltTree tree;
    cltLeaves leaves;
    const cltPlan* plan;
    cltFind find;
    const uint32_t* movers;
} Searching;

/// Reports a candidate if it is a pair that the search wants. Outliers are handled by cltTestOutliers.
template <bool fromMovers>
static __device__ void Test( const Searching* search, uint32_t i, uint32_t j, cltBlockKeys* keys,
                             const cltKeySink* sink )
{
    const cltLeaves* leaves = &search->leaves;
    if ( !cltLeaves_IsOutlier( leaves, j ) )
    {
        cltBlockKeys_Add(
            keys, sink, fromMovers ? cltLeaves_MoverKey( leaves, i, j ) : cltLeaves_Key( leaves, search->find, i, j ) );
    }
}

/// Searches from leaf i: the leaves after it, so that each pair is found once, or if `fromMovers` all leaves, including
/// leaf i. A candidate that overflows the list is tested at once.
template <bool fromMovers>
static __device__ void Walk( const Searching* search, uint32_t i, Candidates* candidates, cltBlockKeys* keys,
                             const cltKeySink* sink )
{
    const cltTree* tree = &search->tree;
    cltTreeWalk walk = fromMovers ? cltTreeWalk_FromRoot( tree, i ) : cltTreeWalk_FromLeaf( tree, i );
    for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, tree ) ) != CLT_ROPE_END; )
    {
        const uint32_t place = atomicAdd( &candidates->count, 1u );
        if ( place < CANDIDATE_CAPACITY )
        {
            candidates->pairs[place] = ( (uint64_t)i << 32 ) | j;
        }
        else
        {
            Test<fromMovers>( search, i, j, keys, sink );
        }
    }
}

template <bool fromMovers>
static __device__ void TestCandidates( const Searching* search, const Candidates* candidates, cltBlockKeys* keys,
                                       const cltKeySink* sink )
{
    __syncthreads(); // the list is complete
    const uint32_t count = candidates->count < CANDIDATE_CAPACITY ? candidates->count : CANDIDATE_CAPACITY;
    for ( uint32_t k = threadIdx.x; k < count; k += CLT_BLOCK_SIZE )
    {
        const uint64_t pair = candidates->pairs[k];
        Test<fromMovers>( search, (uint32_t)( pair >> 32 ), (uint32_t)pair, keys, sink );
    }
}

template <bool fromMovers>
static __global__ void FindInTreeKernel( Searching search, cltKeySink sink )
{
    __shared__ cltBlockKeys keys;
    __shared__ Candidates candidates;
    if ( threadIdx.x == 0 )
    {
        candidates.count = 0;
    }
    cltBlockKeys_Begin( &keys );
    const uint32_t thread = cltThreadIndex();
    search.tree.leafCount = cltPlan_TreeLeafCount( search.plan );
    if ( thread < ( fromMovers ? search.plan->moverCount : search.tree.leafCount ) )
    {
        const uint32_t i = fromMovers ? search.movers[thread] : thread;
        if ( fromMovers || !cltLeaves_IsOutlier( &search.leaves, i ) )
        {
            Walk<fromMovers>( &search, i, &candidates, &keys, &sink );
        }
    }
    TestCandidates<fromMovers>( &search, &candidates, &keys, &sink );
    cltTestOutliers( &search.leaves, search.plan, search.find, &keys, &sink );
    cltBlockKeys_End( &keys, &sink );
}

cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    const bool fromMovers = search->find == clt_findChanges && tree->moverRoom > 0;
    const Searching searching = { cltDeviceTree_View( tree, leaves ), leaves->view, cltDeviceLeaves_Plan( leaves ),
                                  search->find, (const uint32_t*)tree->movers.data };
    return cltLaunch( search->device, fromMovers ? "find from movers" : "find in tree",
                      fromMovers ? tree->moverRoom : leaves->room,
                      fromMovers ? FindInTreeKernel<true> : FindInTreeKernel<false>, searching, search->sink );
}
