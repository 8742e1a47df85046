// SPDX-License-Identifier: Zlib
/// \file worker_pool.h
/// Splits a broadphase's loops over the host's processors: by the def's parallelFor hook, or by the threads that all
/// broadphases of the process share (crew.h). Both rooms use it: gpu/host for all that it does, gpu/cuda to gather what
/// it sends.
#ifndef CLT_GPU_WORKER_POOL_H
#define CLT_GPU_WORKER_POOL_H

#include "gpu/platform/memory.h"
#include "gpu/platform/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What one broadphase may use.
typedef struct cltWorkerPool cltWorkerPool;

/// Starts no thread yet: that happens when there is work worth sharing.
CLT_API cltStatus cltCreateWorkerPool( const cltBroadphaseDef* def, cltMemory* memory, cltWorkerPool** pool );

/// The last one of the process joins the threads. NULL is fine.
CLT_API void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory );

/// Runs `task` over [0, count) in ranges of at most `grain`; see cltParallelForFcn. A count of at most one grain runs
/// in place, and so does everything without a pool (NULL), in the child of a fork, or while another broadphase has the
/// threads.
CLT_API void cltWorkerPool_Run( cltWorkerPool* pool, cltTask* task, uint32_t count, uint32_t grain, void* taskContext );

/// Wakes the threads ahead of work that is about to come, and of which there is plenty: it takes the caller 10 to 20
/// microseconds, and them 25 to 80. Until there is something to do, they look for it instead of sleeping, though for
/// some tenth of a millisecond at most. Nothing to wake is fine, and so is NULL.
void cltWorkerPool_Wake( cltWorkerPool* pool );

/// There will be no work for a while: threads that look for it go to sleep.
void cltWorkerPool_Rest( cltWorkerPool* pool );

#ifdef __cplusplus
}
#endif

#endif
