// SPDX-License-Identifier: Zlib
/// \file staging.cuh
/// The upload on its way to the device: it is gathered from the proxy table into pinned memory and copied from there.
#ifndef CLT_CUDA_STAGING_CUH
#define CLT_CUDA_STAGING_CUH

#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/platform/worker_pool.h"

/// A changed slot.
template <typename Box>
struct cltStagedSlot
{
    Box box;
    uint32_t slot; ///< the slot's number, with the bit CLT_STAGED_DESTROYED if its previous proxy was destroyed
};

/// The changed slots, followed by their filters, in one block of memory.
typedef struct cltStaged
{
    void* slots;        ///< cltStagedSlot of cltAabb or cltAabbD
    cltFilter* filters; ///< NULL if no filter is new, or pairs are not filtered
    uint32_t count;
} cltStaged;

#define CLT_STAGED_DESTROYED ( 1u << 31 ) ///< slot numbers have fewer bits

typedef struct cltStaging
{
    cltCudaBuffer pinned{ clt_memoryPinned };
    cltCudaBuffer device; ///< copy on the device, kept for the commit
    cltStaged arrived;    ///< the addresses in `device`
} cltStaging;

/// Gathers the changed slots with the threads of `pool` and enqueues the copies.
cltStatus cltStaging_Send( cltStaging* staging, cltCudaDevice* device, cltWorkerPool* pool, const cltUpload* upload,
                           bool isDouble );

#endif
