// SPDX-License-Identifier: Zlib
// Building the tree in one pass: every leaf climbs, and at each node the second child to arrive goes on. One leaf a node
// at the bottom, not blocks of sixteen as on the host: here it is threads that are many, not lanes.

#include "gpu/cuda/searches.cuh"

/// Who writes and who reads what, and why that is safe: a node is written by one thread, the second of its children's.
/// Its boxes are read by the thread that joins it with its sibling. The two meet in cltMeet, which fences on both sides
/// of the exchange, so that the later one sees what the earlier wrote, at any distance on the device. The search is
/// another kernel and comes after all of this in the stream.
static __global__ void ClimbKernel( cltTree tree, cltLeaves leaves, const cltPlan* plan )
{
    const uint32_t i = cltThreadIndex();
    tree.leafCount = plan->searchableCount;
    if ( i < tree.leafCount )
    {
        const cltAabb box = cltLeaves_Cover( &leaves, i );
        cltTree_ClimbStep( &tree, i, &box );
    }
}

cltStatus cltDeviceTree_Build( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves )
{
    CLT_TRY( cltCudaBuffer_Reserve( &tree->nodes, device, 2u * (size_t)leaves->room, sizeof( cltNode ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &tree->meetings, device, leaves->room, sizeof( uint32_t ) ) );
    CLT_TRY( cltCudaFill( device, tree->meetings.data, 0xff, leaves->room * sizeof( uint32_t ) ) ); // CLT_ROPE_END
    const cltTree view = cltDeviceTree_View( tree, leaves );
    return cltLaunch( device, "climb", leaves->room, ClimbKernel, view, leaves->view,
                      (const cltPlan*)cltDeviceLeaves_Plan( leaves ) );
}

void cltDeviceTree_Release( cltDeviceTree* tree, cltCudaDevice* device )
{
    cltCudaBuffer_Release( &tree->nodes, device );
    cltCudaBuffer_Release( &tree->meetings, device );
}
