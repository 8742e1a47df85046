// SPDX-License-Identifier: Zlib
/// \file find_outliers.cuh
/// Tests the outliers, which no search structure holds, against all leaves and against each other.
#ifndef CLT_CUDA_FIND_OUTLIERS_CUH
#define CLT_CUDA_FIND_OUTLIERS_CUH

#include "gpu/cuda/key_sink.cuh"
#include "gpu/cuda/plan.cuh"

#include "gpu/core/leaf.h"

/// Each thread tests its leaves against all outliers. All threads of a warp read the same outlier at once, so one
/// access serves all of them. Does nothing if there are more outliers than fit: the host then repeats the update.
static __device__ inline void cltTestOutliers( const cltLeaves* leaves, const cltPlan* plan, cltFind find,
                                               cltBlockKeys* keys, const cltKeySink* sink )
{
    const uint32_t outlierCount = plan->outlierCount > CLT_OUTLIER_CAPACITY ? 0u : plan->outlierCount;
    for ( uint32_t a = 0; a < outlierCount; ++a )
    {
        for ( uint32_t j = cltThreadIndex(); j < plan->leafCount; j += gridDim.x * blockDim.x )
        {
            cltBlockKeys_Add( keys, sink, cltLeaves_OutlierKey( leaves, find, plan->outliers[a], j ) );
        }
    }
}

#endif
