// SPDX-License-Identifier: Zlib
/// \file device_slots.cuh
/// Boxes and filters of all proxies on the device, by slot: the current ones, and the previous ones, which are those of
/// the last commit. Only changed slots cross the bus.
#ifndef CLT_CUDA_DEVICE_SLOTS_CUH
#define CLT_CUDA_DEVICE_SLOTS_CUH

#include "gpu/arrays.h"
#include "gpu/core/leaf.h"
#include "gpu/cuda/plan.cuh"
#include "gpu/cuda/staging.cuh"

typedef struct cltDeviceSlots
{
    bool isDouble;
    bool hasFilters;
    bool allFiltersAccept; ///< the current and the previous filters accept all pairs
    cltCudaBuffer now;     ///< cltAabb or cltAabbD
    cltCudaBuffer before;
    cltCudaBuffer filtersNow;
    cltCudaBuffer filtersBefore;
    cltCudaBuffer states; ///< uint8_t, CLT_SLOT_* bits of the slots uploaded since the last commit, or as taken last
    cltStaging staging;   ///< the last upload, until the commit
    uint32_t count;       ///< slots in the buffers
    bool tookFilters;     ///< the last committed update took filters from an array
} cltDeviceSlots;

/// Uploads the changed slots and sets their bits in `states`. Resets the plan unless it is NULL. May be repeated.
cltStatus cltDeviceSlots_Upload( cltDeviceSlots* slots, cltCudaDevice* device, cltWorkerPool* pool,
                                 const cltUpload* upload, cltPlan* plan );

/// Makes the uploaded boxes and filters the previous ones, and clears the slots' bits in `states`.
cltStatus cltDeviceSlots_Commit( const cltDeviceSlots* slots, cltCudaDevice* device );

/// In place of an upload and its commit, for boxes in device memory: Take reads the arrays, marks changed slots in
/// `states` and counts those that appeared, and resets the rest of the plan. May be repeated.
cltStatus cltDeviceSlots_Take( cltDeviceSlots* slots, cltCudaDevice* device, const cltArrayInput* input,
                               cltPlan* plan );
void cltDeviceSlots_CommitTaken( cltDeviceSlots* slots, bool hasFilters );

/// A view for kernels: with the uploaded changes or, if `committedOnly`, as of the last commit.
cltSlots cltDeviceSlots_View( const cltDeviceSlots* slots, bool committedOnly );

#endif
