// SPDX-License-Identifier: Zlib
/// \file device_leaves.cuh
/// All leaves of an update on the device, in the order of the curve, with their boxes beside them: what every search
/// reads. The same leaves in the same order as gpu/host/reference/leaves.c makes them.
#ifndef CLT_CUDA_DEVICE_LEAVES_CUH
#define CLT_CUDA_DEVICE_LEAVES_CUH

#include "gpu/cuda/scene_statistics.cuh"

typedef struct cltDeviceLeaves
{
    cltDeviceStatistics statistics;
    cltCudaBuffer keys; ///< sorted: curve code above, reference below
    cltCudaBuffer spare;
    cltCudaBuffer scratch;
    cltCudaBuffer refs;
    cltCudaBuffer now;
    cltCudaBuffer before;
    uint32_t room;      ///< leaves that there is room for
    uint32_t extraRoom; ///< of these, beyond one a slot: bodies that jump have two
    cltLeaves view;     ///< of the buffers above; kernels find the count in the plan
} cltDeviceLeaves;

/// Makes the leaves of all slots, as many as there is room for. `view.filters` and `slotBits` are
/// set by the caller beforehand.
cltStatus cltDeviceLeaves_Make( cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Takes note of how many leaves there were. True if they did not fit, so that they must be made again.
bool cltDeviceLeaves_Learn( cltDeviceLeaves* leaves, const cltPlan* plan, uint32_t slotCount );

static inline cltPlan* cltDeviceLeaves_Plan( const cltDeviceLeaves* leaves )
{
    return (cltPlan*)leaves->statistics.plan.data;
}

void cltDeviceLeaves_Release( cltDeviceLeaves* leaves, cltCudaDevice* device );

#endif
