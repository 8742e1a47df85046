// SPDX-License-Identifier: Zlib
/// \file worker_pool.h
/// Splits a broadphase's loops over the host's processors, by the def's parallelFor hook or by the threads that all
/// broadphases of the process share (thread_pool.h). gpu/host uses a worker pool for all its loops, gpu/cuda to gather
/// the data to be sent.
#ifndef CLT_GPU_WORKER_POOL_H
#define CLT_GPU_WORKER_POOL_H

#include "gpu/platform/memory.h"
#include "gpu/platform/system.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One broadphase's access to the process's threads.
typedef struct cltWorkerPool cltWorkerPool;

/// Starts no thread yet; the first loop of more than one range does.
CLT_API cltStatus cltCreateWorkerPool( const cltBroadphaseDef* def, cltMemory* memory, cltWorkerPool** pool );

/// Ends the process's threads if no other pool has used them. `pool` may be NULL.
CLT_API void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory );

/// Runs `task` over [0, count) in ranges of at most `grain`; see cltParallelForFcn. The calling thread runs all ranges
/// if the count is at most one grain, if the pool is NULL, if a parent process was the first to use the pool's threads,
/// and while another broadphase uses the threads.
CLT_API void cltWorkerPool_Run( cltWorkerPool* pool, cltTask* task, uint32_t count, uint32_t grain, void* taskContext );

/// Wakes the threads shortly before a large loop. This takes the caller 10 to 20 microseconds and the threads 25 to 80.
/// They then spin until work arrives, for about a tenth of a millisecond at most. `pool` may be NULL.
void cltWorkerPool_Wake( cltWorkerPool* pool );

/// Lets spinning threads sleep, because no work is expected for a while.
void cltWorkerPool_LetSleep( cltWorkerPool* pool );

#ifdef __cplusplus
}
#endif

#endif
