// SPDX-License-Identifier: Zlib
/// \file staging.cuh
/// What an upload brings, on its way: gathered from the proxy table into pinned memory, and from there to the device.
#ifndef CLT_CUDA_STAGING_CUH
#define CLT_CUDA_STAGING_CUH

#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/platform/worker_pool.h"

/// A slot that changed.
template <typename Box>
struct cltStagedSlot
{
    Box box;
    uint32_t slot; ///< with CLT_STAGED_DESTROYED if the proxy that was there before is gone
};

/// The changed slots, and behind them their filters, in one block of memory.
typedef struct cltStaged
{
    void* slots;        ///< cltStagedSlot of cltAabb or cltAabbD
    cltFilter* filters; ///< NULL: they are those that the device has, or pairs are not filtered
    uint32_t count;
} cltStaged;

#define CLT_STAGED_DESTROYED ( 1u << 31 ) ///< slots are narrower

typedef struct cltStaging
{
    cltCudaBuffer pinned{ clt_placePinned };
    cltCudaBuffer device; ///< the same on the device, kept for the commit
    cltStaged arrived;    ///< what lies there
} cltStaging;

/// Gathers the changed slots, on as many threads as `pool` has, and sends them.
cltStatus cltStaging_Send( cltStaging* staging, cltCudaDevice* device, cltWorkerPool* pool, const cltUpload* upload,
                           bool isDouble );

#endif
