// SPDX-License-Identifier: Zlib
/// \file device_slots.cuh
/// The proxies' boxes and filters on the device, by slot: as they are now and as of the last committed update. Only
/// what changed crosses the bus.
#ifndef CLT_CUDA_DEVICE_SLOTS_CUH
#define CLT_CUDA_DEVICE_SLOTS_CUH

#include "gpu/core/leaf.h"
#include "gpu/cuda/plan.cuh"
#include "gpu/cuda/staging.cuh"

typedef struct cltDeviceSlots
{
    bool isDouble;
    bool hasFilters;
    bool allFiltersAccept; ///< by the filters, now or before
    cltCudaBuffer now;     ///< cltAabb or cltAabbD, as all boxes here
    cltCudaBuffer before;
    cltCudaBuffer filtersNow;
    cltCudaBuffer filtersBefore;
    cltCudaBuffer states; ///< uint8_t, CLT_SLOT_* bits of what was uploaded since the last commit
    cltStaging staging;   ///< what was uploaded, until the commit
    uint32_t count;       ///< slots that the buffers know
} cltDeviceSlots;

/// Takes the changed slots across and marks them, and begins the plan, if there is one. Repeating it is harmless.
cltStatus cltDeviceSlots_Upload( cltDeviceSlots* slots, cltCudaDevice* device, cltWorkerPool* pool,
                                 const cltUpload* upload, cltPlan* plan );

/// Makes what was uploaded the previous boxes and filters, and clears the marks.
cltStatus cltDeviceSlots_Commit( const cltDeviceSlots* slots, cltCudaDevice* device );

/// For the steps: what changed since the last commit, or, if `committedOnly`, the world as of that commit.
cltSlots cltDeviceSlots_View( const cltDeviceSlots* slots, bool committedOnly );

#endif
