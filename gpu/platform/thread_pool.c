// SPDX-License-Identifier: Zlib
// Performance must not collapse when another process takes a core. So the caller works too, and never waits for a
// worker that has not claimed a range. A waiting thread spins only briefly before it sleeps. Not spinning at all would
// be slower: to sleep and wake takes 50 microseconds, as long as an update of 1,000 bodies.

#include "gpu/platform/thread_pool.h"

#include "gpu/platform/system.h"

#if defined( __SSE2__ ) || defined( _M_X64 )
#include <emmintrin.h>
#define CLT_HAS_MXCSR
#endif

/// Rounds of spinning before a thread sleeps. Waiting for a job: about 100 microseconds, longer than the gaps between
/// the stages of a parallel update. Waiting for other threads to finish: about 25, longer than most ranges take. Both
/// are much shorter than a time slice.
#define AWAIT_JOB_SPINS 4000
#define AWAIT_OTHERS_SPINS 1000

typedef struct Worker
{
    int number; ///< index of the worker's share; the caller has share 0
    cltThread thread;
} Worker;

typedef struct ThreadPool
{
    cltShare shares[CLT_MAX_THREADS];
    Worker workers[CLT_MAX_THREADS];

    atomic_int owner;        ///< id of the process that initialized the pool; the negative id during initialization
    atomic_int userCount;    ///< broadphases that have used the pool
    atomic_bool isAcquired;  ///< a caller runs a job or ends the threads
    atomic_int startedCount; ///< worker threads; changed only by the thread that acquired the pool

    // Accessed only by the thread that acquired the pool.
    int processorCount; ///< 0 if not determined yet
    int mostStarted;    ///< the largest number of threads to start; lowered when the system refuses to start another

    cltMutex mutex;    ///< guards all members below; the atomic ones may be read without it
    cltCondition wake; ///< signals a new job, or the end of the threads
    cltCondition left; ///< signals that the last worker left the job
    cltJob job;        ///< task is NULL if no job can be joined
    bool ending;

    atomic_int insideCount; ///< workers inside the job; changes only under the mutex
    atomic_uint posted;     ///< number of jobs so far; idle workers watch it
    atomic_bool isAwake;    ///< idle workers spin before they sleep
} ThreadPool;

static ThreadPool pool;

// ---------------------------------------------------------------------------------------------------------------- jobs

// Threads claim the ranges of a share one by one, from the share's atomic counter.

/// The calling thread's floating-point mode. Games may flush denormals to zero, which changes some comparisons. A
/// worker starts with the mode of the thread that created it, which may differ from the caller's.
static uint32_t FloatMode( void )
{
#if defined( CLT_HAS_MXCSR )
    return _mm_getcsr();
#elif defined( __aarch64__ ) && defined( __GNUC__ )
    uint64_t mode;
    __asm__ volatile( "mrs %0, fpcr" : "=r"( mode ) );
    return (uint32_t)mode;
#else
    return 0;
#endif
}

static void SetFloatMode( uint32_t mode )
{
#if defined( CLT_HAS_MXCSR )
    _mm_setcsr( mode );
#elif defined( __aarch64__ ) && defined( __GNUC__ )
    __asm__ volatile( "msr fpcr, %0" : : "r"( (uint64_t)mode ) );
#else
    (void)mode;
#endif
}

/// The first range of a thread's share. It is also one past the last range of the previous thread's share.
static uint32_t ShareStart( const cltJob* job, int thread )
{
    const uint64_t rangeCount = ( job->count - 1u ) / job->grain + 1u;
    return (uint32_t)( rangeCount * (uint32_t)thread / (uint32_t)job->shareCount );
}

void cltJob_SplitRanges( cltJob* job, cltShare* shares )
{
    job->floatMode = FloatMode();
    for ( int thread = 0; thread < job->shareCount; ++thread )
    {
        atomic_store_explicit( &shares[thread].nextRange, ShareStart( job, thread ), memory_order_relaxed );
    }
}

static void RunShare( const cltJob* job, cltShare* shares, int thread )
{
    const uint32_t end = ShareStart( job, thread + 1 );
    for ( ;; )
    {
        const uint32_t range = atomic_fetch_add_explicit( &shares[thread].nextRange, 1u, memory_order_relaxed );
        if ( range >= end )
        {
            return;
        }
        const uint32_t first = range * job->grain;
        const uint32_t last = job->count - first > job->grain ? first + job->grain : job->count;
        job->task( first, last, job->context );
    }
}

void cltJob_Run( const cltJob* job, cltShare* shares, int thread )
{
    SetFloatMode( job->floatMode );
    for ( int i = 0; i < job->shareCount; ++i )
    {
        RunShare( job, shares, ( thread + i ) % job->shareCount );
    }
}

// --------------------------------------------------------------------------------------------------------- the workers

/// Waits until a job newer than `seen` is posted or the threads are to end. Spins first. Called without the mutex,
/// returns with the mutex locked.
static void AwaitJob( unsigned seen )
{
    for ( int spin = 0; spin < AWAIT_JOB_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool.posted, memory_order_relaxed ) != seen ||
             !atomic_load_explicit( &pool.isAwake, memory_order_relaxed ) )
        {
            break;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &pool.mutex );
    while ( !pool.ending && atomic_load_explicit( &pool.posted, memory_order_relaxed ) == seen )
    {
        cltCondition_Wait( &pool.wake, &pool.mutex );
    }
}

static void* WorkerMain( void* context )
{
    const Worker* worker = context;
    unsigned seen = 0;
    for ( ;; )
    {
        AwaitJob( seen );
        seen = atomic_load_explicit( &pool.posted, memory_order_relaxed );
        const cltJob job = pool.job;
        const bool ending = pool.ending;
        // if the task is NULL, this worker woke too late and the caller is done
        const bool join = !ending && job.task != NULL && worker->number < job.shareCount;
        pool.insideCount += join;
        cltMutex_Unlock( &pool.mutex );
        if ( ending )
        {
            return NULL;
        }
        if ( join )
        {
            cltJob_Run( &job, pool.shares, worker->number );
            cltMutex_Lock( &pool.mutex );
            if ( --pool.insideCount == 0 )
            {
                cltCondition_Broadcast( &pool.left );
            }
            cltMutex_Unlock( &pool.mutex );
        }
    }
}

// ------------------------------------------------------------------------------------------------- acquiring the pool

static bool TryAcquire( void )
{
    return !atomic_load_explicit( &pool.isAcquired, memory_order_relaxed ) &&
           !atomic_exchange( &pool.isAcquired, true );
}

static void Release( void )
{
    atomic_store( &pool.isAcquired, false );
}

/// Starts missing worker threads. \return the number of threads that can take part, the caller included
static int StartWorkers( int mostThreads )
{
    if ( pool.processorCount == 0 )
    {
        pool.processorCount = cltProcessorCount();
    }
    int wanted = ( mostThreads > 0 ? mostThreads : pool.processorCount ) - 1;
    wanted = wanted < pool.mostStarted ? wanted : pool.mostStarted;
    while ( pool.startedCount < wanted )
    {
        Worker* worker = pool.workers + pool.startedCount;
        worker->number = pool.startedCount + 1;
        if ( !cltThread_Start( &worker->thread, WorkerMain, worker ) )
        {
            pool.mostStarted = wanted = pool.startedCount; // go on with fewer
            break;
        }
        ++pool.startedCount;
    }
    return wanted + 1;
}

/// Offers a job to the workers. A job with a NULL task only wakes them.
static void Post( cltJob* job )
{
    cltMutex_Lock( &pool.mutex );
    if ( job->task != NULL )
    {
        cltJob_SplitRanges( job, pool.shares );
    }
    pool.job = *job;
    atomic_store_explicit( &pool.isAwake, true, memory_order_relaxed );
    atomic_fetch_add_explicit( &pool.posted, 1u, memory_order_relaxed );
    cltCondition_Broadcast( &pool.wake );
    cltMutex_Unlock( &pool.mutex );
}

/// Closes the job to new workers, and waits until all workers inside have left it.
static void AwaitOthers( void )
{
    cltMutex_Lock( &pool.mutex );
    pool.job.task = NULL;
    cltMutex_Unlock( &pool.mutex );
    for ( int spin = 0; spin < AWAIT_OTHERS_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &pool.insideCount, memory_order_acquire ) == 0 )
        {
            return;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &pool.mutex );
    while ( pool.insideCount > 0 )
    {
        cltCondition_Wait( &pool.left, &pool.mutex );
    }
    cltMutex_Unlock( &pool.mutex );
}

bool cltThreadPool_Run( cltJob* job, int mostThreads )
{
    if ( !TryAcquire() )
    {
        return false;
    }
    const uint32_t rangeCount = ( job->count - 1u ) / job->grain + 1u;
    const int threadCount = StartWorkers( mostThreads );
    job->shareCount = (uint32_t)threadCount < rangeCount ? threadCount : (int)rangeCount;
    if ( job->shareCount > 1 )
    {
        Post( job );
        cltJob_Run( job, pool.shares, 0 );
        AwaitOthers();
    }
    Release();
    return job->shareCount > 1;
}

void cltThreadPool_Wake( int mostThreads )
{
    if ( TryAcquire() )
    {
        if ( StartWorkers( mostThreads ) > 1 )
        {
            Post( &( cltJob ){ .task = NULL } );
        }
        Release();
    }
}

void cltThreadPool_LetSleep( void )
{
    if ( TryAcquire() )
    {
        atomic_store_explicit( &pool.isAwake, false, memory_order_relaxed );
        Release();
    }
}

// -------------------------------------------------------------------------------------------------------------- users

/// Initializes the pool for this process. Nothing inherited by fork can be used: the parent's threads do not exist in
/// the child, and one of them may have held a lock.
static void Reset( void )
{
    pool.userCount = 0;
    pool.isAcquired = false;
    pool.startedCount = 0;
    pool.processorCount = 0;
    pool.mostStarted = CLT_MAX_THREADS - 1;
    cltMutex_Init( &pool.mutex );
    cltCondition_Init( &pool.wake );
    cltCondition_Init( &pool.left );
    pool.job.task = NULL;
    pool.ending = false;
    pool.insideCount = 0;
    pool.posted = 0;
    pool.isAwake = false;
}

void cltThreadPool_AddUser( void )
{
    const int process = cltProcessId();
    int owner = atomic_load( &pool.owner );
    for ( int spin = 0; owner != process; ++spin )
    {
        if ( owner == -process ) // another thread of this process is initializing the pool
        {
            cltSpin( spin );
            owner = atomic_load( &pool.owner );
        }
        else if ( atomic_compare_exchange_strong( &pool.owner, &owner, -process ) )
        {
            Reset();
            atomic_store( &pool.owner, process );
            owner = process;
        }
    }
    ++pool.userCount;
}

static void EndThreads( void )
{
    cltMutex_Lock( &pool.mutex );
    pool.ending = true;
    cltCondition_Broadcast( &pool.wake );
    cltMutex_Unlock( &pool.mutex );
    for ( int i = 0; i < pool.startedCount; ++i )
    {
        cltThread_Join( &pool.workers[i].thread );
    }
    pool.ending = false;
    pool.startedCount = 0;
    pool.processorCount = 0; // the number may change before threads are needed again
    pool.mostStarted = CLT_MAX_THREADS - 1;
}

/// If TryAcquire fails, another user has the pool. That user will be removed later, and its removal ends the threads.
void cltThreadPool_RemoveUser( void )
{
    --pool.userCount;
    while ( pool.userCount == 0 && pool.startedCount > 0 && TryAcquire() )
    {
        if ( pool.userCount == 0 )
        {
            EndThreads();
        }
        Release();
    }
}
