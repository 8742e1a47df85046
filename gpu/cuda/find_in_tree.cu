// SPDX-License-Identifier: Zlib
// Searching the tree. Where much moved, one-sided: a thread a leaf, in the order of the curve, so that the threads of a
// warp are neighbours and mostly walk the same way (Karras, Thinking Parallel, Part II, 2012, measured 0.91 ms without
// that order and 0.43 with it). Where little did, a thread for each leaf that is not still, from the root.

#include "gpu/cuda/searches.cuh"

/// A leaf meets those after it, so that each pair is met once.
static __global__ void FindInTreeKernel( cltTree tree, cltLeaves leaves, const cltPlan* plan, cltFind find,
                                         cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint32_t i = cltThreadIndex();
    tree.leafCount = plan->searchableCount;
    if ( i < tree.leafCount )
    {
        cltTreeWalk walk = cltTreeWalk_FromLeaf( &tree, i );
        for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, &tree ) ) != CLT_ROPE_END; )
        {
            cltBlockKeys_Add( &block, &sink, cltLeaves_Key( &leaves, find, i, j ) );
        }
    }
    cltBlockKeys_End( &block, &sink );
}

/// A leaf that is not still meets all leaves, itself among them.
static __global__ void FindFromMoversKernel( cltTree tree, cltLeaves leaves, const cltPlan* plan,
                                             const uint32_t* movers, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint32_t m = cltThreadIndex();
    tree.leafCount = plan->searchableCount;
    if ( m < plan->moverCount )
    {
        const uint32_t i = movers[m];
        cltTreeWalk walk = cltTreeWalk_FromRoot( &tree, i );
        for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, &tree ) ) != CLT_ROPE_END; )
        {
            cltBlockKeys_Add( &block, &sink, cltLeaves_MoverKey( &leaves, i, j ) );
        }
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    const cltTree view = cltDeviceTree_View( tree, leaves );
    const cltPlan* plan = cltDeviceLeaves_Plan( leaves );
    if ( search->find == clt_findChanges && tree->moverRoom > 0 )
    {
        CLT_TRY( cltLaunch( search->device, "find from movers", tree->moverRoom, FindFromMoversKernel, view,
                            leaves->view, plan, (const uint32_t*)tree->movers.data, search->sink ) );
    }
    else
    {
        CLT_TRY( cltLaunch( search->device, "find in tree", leaves->room, FindInTreeKernel, view, leaves->view, plan,
                            search->find, search->sink ) );
    }
    return cltDevice_FindOutliers( search, NULL );
}
