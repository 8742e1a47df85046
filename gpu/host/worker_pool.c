// SPDX-License-Identifier: Zlib
// The default parallelFor. Built so that it does not collapse when another process takes a core: ranges are claimed one by
// one from a counter, the caller works along and never waits for a worker that has not claimed anything, and an idle
// worker spins only briefly before it sleeps.

#if defined( __linux__ ) && !defined( _GNU_SOURCE )
#define _GNU_SOURCE // for sched_getaffinity
#endif

#include "gpu/host/worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/// About 20 microseconds: longer than the gap between two stages of an update, shorter than a scheduler's time slice.
#define SPIN_COUNT 500

typedef struct Job
{
    cltTask* task;
    void* context;
    uint32_t count;
    uint32_t grain;
} Job;

struct cltWorkerPool
{
    cltParallelForFcn* hook;
    void* userContext;

    int threadCount;  ///< wanted, the caller included
    int startedCount; ///< running now, the caller not included
    pid_t owner;      ///< a forked child has the memory but not the threads
    pthread_t threads[CLT_MAX_THREADS];

    pthread_mutex_t mutex; ///< guards what follows, but for the atomics
    pthread_cond_t wake;   ///< a job was posted, or the end
    pthread_cond_t left;   ///< the last worker left the job
    Job job;               ///< task is NULL when there is none to join
    int insideCount;       ///< workers inside the job
    bool ending;

    atomic_uint posted;    ///< jobs so far: what idle workers look at
    atomic_uint nextRange; ///< next range to claim
};

int cltProcessorCount( void )
{
    long count = sysconf( _SC_NPROCESSORS_ONLN );
#if defined( __linux__ )
    cpu_set_t allowed; // taskset and containers allow fewer than there are
    if ( sched_getaffinity( 0, sizeof allowed, &allowed ) == 0 )
    {
        count = CPU_COUNT( &allowed );
    }
#endif
    return count < 1 ? 1 : count > CLT_MAX_THREADS ? CLT_MAX_THREADS : (int)count;
}

static void Pause( void )
{
#if defined( __x86_64__ ) || defined( __i386__ )
    __builtin_ia32_pause();
#elif defined( __aarch64__ )
    __asm__ volatile( "yield" );
#endif
}

static void RunRanges( cltWorkerPool* pool, const Job* job )
{
    const uint32_t rangeCount = ( job->count - 1u ) / job->grain + 1u;
    for ( ;; )
    {
        uint32_t range = atomic_fetch_add_explicit( &pool->nextRange, 1u, memory_order_relaxed );
        if ( range >= rangeCount )
        {
            return;
        }
        uint32_t first = range * job->grain;
        uint32_t last = job->count - first > job->grain ? first + job->grain : job->count;
        job->task( first, last, job->context );
    }
}

/// Waits, spinning at first, until a job newer than `seen` is posted or the pool ends. Called without the mutex, returns
/// with it.
static void AwaitJob( cltWorkerPool* pool, unsigned seen )
{
    for ( int spin = 0; spin < SPIN_COUNT; ++spin )
    {
        if ( atomic_load_explicit( &pool->posted, memory_order_relaxed ) != seen )
        {
            break;
        }
        Pause();
    }
    pthread_mutex_lock( &pool->mutex );
    while ( !pool->ending && atomic_load_explicit( &pool->posted, memory_order_relaxed ) == seen )
    {
        pthread_cond_wait( &pool->wake, &pool->mutex );
    }
}

static void* WorkerMain( void* context )
{
    cltWorkerPool* pool = context;
    unsigned seen = 0;
    for ( ;; )
    {
        AwaitJob( pool, seen );
        seen = atomic_load_explicit( &pool->posted, memory_order_relaxed );
        const Job job = pool->job;
        const bool ending = pool->ending;
        const bool join = !ending && job.task != NULL; // NULL: woke too late, the caller is done
        pool->insideCount += join;
        pthread_mutex_unlock( &pool->mutex );
        if ( ending )
        {
            return NULL;
        }
        if ( join )
        {
            RunRanges( pool, &job );
            pthread_mutex_lock( &pool->mutex );
            if ( --pool->insideCount == 0 )
            {
                pthread_cond_signal( &pool->left );
            }
            pthread_mutex_unlock( &pool->mutex );
        }
    }
}

/// Threads that cannot be started are done without: the caller does their work.
/// They take no signals: the application's handlers run on its own threads.
static void StartThreads( cltWorkerPool* pool )
{
    if ( pool->startedCount == pool->threadCount - 1 )
    {
        return;
    }
    sigset_t all;
    sigset_t before;
    sigfillset( &all );
    pthread_sigmask( SIG_SETMASK, &all, &before );
    while ( pool->startedCount < pool->threadCount - 1 &&
            pthread_create( pool->threads + pool->startedCount, NULL, WorkerMain, pool ) == 0 )
    {
        ++pool->startedCount;
    }
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    if ( pool->startedCount < pool->threadCount - 1 )
    {
        pool->threadCount = pool->startedCount + 1;
    }
}

static void RunShared( cltWorkerPool* pool, const Job* job )
{
    StartThreads( pool );

    pthread_mutex_lock( &pool->mutex );
    pool->job = *job;
    atomic_store_explicit( &pool->nextRange, 0u, memory_order_relaxed );
    atomic_fetch_add_explicit( &pool->posted, 1u, memory_order_relaxed );
    pthread_cond_broadcast( &pool->wake );
    pthread_mutex_unlock( &pool->mutex );

    RunRanges( pool, job );

    pthread_mutex_lock( &pool->mutex );
    pool->job.task = NULL;
    while ( pool->insideCount > 0 )
    {
        pthread_cond_wait( &pool->left, &pool->mutex );
    }
    pthread_mutex_unlock( &pool->mutex );
}

static void RunInPlace( cltTask* task, uint32_t count, uint32_t grain, void* taskContext )
{
    for ( uint32_t first = 0; first < count; first += grain )
    {
        task( first, count - first > grain ? first + grain : count, taskContext );
        if ( count - first <= grain )
        {
            return; // before `first` could wrap around
        }
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
    if ( pool == NULL )
    {
        RunInPlace( task, count, grain, taskContext );
        return;
    }
    if ( pool->hook != NULL )
    {
        pool->hook( task, count, grain, taskContext, pool->userContext );
        return;
    }
    if ( pool->threadCount == 1 || pool->owner != getpid() )
    {
        RunInPlace( task, count, grain, taskContext );
        return;
    }
    const Job job = { task, taskContext, count, grain };
    RunShared( pool, &job );
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
                               .owner = getpid() };
    atomic_init( &pool->posted, 0u );
    atomic_init( &pool->nextRange, 0u );
    pthread_mutex_init( &pool->mutex, NULL );
    pthread_cond_init( &pool->wake, NULL );
    pthread_cond_init( &pool->left, NULL );
    *result = pool;
    return clt_ok;
}

void cltDestroyWorkerPool( cltWorkerPool* pool, cltMemory* memory )
{
    if ( pool == NULL )
    {
        return;
    }
    if ( pool->owner == getpid() )
    {
        pthread_mutex_lock( &pool->mutex );
        pool->ending = true;
        pthread_cond_broadcast( &pool->wake );
        pthread_mutex_unlock( &pool->mutex );
        for ( int i = 0; i < pool->startedCount; ++i )
        {
            pthread_join( pool->threads[i], NULL );
        }
        pthread_cond_destroy( &pool->left );
        pthread_cond_destroy( &pool->wake );
        pthread_mutex_destroy( &pool->mutex );
    }
    cltMemory_Release( memory, pool, sizeof *pool );
}
