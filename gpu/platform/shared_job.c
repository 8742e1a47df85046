// SPDX-License-Identifier: Zlib
// Threads claim ranges one by one from each share's atomic counter.

#include "gpu/platform/shared_job.h"

/// The calling thread's floating-point mode. Games may flush denormals to zero, which changes some comparisons. A
/// worker starts with the mode of the thread that created it, which may differ from the caller's.
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

/// The first range of a thread's share, one past the last range of the previous thread's share.
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
