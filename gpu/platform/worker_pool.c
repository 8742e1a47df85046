// SPDX-License-Identifier: Zlib
// The default parallelFor. Built so that it does not collapse when another process takes a core: ranges are claimed one by
// one from a counter, the caller works along and never waits for a worker that has not claimed anything, and whoever waits
// for another spins only briefly before it sleeps. But it does spin: sleeping and being woken costs 50 microseconds, as
// much as there is to do for 1,000 bodies.

#if defined( __linux__ ) && !defined( _GNU_SOURCE )
#define _GNU_SOURCE // for sched_getaffinity
#endif

#include "gpu/platform/worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/// About 100 microseconds, longer than the gaps between the stages of an update that is worth sharing; and 25, longer than
/// a range mostly takes. Both are much shorter than a scheduler's time slice.
#define AWAIT_JOB_SPINS 4000
#define AWAIT_OTHERS_SPINS 1000

/// About a microsecond.
#define SPINS_PER_YIELD 32

typedef struct Job
{
    cltTask* task;
    void* context;
    uint32_t count;
    uint32_t grain;
    uint32_t floatMode; ///< the caller's
} Job;

/// Alone in its cache line.
typedef struct Share
{
    _Alignas( 64 ) atomic_uint nextRange; ///< next range to claim of one thread's share of the job
} Share;

typedef struct Worker
{
    cltWorkerPool* pool;
    int thread; ///< its share's number; the caller's is 0
} Worker;

struct cltWorkerPool
{
    Share shares[CLT_MAX_THREADS];
    Worker workers[CLT_MAX_THREADS];

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
    bool ending;

    atomic_int insideCount; ///< workers inside the job; changes only under the mutex
    atomic_uint posted;     ///< jobs so far: what idle workers look at
    atomic_bool isRoused;   ///< idle workers spin before they sleep
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

/// How the calling thread computes: games have denormals taken for zero, which decides some comparisons. A thread begins
/// with the mode of whoever created it, and the caller's may be another by now.
static uint32_t FloatMode( void )
{
#if defined( __SSE__ )
    return __builtin_ia32_stmxcsr();
#else
    return 0;
#endif
}

static void SetFloatMode( uint32_t mode )
{
#if defined( __SSE__ )
    __builtin_ia32_ldmxcsr( mode );
#else
    (void)mode;
#endif
}

static void Pause( void )
{
#if defined( __x86_64__ ) || defined( __i386__ )
    __builtin_ia32_pause();
#elif defined( __aarch64__ )
    __asm__ volatile( "yield" );
#endif
}

/// One round of waiting. Who waits for a thread that is to run on the same processor, because others keep the rest busy,
/// would wait for itself: so it offers the processor now and then.
static void Spin( int round )
{
    Pause();
    if ( round % SPINS_PER_YIELD == SPINS_PER_YIELD - 1 )
    {
        sched_yield();
    }
}

/// The first range of a thread's share, and one past the last of the thread's before.
static uint32_t ShareStart( const cltWorkerPool* pool, const Job* job, int thread )
{
    const uint64_t rangeCount = ( job->count - 1u ) / job->grain + 1u;
    return (uint32_t)( rangeCount * (uint32_t)thread / (uint32_t)pool->threadCount );
}

static void RunShare( cltWorkerPool* pool, const Job* job, int thread )
{
    const uint32_t end = ShareStart( pool, job, thread + 1 );
    for ( ;; )
    {
        const uint32_t range = atomic_fetch_add_explicit( &pool->shares[thread].nextRange, 1u, memory_order_relaxed );
        if ( range >= end )
        {
            return;
        }
        const uint32_t first = range * job->grain;
        const uint32_t last = job->count - first > job->grain ? first + job->grain : job->count;
        job->task( first, last, job->context );
    }
}

/// A thread's own share first, then what is left of the others': whoever does not come is not waited for. The shares are
/// the same from stage to stage and from update to update, so that a thread finds in its cache what it worked on before.
static void RunRanges( cltWorkerPool* pool, const Job* job, int thread )
{
    for ( int i = 0; i < pool->threadCount; ++i )
    {
        RunShare( pool, job, ( thread + i ) % pool->threadCount );
    }
}

/// Waits, spinning at first, until a job newer than `seen` is posted or the pool ends. Called without the mutex, returns
/// with it.
static void AwaitJob( cltWorkerPool* pool, unsigned seen )
{
    for ( int spin = 0; spin < AWAIT_JOB_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool->posted, memory_order_relaxed ) != seen ||
             !atomic_load_explicit( &pool->isRoused, memory_order_relaxed ) )
        {
            break;
        }
        Spin( spin );
    }
    pthread_mutex_lock( &pool->mutex );
    while ( !pool->ending && atomic_load_explicit( &pool->posted, memory_order_relaxed ) == seen )
    {
        pthread_cond_wait( &pool->wake, &pool->mutex );
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
            SetFloatMode( job.floatMode );
            RunRanges( pool, &job, worker->thread );
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
    while ( pool->startedCount < pool->threadCount - 1 )
    {
        Worker* worker = pool->workers + pool->startedCount;
        *worker = ( Worker ){ pool, pool->startedCount + 1 };
        if ( pthread_create( pool->threads + pool->startedCount, NULL, WorkerMain, worker ) != 0 )
        {
            break;
        }
        ++pool->startedCount;
    }
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    if ( pool->startedCount < pool->threadCount - 1 )
    {
        pool->threadCount = pool->startedCount + 1;
    }
}

/// \param job  NULL task: nothing to join yet, but stay awake
static void Post( cltWorkerPool* pool, const Job* job )
{
    StartThreads( pool );
    pthread_mutex_lock( &pool->mutex );
    pool->job = *job;
    for ( int thread = 0; thread < pool->threadCount && job->task != NULL; ++thread )
    {
        atomic_store_explicit( &pool->shares[thread].nextRange, ShareStart( pool, job, thread ), memory_order_relaxed );
    }
    atomic_store_explicit( &pool->isRoused, true, memory_order_relaxed );
    atomic_fetch_add_explicit( &pool->posted, 1u, memory_order_relaxed );
    pthread_cond_broadcast( &pool->wake );
    pthread_mutex_unlock( &pool->mutex );
}

/// Until those who joined the job have left it; nobody joins it from now on.
static void AwaitOthers( cltWorkerPool* pool )
{
    pthread_mutex_lock( &pool->mutex );
    pool->job.task = NULL;
    pthread_mutex_unlock( &pool->mutex );
    for ( int spin = 0; spin < AWAIT_OTHERS_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool->insideCount, memory_order_acquire ) == 0 )
        {
            return;
        }
        Spin( spin );
    }
    pthread_mutex_lock( &pool->mutex );
    while ( pool->insideCount > 0 )
    {
        pthread_cond_wait( &pool->left, &pool->mutex );
    }
    pthread_mutex_unlock( &pool->mutex );
}

static bool HasWorkers( const cltWorkerPool* pool )
{
    return pool->threadCount > 1 && pool->owner == getpid();
}

void cltWorkerPool_Rouse( cltWorkerPool* pool )
{
    if ( pool != NULL && pool->hook == NULL && HasWorkers( pool ) )
    {
        Post( pool, &( Job ){ .task = NULL } );
    }
}

void cltWorkerPool_Rest( cltWorkerPool* pool )
{
    if ( pool != NULL )
    {
        atomic_store_explicit( &pool->isRoused, false, memory_order_relaxed );
    }
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
    if ( !HasWorkers( pool ) )
    {
        RunInPlace( task, count, grain, taskContext );
        return;
    }
    const Job job = { task, taskContext, count, grain, FloatMode() };
    Post( pool, &job );
    RunRanges( pool, &job, 0 );
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
                               .owner = getpid() };
    atomic_init( &pool->posted, 0u );
    atomic_init( &pool->insideCount, 0 );
    atomic_init( &pool->isRoused, false );
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
