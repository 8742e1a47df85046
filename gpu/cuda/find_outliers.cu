// SPDX-License-Identifier: Zlib
// Outliers of the grid or of the level tree, against everything and against each other: a thread takes one leaf through
// all of them. They are the same for all threads of a warp, so that reading them costs as if there were one thread.

#include "gpu/cuda/searches.cuh"

/// None where all will be done again.
static __global__ void FindOutliersKernel( cltLeaves leaves, const cltPlan* plan, cltFind find, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    leaves.count = plan->leafCount;
    const uint32_t j = cltThreadIndex();
    const uint32_t outlierCount = plan->outlierCount > CLT_OUTLIER_ROOM ? 0u : plan->outlierCount;
    for ( uint32_t a = 0; a < outlierCount && j < leaves.count; ++a )
    {
        cltBlockKeys_Add( &block, &sink, cltLeaves_OutlierKey( &leaves, find, plan->outliers[a], j ) );
    }
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search )
{
    return cltLaunch( search->device, "find outliers", search->leaves->room, FindOutliersKernel, search->leaves->view,
                      (const cltPlan*)cltDeviceLeaves_Plan( search->leaves ), search->find, search->sink );
}
