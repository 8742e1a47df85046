// SPDX-License-Identifier: Zlib
/// \file cuda_backend.cuh
/// All state of one broadphase on a CUDA device.
#ifndef CLT_CUDA_CUDA_BACKEND_CUH
#define CLT_CUDA_CUDA_BACKEND_CUH

#include "gpu/cuda/device_slots.cuh"
#include "gpu/cuda/searches.cuh"

typedef struct cltCudaBackend
{
    cltBackend base;
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltCudaDevice device;
    cltAlgorithm algorithm; ///< that runs here
    const char* reason;     ///< why

    cltDeviceSlots slots;
    uint32_t liveChangeCount; ///< changed slots that still have a proxy: without any, nothing began or ended
    bool filtersChanged;      ///< some filter may differ from the one as of the last committed update

    cltDeviceLeaves leaves;
    cltDeviceTree tree;
    cltDeviceCells cells;
    bool current;       ///< leaves and search structure are those of the last committed update
    bool committedOnly; ///< they were built of the last committed update's boxes alone

    cltCudaBuffer keys; ///< uint64_t, what a search found, in canonical order after it
    cltCudaBuffer spareKeys;
    cltCudaBuffer scratch;
    uint64_t keyCount;
    cltCudaBuffer plan;   ///< pinned: the plan's copy for the host
    cltCudaBuffer result; ///< pinned: the keys' copy for the host
    cltBackendStats stats;
} cltCudaBackend;

/// Leaves and search structure (cuda_search.cu): of what was uploaded, or as of the last commit.
cltStatus cltCudaBackend_Build( cltCudaBackend* cuda, bool committedOnly );

/// Finds the keys, as often as it takes until there is room for all, brings them into canonical order and has them copied
/// to `result`. Waits once, to learn how many there are.
cltStatus cltCudaBackend_Search( cltCudaBackend* cuda, cltFind find );

#endif
