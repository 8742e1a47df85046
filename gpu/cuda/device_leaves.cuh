// SPDX-License-Identifier: Zlib
/// \file device_leaves.cuh
/// All leaves of an update on the device, in the order of the curve, with their boxes beside them: what every search
/// reads. The same leaves in the same order as gpu/host/reference/leaves.c makes them, from the same scene statistics
/// (gpu/core/scene_statistics.h), which are two kernels here.
#ifndef CLT_CUDA_DEVICE_LEAVES_CUH
#define CLT_CUDA_DEVICE_LEAVES_CUH

#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/plan.cuh"

/// A thread a bin of sizes, and a thread a sample.
#define CLT_BIN_THREADS CLT_SIZE_BIN_COUNT

/// Leaves of each size, added to by many threads at once. All zero: none was counted yet.
typedef struct cltBins
{
    unsigned long long edgeUnits[CLT_SIZE_BIN_COUNT];
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t reaches[6][CLT_SIZE_BIN_COUNT]; ///< each way, the largest cltReach of a centre
} cltBins;

/// How far a leaf's centre reaches along an axis (ways 0 to 2) or against it (3 to 5), as a number that orders as the
/// float does (gpu/core/bits.h) and is above 0.
static __device__ inline uint32_t cltReach( const cltAabb* box, int way )
{
    const float center = cltAabb_Center( box, way % 3 );
    return cltOrderOfFloat( way < 3 ? center : -center );
}

typedef struct cltDeviceLeaves
{
    cltCudaBuffer bins;   ///< one cltBins
    cltCudaBuffer plan;   ///< one cltPlan
    cltCudaBuffer starts; ///< uint32_t, by slot: how many leaves it gives, then where they go
    cltCudaBuffer keys;   ///< sorted: curve code above, reference below
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

/// The first part of that: fills `bins`, and `starts` with how many leaves each slot gives.
cltStatus cltDeviceLeaves_Count( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// The second part: makes the plan of what was counted.
cltStatus cltDeviceLeaves_Decide( const cltDeviceLeaves* leaves, cltCudaDevice* device, const cltSlots* slots );

/// Takes note of how many leaves there were. True if they did not fit, so that they must be made again.
bool cltDeviceLeaves_Learn( cltDeviceLeaves* leaves, const cltPlan* plan, uint32_t slotCount );

static inline cltPlan* cltDeviceLeaves_Plan( const cltDeviceLeaves* leaves )
{
    return (cltPlan*)leaves->plan.data;
}

#endif
