// SPDX-License-Identifier: Zlib
// Building the tree in one pass: every leaf climbs, and at each node the second child to arrive goes on. One leaf a node
// at the bottom, not blocks of sixteen as on the host: here it is threads that are many, not lanes.

#include "gpu/cuda/searches.cuh"

/// Bodies for each one that changed, from which on those that changed walk alone. From the root they meet everything
/// around them: a walk reads 46 nodes where one from a leaf's rope reads 36 (a million bodies with three pairs each, counted
/// on a processor). The rest is left for walks of leaves that are no neighbours. Not measured.
#define FEW_MOVERS_RATIO 2u

/// Who writes and who reads what, and why that is safe: a node is written by one thread, the second of its children's.
/// Its box and filter are read by the thread that joins it with its sibling. The two meet in cltMeet, which publishes what
/// was written before and shows what the other published, so that the later one sees what the earlier wrote, at any
/// distance on the device. The search is another kernel and comes after all of this in the stream.
static __global__ void ClimbKernel( cltTree tree, cltLeaves leaves, cltPlan* plan, uint32_t* movers )
{
    const uint32_t i = cltThreadIndex();
    tree.leafCount = plan->searchableCount;
    if ( i >= tree.leafCount )
    {
        return;
    }
    if ( movers != NULL && cltLeafRef_Kind( leaves.refs[i] ) != CLT_LEAF_STILL )
    {
        movers[atomicAdd( &plan->moverCount, 1u )] = i;
    }
    if ( tree.filters != NULL )
    {
        tree.filters[cltTree_NodeOfLeaf( &tree, i )] = cltLeaves_Filter( &leaves, i );
    }
    const cltAabb box = cltLeaves_Cover( &leaves, i );
    cltTree_ClimbStep( &tree, i, &box );
}

static cltStatus ReserveTree( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves )
{
    const size_t nodeCount = 2u * (size_t)leaves->room;
    CLT_TRY( cltCudaBuffer_Reserve( &tree->nodes, device, nodeCount, sizeof( cltNode ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &tree->meetings, device, leaves->room, sizeof( uint32_t ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &tree->movers, device, tree->moverRoom, sizeof( uint32_t ) ) );
    if ( leaves->view.filters != NULL )
    {
        CLT_TRY( cltCudaBuffer_Reserve( &tree->filters, device, nodeCount, sizeof( cltFilter ) ) );
    }
    return clt_ok;
}

cltStatus cltDeviceTree_Build( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                               uint32_t slotCount, uint32_t changedCount )
{
    tree->moverRoom = changedCount < slotCount / FEW_MOVERS_RATIO ? 2u * changedCount : 0u; // one that jumped has two
    CLT_TRY( ReserveTree( tree, device, leaves ) );
    CLT_TRY( cltCudaFill( device, tree->meetings.data, 0xff, leaves->room * sizeof( uint32_t ) ) ); // CLT_ROPE_END
    return cltLaunch( device, "climb", leaves->room, ClimbKernel, cltDeviceTree_View( tree, leaves ), leaves->view,
                      cltDeviceLeaves_Plan( leaves ),
                      tree->moverRoom > 0 ? (uint32_t*)tree->movers.data : (uint32_t*)NULL );
}

void cltDeviceTree_Release( cltDeviceTree* tree, cltCudaDevice* device )
{
    cltCudaBuffer_Release( &tree->nodes, device );
    cltCudaBuffer_Release( &tree->meetings, device );
    cltCudaBuffer_Release( &tree->filters, device );
    cltCudaBuffer_Release( &tree->movers, device );
}
