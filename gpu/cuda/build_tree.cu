// SPDX-License-Identifier: Zlib
// Building the tree in one pass: every leaf climbs, and at each node the second child to arrive goes on.

#include "gpu/cuda/searches.cuh"

/// Lists leaf i if it is one of the movers.
static __device__ void NoteMover( const cltLeaves* leaves, cltPlan* plan, uint32_t i, uint32_t* movers )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    if ( movers != NULL && cltLeafRef_Kind( ref ) != CLT_LEAF_STILL && ( ref & CLT_LEAF_OUTLIER ) == 0 )
    {
        movers[atomicAdd( &plan->moverCount, 1u )] = i;
    }
}

/// Leaves of a block are neighbours in the tree, so that most of them meet each other: they do so in the block's own
/// memory, and then who stopped there for want of a sibling, a few for each side of the block, goes on where all meet.
///
/// Who writes and who reads what, and why that is safe: a node is written by one thread, the second of its children's.
/// Its box and filter are read by the thread that joins it with its sibling. The two meet in cltMeet, which publishes
/// what was written before and shows what the other published, so that the later one sees what the earlier wrote, at
/// any distance on the device. Between both climbs of a block is a barrier, which does the same within it, for who goes
/// on from another thread's node. The search is another kernel and comes after all of this in the stream.
static __global__ void ClimbKernel( cltTree tree, cltLeaves leaves, cltPlan* plan, uint32_t* movers )
{
    __shared__ uint32_t places[CLT_BLOCK_SIZE + 1u]; // of the gaps before, between and behind the block's leaves
    const cltMeetings ofBlock = { places, blockIdx.x * CLT_BLOCK_SIZE - 1u, true };
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
        cltTree_PutLeaf( &tree, &leaves, i );
        cltTree_Climb( &tree, &ofBlock, i, i );
    }
    __syncthreads();
    for ( uint32_t place = threadIdx.x; place <= CLT_BLOCK_SIZE; place += CLT_BLOCK_SIZE )
    {
        cltTree_ClimbOn( &tree, &ofBlock, place );
    }
}

static cltStatus ReserveTree( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves )
{
    const size_t nodeCount = 2u * (size_t)leaves->room;
    CLT_TRY( cltCudaBuffer_Reserve( &tree->nodes, device, nodeCount, sizeof( cltNode ) ) );
    // CLT_NO_PARTNER, once: a climb leaves them as it found them
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
    tree->moverRoom =
        changedCount < slotCount / CLT_FEW_MOVERS_RATIO ? 2u * changedCount : 0u; // one that jumped has two
    CLT_TRY( ReserveTree( tree, device, leaves ) );
    return cltLaunch( device, "climb", leaves->room, ClimbKernel, cltDeviceTree_View( tree, leaves ), leaves->view,
                      cltDeviceLeaves_Plan( leaves ),
                      tree->moverRoom > 0 ? (uint32_t*)tree->movers.data : (uint32_t*)NULL );
}
