// SPDX-License-Identifier: Zlib
// Tests the outliers of the grid or of the level tree against all leaves and against each other: each thread tests one
// leaf against all outliers. All threads of a warp read the same outlier at once, so one access serves all of them.

#include "gpu/cuda/searches.cuh"

/// Does nothing if outliers overflowed the plan's list: the host then repeats the update.
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
