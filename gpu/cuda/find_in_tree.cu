// SPDX-License-Identifier: Zlib
// Searching the tree, one-sided: a thread a leaf, in the order of the curve, so that the threads of a warp are neighbours
// and mostly walk the same way (Karras, Thinking Parallel, Part II, 2012, measured 0.91 ms without that order and 0.43
// with it).

#include "gpu/cuda/searches.cuh"

static __global__ void FindInTreeKernel( cltTree tree, cltLeaves leaves, const cltPlan* plan, cltFind find,
                                         cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    const uint32_t i = cltThreadIndex();
    tree.leafCount = plan->searchableCount;
    if ( i < tree.leafCount )
    {
        const cltNode* start = tree.nodes + cltTree_NodeOfLeaf( &tree, i );
        const cltAabb box = start->box;
        uint32_t node = start->rope;
        while ( ( node = cltTree_NextOverlap( &tree, node, &box ) ) != CLT_ROPE_END )
        {
            const uint64_t key = cltLeaves_Key( &leaves, find, i, cltTree_LeafOfNode( &tree, node ) );
            if ( key != CLT_NO_KEY )
            {
                cltBlockKeys_Add( &block, &sink, key );
            }
            node = tree.nodes[node].rope;
        }
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search )
{
    const cltDeviceLeaves* leaves = search->leaves;
    const cltTree view = cltDeviceTree_View( tree, leaves );
    CLT_TRY( cltLaunch( search->device, "find in tree", leaves->room, FindInTreeKernel, view, leaves->view,
                        (const cltPlan*)cltDeviceLeaves_Plan( leaves ), search->find, search->sink ) );
    return cltDevice_FindAside( search, NULL );
}
