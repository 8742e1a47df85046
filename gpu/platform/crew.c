// SPDX-License-Identifier: Zlib
// Built so that it does not collapse when another process takes a core: the caller works along and never waits for a
// worker that has not claimed anything, and a thread that waits for another spins only briefly before it sleeps. But it
// does spin: sleeping and being woken costs 50 microseconds, as much as there is to do for 1,000 bodies.

#include "gpu/platform/crew.h"

#include "gpu/platform/system.h"

/// About 100 microseconds, longer than the gaps between the stages of an update that is worth sharing; and 25, longer
/// than a range mostly takes. Both are much shorter than a scheduler's time slice.
#define AWAIT_JOB_SPINS 4000
#define AWAIT_OTHERS_SPINS 1000

typedef struct Worker
{
    int number; ///< its share's; the caller's is 0
    cltThread thread;
} Worker;

typedef struct Crew
{
    cltShare shares[CLT_MAX_THREADS];
    Worker workers[CLT_MAX_THREADS];

    atomic_int owner;        ///< the process that it was made ready for; its negative: it is being made ready
    atomic_int memberCount;  ///< broadphases that may use it
    atomic_bool isTaken;     ///< somebody uses it, or ends its threads
    atomic_int startedCount; ///< threads, the callers' not included; changed by whoever has taken it

    // For whoever has taken it.
    int processorCount; ///< 0: not asked yet
    int mostStarted;    ///< the system gave no more threads than so many

    cltMutex mutex;    ///< guards what follows, but for the atomics
    cltCondition wake; ///< a job was posted, or the end
    cltCondition left; ///< the last worker left the job
    cltJob job;        ///< task is NULL when there is none to join
    bool ending;

    atomic_int insideCount; ///< workers inside the job; changes only under the mutex
    atomic_uint posted;     ///< jobs so far: what idle workers look at
    atomic_bool isAwake;    ///< idle workers spin before they sleep
} Crew;

static Crew crew;

// --------------------------------------------------------------------------------------------------------- the workers

/// Waits, spinning at first, until a job newer than `seen` is posted or the end comes. Called without the mutex,
/// returns with it.
static void AwaitJob( unsigned seen )
{
    for ( int spin = 0; spin < AWAIT_JOB_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &crew.posted, memory_order_relaxed ) != seen ||
             !atomic_load_explicit( &crew.isAwake, memory_order_relaxed ) )
        {
            break;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &crew.mutex );
    while ( !crew.ending && atomic_load_explicit( &crew.posted, memory_order_relaxed ) == seen )
    {
        cltCondition_Wait( &crew.wake, &crew.mutex );
    }
}

static void* WorkerMain( void* context )
{
    const Worker* worker = context;
    unsigned seen = 0;
    for ( ;; )
    {
        AwaitJob( seen );
        seen = atomic_load_explicit( &crew.posted, memory_order_relaxed );
        const cltJob job = crew.job;
        const bool ending = crew.ending;
        // without a task: woke too late, the caller is done
        const bool join = !ending && job.task != NULL && worker->number < job.shareCount;
        crew.insideCount += join;
        cltMutex_Unlock( &crew.mutex );
        if ( ending )
        {
            return NULL;
        }
        if ( join )
        {
            cltJob_Run( &job, crew.shares, worker->number );
            cltMutex_Lock( &crew.mutex );
            if ( --crew.insideCount == 0 )
            {
                cltCondition_Broadcast( &crew.left );
            }
            cltMutex_Unlock( &crew.mutex );
        }
    }
}

// ------------------------------------------------------------------------------------------------ whoever has taken it

static bool Take( void )
{
    return !atomic_load_explicit( &crew.isTaken, memory_order_relaxed ) && !atomic_exchange( &crew.isTaken, true );
}

static void LetGo( void )
{
    atomic_store( &crew.isTaken, false );
}

/// Starts threads that are missing. \return how many can take part, the caller included
static int Muster( int mostThreads )
{
    if ( crew.processorCount == 0 )
    {
        crew.processorCount = cltProcessorCount();
    }
    int wanted = ( mostThreads > 0 ? mostThreads : crew.processorCount ) - 1;
    wanted = wanted < crew.mostStarted ? wanted : crew.mostStarted;
    while ( crew.startedCount < wanted )
    {
        Worker* worker = crew.workers + crew.startedCount;
        worker->number = crew.startedCount + 1;
        if ( !cltThread_Start( &worker->thread, WorkerMain, worker ) )
        {
            crew.mostStarted = wanted = crew.startedCount; // done without
            break;
        }
        ++crew.startedCount;
    }
    return wanted + 1;
}

/// \param job  to be joined, or with a NULL task: stay awake
static void Post( cltJob* job )
{
    cltMutex_Lock( &crew.mutex );
    if ( job->task != NULL )
    {
        cltJob_DealOut( job, crew.shares );
    }
    crew.job = *job;
    atomic_store_explicit( &crew.isAwake, true, memory_order_relaxed );
    atomic_fetch_add_explicit( &crew.posted, 1u, memory_order_relaxed );
    cltCondition_Broadcast( &crew.wake );
    cltMutex_Unlock( &crew.mutex );
}

/// Until all that joined the job have left it; none joins it from now on.
static void AwaitOthers( void )
{
    cltMutex_Lock( &crew.mutex );
    crew.job.task = NULL;
    cltMutex_Unlock( &crew.mutex );
    for ( int spin = 0; spin < AWAIT_OTHERS_SPINS; ++spin )
    {
        if ( atomic_load_explicit( &crew.insideCount, memory_order_acquire ) == 0 )
        {
            return;
        }
        cltSpin( spin );
    }
    cltMutex_Lock( &crew.mutex );
    while ( crew.insideCount > 0 )
    {
        cltCondition_Wait( &crew.left, &crew.mutex );
    }
    cltMutex_Unlock( &crew.mutex );
}

bool cltCrew_Run( cltJob* job, int mostThreads )
{
    if ( !Take() )
    {
        return false;
    }
    const uint32_t rangeCount = ( job->count - 1u ) / job->grain + 1u;
    const int threadCount = Muster( mostThreads );
    job->shareCount = (uint32_t)threadCount < rangeCount ? threadCount : (int)rangeCount;
    if ( job->shareCount > 1 )
    {
        Post( job );
        cltJob_Run( job, crew.shares, 0 );
        AwaitOthers();
    }
    LetGo();
    return job->shareCount > 1;
}

void cltCrew_Wake( int mostThreads )
{
    if ( Take() )
    {
        if ( Muster( mostThreads ) > 1 )
        {
            Post( &( cltJob ){ .task = NULL } );
        }
        LetGo();
    }
}

void cltCrew_Rest( void )
{
    if ( Take() )
    {
        atomic_store_explicit( &crew.isAwake, false, memory_order_relaxed );
        LetGo();
    }
}

// -------------------------------------------------------------------------------------------------- coming and leaving

/// Nothing of what a forked child has from its parent is worth keeping: the threads did not come along, and locks may
/// be in the hands of one of them.
static void Renew( void )
{
    crew.memberCount = 0;
    crew.isTaken = false;
    crew.startedCount = 0;
    crew.processorCount = 0;
    crew.mostStarted = CLT_MAX_THREADS - 1;
    cltMutex_Init( &crew.mutex );
    cltCondition_Init( &crew.wake );
    cltCondition_Init( &crew.left );
    crew.job.task = NULL;
    crew.ending = false;
    crew.insideCount = 0;
    crew.posted = 0;
    crew.isAwake = false;
}

void cltCrew_Join( void )
{
    const int process = cltProcessId();
    int owner = atomic_load( &crew.owner );
    for ( int spin = 0; owner != process; ++spin )
    {
        if ( owner == -process ) // another thread of this process is about to have made it ready
        {
            cltSpin( spin );
            owner = atomic_load( &crew.owner );
        }
        else if ( atomic_compare_exchange_strong( &crew.owner, &owner, -process ) )
        {
            Renew();
            atomic_store( &crew.owner, process );
            owner = process;
        }
    }
    ++crew.memberCount;
}

static void EndThreads( void )
{
    cltMutex_Lock( &crew.mutex );
    crew.ending = true;
    cltCondition_Broadcast( &crew.wake );
    cltMutex_Unlock( &crew.mutex );
    for ( int i = 0; i < crew.startedCount; ++i )
    {
        cltThread_Join( &crew.workers[i].thread );
    }
    crew.ending = false;
    crew.startedCount = 0;
    crew.processorCount = 0; // may be others by the time that threads are wanted again
    crew.mostStarted = CLT_MAX_THREADS - 1;
}

/// Who has taken the crew may be another that leaves, or one that came meanwhile and will leave later. Either looks
/// after the threads once it has let go.
void cltCrew_Leave( void )
{
    --crew.memberCount;
    while ( crew.memberCount == 0 && crew.startedCount > 0 && Take() )
    {
        if ( crew.memberCount == 0 )
        {
            EndThreads();
        }
        LetGo();
    }
}
