// SPDX-License-Identifier: Zlib
// Builds the tree in one pass: every leaf climbs, and at each node the second child to arrive continues.

#include "gpu/cuda/searches.cuh"

/// Appends leaf i to the list of movers if it moved and is not an outlier.
static __device__ void NoteMover( const cltLeaves* leaves, cltPlan* plan, uint32_t i, uint32_t* movers )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    if ( movers != NULL && cltLeafRef_Kind( ref ) != CLT_LEAF_STILL && ( ref & CLT_LEAF_OUTLIER ) == 0 )
    {
        movers[atomicAdd( &plan->moverCount, 1u )] = i;
    }
}

/// Builds the tree: each thread climbs from its leaf. Leaves of a block are neighbours in the tree, so the threads that
/// climb to two siblings are mostly in one block and meet in shared memory. If a node's sibling has leaves of another
/// block, the climb continues in global memory; there are a few such climbs at each end of a block.
///
/// Memory ordering: each node is written by one thread, the second to arrive from its children. The node's box and
/// filter are read by the thread that joins the node with its sibling. Both threads call cltExchangeWithPartner, which
/// releases earlier writes and acquires those of the other thread, at device scope. A barrier separates and orders the
/// climbs in shared memory and those in global memory. The search is a later kernel in the same stream.
static __global__ void ClimbKernel( cltTree tree, cltLeaves leaves, cltPlan* plan, uint32_t* movers )
{
    __shared__ uint32_t places[CLT_BLOCK_SIZE + 1u]; // for the gaps between leaves of the block, and one at each end
    const cltExchangeLocations ofBlock = { places, blockIdx.x * CLT_BLOCK_SIZE - 1u, true };
    for ( uint32_t place = threadIdx.x; place <= CLT_BLOCK_SIZE; place += CLT_BLOCK_SIZE )
    {
        places[place] = CLT_NO_PARTNER;
    }
    __syncthreads();
    const uint32_t i = cltThreadIndex();
    tree.leafCount = cltPlan_TreeLeafCount( plan );
    if ( i < tree.leafCount )
    {
        NoteMover( &leaves, plan, i, movers );
        cltTree_WriteLeaf( &tree, &leaves, i );
        cltTree_Climb( &tree, &ofBlock, i, i );
    }
    __syncthreads();
    for ( uint32_t place = threadIdx.x; place <= CLT_BLOCK_SIZE; place += CLT_BLOCK_SIZE )
    {
        cltTree_ContinueClimb( &tree, &ofBlock, place );
    }
}

static cltStatus ReserveTree( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves )
{
    const size_t nodeCount = 2u * (size_t)leaves->room;
    CLT_TRY( cltCudaBuffer_Reserve( &tree->nodes, device, nodeCount, sizeof( cltNode ) ) );
    // Filled once, because a build leaves the array as it was.
    CLT_TRY( cltCudaBuffer_ReserveFilled( &tree->meetings, device, leaves->room, sizeof( uint32_t ), 0xff ) );
    CLT_TRY( cltCudaBuffer_Reserve( &tree->movers, device, tree->moverRoom, sizeof( uint32_t ) ) );
    if ( leaves->view.filters.now != NULL )
    {
        CLT_TRY( cltCudaBuffer_Reserve( &tree->filters, device, nodeCount, sizeof( cltFilter ) ) );
    }
    return clt_ok;
}

cltStatus cltDeviceTree_Build( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                               uint32_t slotCount, uint32_t changedCount )
{
    tree->moverRoom = changedCount < slotCount / CLT_FEW_MOVERS_RATIO ? 2u * changedCount
                                                                      : 0u; // a large displacement makes two leaves
    CLT_TRY( ReserveTree( tree, device, leaves ) );
    return cltLaunch( device, "climb", leaves->room, ClimbKernel, cltDeviceTree_View( tree, leaves ), leaves->view,
                      cltDeviceLeaves_Plan( leaves ),
                      tree->moverRoom > 0 ? (uint32_t*)tree->movers.data : (uint32_t*)NULL );
}
