// SPDX-License-Identifier: Zlib
// Searching the tree. Where much moved, one-sided: a thread a leaf, in the order of the curve, so that the threads of a
// warp are neighbours and mostly walk the same way (Karras, Thinking Parallel, Part II, 2012, measured 0.91 ms without
// that order and 0.43 with it). Where little did, a thread for each leaf that is not still, from the root.

#include "gpu/cuda/searches.cuh"

/// Outliers, of which the tree has no box: a thread takes leaves through all of them. They are the same for all threads
/// of a warp, so that reading them costs as if there were one thread.
static __device__ void MeetOutliers( const cltLeaves* leaves, const cltPlan* plan, cltFind find, cltBlockKeys* block,
                                     const cltKeySink* sink )
{
    for ( uint32_t a = 0; a < plan->outlierCount; ++a )
    {
        for ( uint32_t j = cltThreadIndex(); j < plan->leafCount; j += gridDim.x * blockDim.x )
        {
            cltBlockKeys_Add( block, sink, cltLeaves_OutlierKey( leaves, find, plan->outliers[a], j ) );
        }
    }
}

/// A leaf meets those after it, so that each pair is met once; one of the movers meets all leaves, itself among them.
template <bool fromMovers>
static __device__ void Walk( const cltTree* tree, const cltLeaves* leaves, cltFind find, uint32_t i,
                             cltBlockKeys* block, const cltKeySink* sink )
{
    cltTreeWalk walk = fromMovers ? cltTreeWalk_FromRoot( tree, i ) : cltTreeWalk_FromLeaf( tree, i );
    for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, tree ) ) != CLT_ROPE_END; )
    {
        if ( !cltLeaves_IsOutlier( leaves, j ) ) // else only in passing
        {
            cltBlockKeys_Add( block, sink,
                              fromMovers ? cltLeaves_MoverKey( leaves, i, j ) : cltLeaves_Key( leaves, find, i, j ) );
        }
    }
}

template <bool fromMovers>
static __global__ void FindInTreeKernel( cltTree tree, cltLeaves leaves, const cltPlan* plan, cltFind find,
                                         const uint32_t* movers, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint32_t thread = cltThreadIndex();
    tree.leafCount = cltPlan_TreeLeafCount( plan );
    if ( thread < ( fromMovers ? plan->moverCount : tree.leafCount ) )
    {
        const uint32_t i = fromMovers ? movers[thread] : thread;
        if ( fromMovers || !cltLeaves_IsOutlier( &leaves, i ) )
        {
            Walk<fromMovers>( &tree, &leaves, find, i, &block, &sink );
        }
    }
    if ( plan->outlierCount <= CLT_OUTLIER_ROOM )
    {
        MeetOutliers( &leaves, plan, find, &block, &sink );
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    const bool fromMovers = search->find == clt_findChanges && tree->moverRoom > 0;
    return cltLaunch( search->device, fromMovers ? "find from movers" : "find in tree",
                      fromMovers ? tree->moverRoom : leaves->room,
                      fromMovers ? FindInTreeKernel<true> : FindInTreeKernel<false>, cltDeviceTree_View( tree, leaves ),
                      leaves->view, (const cltPlan*)cltDeviceLeaves_Plan( leaves ), search->find,
                      (const uint32_t*)tree->movers.data, search->sink );
}
