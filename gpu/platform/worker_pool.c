// SPDX-License-Identifier: Zlib
// The default parallelFor. Built so that it does not collapse when another process takes a core: the caller works along
// and never waits for a worker that has not claimed anything, and a thread that waits for another spins only briefly
// before it sleeps. But it does spin: sleeping and being woken costs 50 microseconds, as much as there is to do for
// 1,000 bodies.

#include "gpu/platform/worker_pool.h"

#include "gpu/platform/shared_job.h"

/// About 100 microseconds, longer than the gaps between the stages of an update that is worth sharing; and 25, longer
/// than a range mostly takes. Both are much shorter than a scheduler's time slice.
#define AWAIT_JOB_SPINS 4000
#define AWAIT_OTHERS_SPINS 1000

typedef struct Worker
{
    cltWorkerPool* pool;
    int number; ///< its share's; the caller's is 0
    cltThread thread;
} Worker;

struct cltWorkerPool
{
    cltShare shares[CLT_MAX_THREADS];
    Worker workers[CLT_MAX_THREADS];

    cltParallelForFcn* hook;
    void* userContext;

    int threadCount;  ///< wanted, the caller included
    int startedCount; ///< running now, the caller not included
    int owner;        ///< a forked child has the memory but not the threads

    cltMutex mutex;    ///< guards what follows, but for the atomics
    cltCondition wake; ///< a job was posted, or the end
    cltCondition left; ///< the last worker left the job
    cltJob job;        ///< task is NULL when there is none to join
    bool ending;

    atomic_int insideCount; ///< workers inside the job; changes only under the mutex
    atomic_uint posted;     ///< jobs so far: what idle workers look at
    atomic_bool isAwake;    ///< idle workers spin before they sleep
};

/// Waits, spinning at first, until a job newer than `seen` is posted or the pool ends. Called without the mutex,
/// returns with it.
static void AwaitJob( cltWorkerPool* pool, unsigned seen )
{
    for ( int spin = 0; spin < AWAIT_JOB_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool->posted, memory_order_relaxed ) != seen ||
             !atomic_load_explicit( &pool->isAwake, memory_order_relaxed ) )
        {
            break;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &pool->mutex );
    while ( !pool->ending && atomic_load_explicit( &pool->posted, memory_order_relaxed ) == seen )
    {
        cltCondition_Wait( &pool->wake, &pool->mutex );
    }
}

static void* WorkerMain( void* context )
{
    const Worker* worker = context;
    cltWorkerPool* pool = worker->pool;
    unsigned seen = 0;
    for ( ;; )
    {
        AwaitJob( pool, seen );
        seen = atomic_load_explicit( &pool->posted, memory_order_relaxed );
        const cltJob job = pool->job;
        const bool ending = pool->ending;
        const bool join = !ending && job.task != NULL; // NULL: woke too late, the caller is done
        pool->insideCount += join;
        cltMutex_Unlock( &pool->mutex );
        if ( ending )
        {
            return NULL;
        }
        if ( join )
        {
            cltJob_Run( &job, pool->shares, worker->number );
            cltMutex_Lock( &pool->mutex );
            if ( --pool->insideCount == 0 )
            {
                cltCondition_Broadcast( &pool->left );
            }
            cltMutex_Unlock( &pool->mutex );
        }
    }
}

/// Threads that cannot be started are done without: the caller does their work.
static void StartThreads( cltWorkerPool* pool )
{
    while ( pool->startedCount < pool->threadCount - 1 )
    {
        Worker* worker = pool->workers + pool->startedCount;
        worker->pool = pool;
        worker->number = pool->startedCount + 1;
        if ( !cltThread_Start( &worker->thread, WorkerMain, worker ) )
        {
            pool->threadCount = pool->startedCount + 1;
            return;
        }
        ++pool->startedCount;
    }
}

/// \param job  to be joined, or with a NULL task: stay awake
static void Post( cltWorkerPool* pool, cltJob* job )
{
    cltMutex_Lock( &pool->mutex );
    if ( job->task != NULL )
    {
        cltJob_DealOut( job, pool->shares );
    }
    pool->job = *job;
    atomic_store_explicit( &pool->isAwake, true, memory_order_relaxed );
    atomic_fetch_add_explicit( &pool->posted, 1u, memory_order_relaxed );
    cltCondition_Broadcast( &pool->wake );
    cltMutex_Unlock( &pool->mutex );
}

/// Until all that joined the job have left it; none joins it from now on.
static void AwaitOthers( cltWorkerPool* pool )
{
    cltMutex_Lock( &pool->mutex );
    pool->job.task = NULL;
    cltMutex_Unlock( &pool->mutex );
    for ( int spin = 0; spin < AWAIT_OTHERS_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool->insideCount, memory_order_acquire ) == 0 )
        {
            return;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &pool->mutex );
    while ( pool->insideCount > 0 )
    {
        cltCondition_Wait( &pool->left, &pool->mutex );
    }
    cltMutex_Unlock( &pool->mutex );
}

static bool HasWorkers( const cltWorkerPool* pool )
{
    return pool->threadCount > 1 && pool->owner == cltProcessId();
}

void cltWorkerPool_Wake( cltWorkerPool* pool )
{
    if ( pool != NULL && pool->hook == NULL && HasWorkers( pool ) )
    {
        StartThreads( pool );
        Post( pool, &( cltJob ){ .task = NULL } );
    }
}

void cltWorkerPool_Rest( cltWorkerPool* pool )
{
    if ( pool != NULL )
    {
        atomic_store_explicit( &pool->isAwake, false, memory_order_relaxed );
    }
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
    cltJob job = { .task = task, .context = taskContext, .count = count, .grain = grain, .shareCount = 1 };
    if ( pool == NULL || !HasWorkers( pool ) )
    {
        cltShare all;
        cltJob_DealOut( &job, &all );
        cltJob_Run( &job, &all, 0 );
        return;
    }
    StartThreads( pool );
    job.shareCount = pool->threadCount;
    Post( pool, &job );
    cltJob_Run( &job, pool->shares, 0 );
    AwaitOthers( pool );
}

cltStatus cltCreateWorkerPool( const cltBroadphaseDef* def, cltMemory* memory, cltWorkerPool** result )
{
    *result = NULL;
    cltWorkerPool* pool = cltMemory_Allocate( memory, sizeof *pool );
    if ( pool == NULL )
    {
        return clt_hostMemory;
    }
    *pool = ( cltWorkerPool ){ .hook = def->parallelFor,
                               .userContext = def->userContext,
                               .threadCount = def->threadCount > 0 ? def->threadCount : cltProcessorCount(),
                               .owner = cltProcessId() };
    cltMutex_Init( &pool->mutex );
    cltCondition_Init( &pool->wake );
    cltCondition_Init( &pool->left );
    *result = pool;
    return clt_ok;
}

void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory )
{
    if ( pool == NULL )
    {
        return;
    }
    if ( pool->owner == cltProcessId() )
    {
        cltMutex_Lock( &pool->mutex );
        pool->ending = true;
        cltCondition_Broadcast( &pool->wake );
        cltMutex_Unlock( &pool->mutex );
        for ( int i = 0; i < pool->startedCount; ++i )
        {
            cltThread_Join( &pool->workers[i].thread );
        }
        cltCondition_Destroy( &pool->left );
        cltCondition_Destroy( &pool->wake );
        cltMutex_Destroy( &pool->mutex );
    }
    cltMemory_Release( memory, pool, sizeof *pool );
}
