// SPDX-License-Identifier: Zlib
// The default parallelFor: on the thread pool if it is free, otherwise on the calling thread.

#include "gpu/platform/worker_pool.h"

#include "gpu/platform/thread_pool.h"

struct cltWorkerPool
{
    cltParallelForFcn* hook;
    void* userContext;
    int mostThreads; ///< the caller included; 0 for one per processor
    int owner;       ///< the first process that used threads, 0 before; a forked child may not use the parent's threads
    bool isAwake;    ///< the threads were woken, and not sent to rest since
};

/// Whether the pool uses the process's threads: not with a hook, with one thread, or in a child of the process that
/// used them first. Registers the pool as a user only when it needs threads: a small world does not, and asking for the
/// process is a system call.
static bool UsesThreadPool( cltWorkerPool* pool )
{
    if ( pool->hook != NULL || pool->mostThreads == 1 )
    {
        return false;
    }
    const int process = cltProcessId();
    if ( pool->owner == 0 )
    {
        pool->owner = process;
        cltThreadPool_AddUser();
    }
    return pool->owner == process;
}

void cltWorkerPool_Wake( cltWorkerPool* pool )
{
    if ( pool != NULL && UsesThreadPool( pool ) )
    {
        pool->isAwake = true;
        cltThreadPool_Wake( pool->mostThreads );
    }
}

void cltWorkerPool_LetSleep( cltWorkerPool* pool )
{
    if ( pool != NULL && pool->isAwake )
    {
        pool->isAwake = false;
        cltThreadPool_LetSleep();
    }
}

static void RunAlone( cltJob* job )
{
    cltShare all;
    job->shareCount = 1;
    cltJob_SplitRanges( job, &all );
    cltJob_Run( job, &all, 0 );
}

void cltWorkerPool_Run( cltWorkerPool* pool, cltTask* task, uint32_t count, uint32_t grain, void* taskContext )
{
    if ( count == 0 )
    {
        return;
    }
    if ( count <= grain )
    {
        task( 0, count, taskContext );
        return;
    }
    if ( pool != NULL && pool->hook != NULL )
    {
        pool->hook( task, count, grain, taskContext, pool->userContext );
        return;
    }
    cltJob job = { .task = task, .context = taskContext, .count = count, .grain = grain };
    if ( pool == NULL || !UsesThreadPool( pool ) || !cltThreadPool_Run( &job, pool->mostThreads ) )
    {
        RunAlone( &job );
        return;
    }
    pool->isAwake = true;
}

cltStatus cltCreateWorkerPool( const cltBroadphaseDef* def, cltMemory* memory, cltWorkerPool** result )
{
    cltWorkerPool* pool = cltMemory_Allocate( memory, sizeof *pool );
    *result = pool;
    if ( pool == NULL )
    {
        return clt_hostMemory;
    }
    *pool = ( cltWorkerPool ){
        .hook = def->hooks.parallelFor, .userContext = def->hooks.userContext, .mostThreads = def->threadCount };
    return clt_ok;
}

void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory )
{
    if ( pool == NULL )
    {
        return;
    }
    if ( pool->owner != 0 && pool->owner == cltProcessId() )
    {
        cltThreadPool_RemoveUser();
    }
    cltMemory_Release( memory, pool, sizeof *pool );
}
