// SPDX-License-Identifier: Zlib
// The default parallelFor: with the crew if it can be had, else alone.

#include "gpu/platform/worker_pool.h"

#include "gpu/platform/crew.h"

struct cltWorkerPool
{
    cltParallelForFcn* hook;
    void* userContext;
    int mostThreads; ///< the caller included; 0: one a processor
    int owner;       ///< the process whose crew it may use; a forked child's is another
    bool isAwake;    ///< the crew was called and not sent to rest since
};

/// With a hook, or one thread, nothing is asked of the crew.
static bool IsMember( const cltWorkerPool* pool )
{
    return pool->hook == NULL && pool->mostThreads != 1 && pool->owner == cltProcessId();
}

void cltWorkerPool_Wake( cltWorkerPool* pool )
{
    if ( pool != NULL && IsMember( pool ) )
    {
        pool->isAwake = true;
        cltCrew_Wake( pool->mostThreads );
    }
}

void cltWorkerPool_Rest( cltWorkerPool* pool )
{
    if ( pool != NULL && pool->isAwake )
    {
        pool->isAwake = false;
        cltCrew_Rest();
    }
}

static void RunAlone( cltJob* job )
{
    cltShare all;
    job->shareCount = 1;
    cltJob_DealOut( job, &all );
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
    if ( pool == NULL || !IsMember( pool ) || !cltCrew_Run( &job, pool->mostThreads ) )
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
    *pool = ( cltWorkerPool ){ .hook = def->parallelFor,
                               .userContext = def->userContext,
                               .mostThreads = def->threadCount,
                               .owner = cltProcessId() };
    if ( IsMember( pool ) )
    {
        cltCrew_Join();
    }
    return clt_ok;
}

void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory )
{
    if ( pool == NULL )
    {
        return;
    }
    if ( IsMember( pool ) )
    {
        cltCrew_Leave();
    }
    cltMemory_Release( memory, pool, sizeof *pool );
}
