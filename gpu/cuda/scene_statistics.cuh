// SPDX-License-Identifier: Zlib
/// \file scene_statistics.cuh
/// Scene statistics (gpu/core/scene_statistics.h) on the device: two kernels over what a loop does on the host.
#ifndef CLT_CUDA_SCENE_STATISTICS_CUH
#define CLT_CUDA_SCENE_STATISTICS_CUH

#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/plan.cuh"

/// Leaves of each size, added to by many threads at once: bounds as numbers that order as the floats do
/// (gpu/core/bits.h), sums of edges in two halves of a word each, for which there are fast atomics.
typedef struct cltBins
{
    uint32_t counts[CLT_SIZE_BIN_COUNT];
    uint32_t lower[3][CLT_SIZE_BIN_COUNT];
    uint32_t upper[3][CLT_SIZE_BIN_COUNT];
    unsigned long long edgeUnits[CLT_SIZE_BIN_COUNT];
} cltBins;

typedef struct cltDeviceStatistics
{
    cltCudaBuffer bins;       ///< one cltBins
    cltCudaBuffer leafCounts; ///< uint32_t, leaves of each slot
    cltCudaBuffer plan;       ///< one cltPlan
} cltDeviceStatistics;

/// A thread a bin, and a thread a sample.
#define CLT_BIN_THREADS CLT_SIZE_BIN_COUNT

/// Fills the plan's part about leaves, and the leaves of each slot.
/// \param leafRoom  leaves that there is room for
cltStatus cltDeviceStatistics_Gather( cltDeviceStatistics* statistics, cltCudaDevice* device, const cltSlots* slots,
                                      uint32_t leafRoom );

/// The second half of it (decide.cu): makes the plan of what was counted.
cltStatus cltDeviceStatistics_Decide( cltCudaDevice* device, const cltSlots* slots, const cltBins* bins, cltPlan* plan,
                                      uint32_t leafRoom );

void cltDeviceStatistics_Release( cltDeviceStatistics* statistics, cltCudaDevice* device );

#endif
