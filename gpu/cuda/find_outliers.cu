// SPDX-License-Identifier: Zlib
// The search for pairs of outliers as a launch of its own, for the grid and the level tree.

#include "gpu/cuda/find_outliers.cuh"

#include "gpu/cuda/searches.cuh"

static __global__ void FindOutliersKernel( cltLeaves leaves, const cltPlan* plan, cltFind find, cltKeySink sink )
{
    __shared__ cltBlockKeys block;
    cltBlockKeys_Begin( &block );
    cltTestOutliers( &leaves, plan, find, &block, &sink );
    cltBlockKeys_End( &block, &sink );
}

cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search )
{
    return cltLaunch( search->device, "find outliers", search->leaves->room, FindOutliersKernel, search->leaves->view,
                      (const cltPlan*)cltDeviceLeaves_Plan( search->leaves ), search->find, search->sink );
}
