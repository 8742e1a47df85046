// SPDX-License-Identifier: Zlib
// system.h for POSIX.

#if defined( __linux__ ) && !defined( _GNU_SOURCE )
#define _GNU_SOURCE // for sched_getaffinity
#elif defined( __APPLE__ )
#define _DARWIN_C_SOURCE // for _SC_NPROCESSORS_ONLN; _POSIX_C_SOURCE would hide it
#elif !defined( _POSIX_C_SOURCE )
#define _POSIX_C_SOURCE 200809L // for clock_gettime under strict C11
#endif

#include "gpu/platform/system.h"

#include "bridge/cullet.h"
#include "gpu/platform/quota.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#if defined( __linux__ )
#include <sys/mman.h>
#endif
#include <time.h>
#include <unistd.h>

/// Rounds of spinning between two yields; this many rounds take about a microsecond.
#define SPINS_PER_YIELD 32

/// Bytes of a huge page on x86-64 and most other processors. A block is padded to whole huge pages if that adds at most
/// an eighth.
#define HUGE_PAGE ( (size_t)2 << 20u )

_Static_assert( sizeof( pthread_mutex_t ) <= sizeof( cltMutex ), "a mutex fits" );
_Static_assert( sizeof( pthread_cond_t ) <= sizeof( cltCondition ), "a condition fits" );
_Static_assert( sizeof( pthread_t ) <= sizeof( cltThread ), "a thread fits" );

void cltMutex_Init( cltMutex* mutex )
{
    pthread_mutex_init( (pthread_mutex_t*)mutex, NULL );
}

void cltMutex_Destroy( cltMutex* mutex )
{
    pthread_mutex_destroy( (pthread_mutex_t*)mutex );
}

void cltMutex_Lock( cltMutex* mutex )
{
    pthread_mutex_lock( (pthread_mutex_t*)mutex );
}

void cltMutex_Unlock( cltMutex* mutex )
{
    pthread_mutex_unlock( (pthread_mutex_t*)mutex );
}

void cltCondition_Init( cltCondition* condition )
{
    pthread_cond_init( (pthread_cond_t*)condition, NULL );
}

void cltCondition_Destroy( cltCondition* condition )
{
    pthread_cond_destroy( (pthread_cond_t*)condition );
}

void cltCondition_Wait( cltCondition* condition, cltMutex* mutex )
{
    pthread_cond_wait( (pthread_cond_t*)condition, (pthread_mutex_t*)mutex );
}

void cltCondition_Broadcast( cltCondition* condition )
{
    pthread_cond_broadcast( (pthread_cond_t*)condition );
}

#if !defined( __EMSCRIPTEN__ ) // see web_threads.c

bool cltThread_Start( cltThread* thread, cltThreadFcn* fcn, void* context )
{
    sigset_t all;
    sigset_t before;
    sigfillset( &all );
    pthread_sigmask( SIG_SETMASK, &all, &before );
    const bool started = pthread_create( (pthread_t*)thread, NULL, fcn, context ) == 0;
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    return started;
}

void cltThread_Join( cltThread* thread )
{
    pthread_join( *(pthread_t*)thread, NULL );
}

#endif

void cltSpin( int round )
{
#if defined( __x86_64__ ) || defined( __i386__ )
    __builtin_ia32_pause();
#elif defined( __aarch64__ )
    __asm__ volatile( "yield" );
#endif
    if ( round % SPINS_PER_YIELD == SPINS_PER_YIELD - 1 )
    {
        sched_yield();
    }
}

int cltProcessorCount( void )
{
    long count = sysconf( _SC_NPROCESSORS_ONLN );
#if defined( __linux__ )
    cpu_set_t allowed; // taskset and containers may restrict the process to some
    if ( sched_getaffinity( 0, sizeof allowed, &allowed ) == 0 )
    {
        count = CPU_COUNT( &allowed );
    }
    const int quota = cltQuota_Processors( "/proc/self/cgroup", "/sys/fs/cgroup" );
    count = quota != CLT_NO_QUOTA && quota < count ? quota : count;
#endif
    return count < 1 ? 1 : count > CLT_MAX_THREADS ? CLT_MAX_THREADS : (int)count;
}

int cltProcessId( void )
{
    return (int)getpid();
}

void* cltAllocate( size_t size, size_t alignment )
{
    void* memory = NULL;
#if defined( __linux__ )
    const size_t rest = size % HUGE_PAGE;
    const size_t filled = rest != 0 && HUGE_PAGE - rest <= size / 8u ? size + ( HUGE_PAGE - rest ) : size;
    if ( filled >= HUGE_PAGE && posix_memalign( &memory, HUGE_PAGE, filled ) == 0 )
    {
        (void)madvise( memory, filled / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE ); // a hint that the system may ignore
        return memory;
    }
#endif
    return posix_memalign( &memory, alignment, size ) == 0 ? memory : NULL; // macOS got aligned_alloc late
}

void cltFree( void* memory )
{
    free( memory );
}

double cltNowMs( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
