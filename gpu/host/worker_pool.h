// SPDX-License-Identifier: Zlib
/// \file worker_pool.h
/// Splits loops over the host's processors: by the def's parallelFor hook, or by threads of its own. The only threads in
/// the tree.
#ifndef CLT_HOST_WORKER_POOL_H
#define CLT_HOST_WORKER_POOL_H

#include "gpu/memory.h"

typedef struct cltWorkerPool cltWorkerPool;

/// Starts no thread yet: that happens when there is work worth sharing.
cltStatus cltCreateWorkerPool( const cltBroadphaseDef* def, cltMemory* memory, cltWorkerPool** pool );

/// Joins the threads. NULL is fine.
void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory );

/// Runs `task` over [0, count) in ranges of at most `grain`; see cltParallelForFcn. A count of at most one grain runs in
/// place, and so does everything without a pool (NULL).
void cltWorkerPool_Run( cltWorkerPool* pool, cltTask* task, uint32_t count, uint32_t grain, void* taskContext );

/// Processors that this process may use.
int cltProcessorCount( void );

#endif
