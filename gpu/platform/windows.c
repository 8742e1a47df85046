// SPDX-License-Identifier: Zlib
// system.h for Windows 7 and later.

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#if !defined( _WIN32_WINNT ) || _WIN32_WINNT < 0x0602
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602 // declares quotas. On Windows 7 their query fails, which means: no quota
#endif

#include "gpu/platform/system.h"

#include "bridge/cullet.h"

#include <malloc.h>
#include <process.h>
#include <windows.h>

/// Rounds of spinning between two yields; this many rounds take about a microsecond.
#define SPINS_PER_YIELD 32

/// What a cltThread stores.
typedef struct Thread
{
    HANDLE handle;
    cltThreadFcn* fcn;
    void* context;
} Thread;

_Static_assert( sizeof( SRWLOCK ) <= sizeof( cltMutex ), "a mutex fits" );
_Static_assert( sizeof( CONDITION_VARIABLE ) <= sizeof( cltCondition ), "a condition fits" );
_Static_assert( sizeof( Thread ) <= sizeof( cltThread ), "a thread fits" );

void cltMutex_Init( cltMutex* mutex )
{
    InitializeSRWLock( (SRWLOCK*)mutex );
}

void cltMutex_Destroy( cltMutex* mutex )
{
    (void)mutex; // such a lock owns nothing
}

void cltMutex_Lock( cltMutex* mutex )
{
    AcquireSRWLockExclusive( (SRWLOCK*)mutex );
}

void cltMutex_Unlock( cltMutex* mutex )
{
    ReleaseSRWLockExclusive( (SRWLOCK*)mutex );
}

void cltCondition_Init( cltCondition* condition )
{
    InitializeConditionVariable( (CONDITION_VARIABLE*)condition );
}

void cltCondition_Destroy( cltCondition* condition )
{
    (void)condition; // a condition variable owns nothing
}

void cltCondition_Wait( cltCondition* condition, cltMutex* mutex )
{
    (void)SleepConditionVariableSRW( (CONDITION_VARIABLE*)condition, (SRWLOCK*)mutex, INFINITE, 0 );
}

void cltCondition_Broadcast( cltCondition* condition )
{
    WakeAllConditionVariable( (CONDITION_VARIABLE*)condition );
}

static unsigned __stdcall RunThread( void* context )
{
    const Thread* thread = context;
    thread->fcn( thread->context );
    return 0;
}

bool cltThread_Start( cltThread* thread, cltThreadFcn* fcn, void* context )
{
    Thread* started = (Thread*)thread;
    started->fcn = fcn;
    started->context = context;
    started->handle = (HANDLE)_beginthreadex( NULL, 0, RunThread, started, 0, NULL );
    return started->handle != NULL;
}

void cltThread_Join( cltThread* thread )
{
    const HANDLE handle = ( (Thread*)thread )->handle;
    (void)WaitForSingleObject( handle, INFINITE );
    (void)CloseHandle( handle );
}

void cltSpin( int round )
{
    YieldProcessor();
    if ( round % SPINS_PER_YIELD == SPINS_PER_YIELD - 1 )
    {
        (void)SwitchToThread();
    }
}

/// JOB_OBJECT_CPU_RATE_CONTROL_MIN_MAX_RATE, which older headers lack: the upper half of CpuRate is the most.
#define HAS_RANGE 0x10u

/// The share of all processors' time that the process's job may use, in processors, rounded up; `all` if not limited.
/// Containers set it.
static unsigned long QuotaOfJob( unsigned long all )
{
    JOBOBJECT_CPU_RATE_CONTROL_INFORMATION rate;
    const bool isLimited =
        QueryInformationJobObject( NULL, JobObjectCpuRateControlInformation, &rate, sizeof rate, NULL ) &&
        ( rate.ControlFlags & JOB_OBJECT_CPU_RATE_CONTROL_ENABLE ) != 0 &&
        ( rate.ControlFlags & ( JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP | HAS_RANGE ) ) != 0;
    if ( !isLimited )
    {
        return all;
    }
    const unsigned long hundredths = ( rate.ControlFlags & HAS_RANGE ) != 0 ? rate.CpuRate >> 16u : rate.CpuRate;
    return ( hundredths * all + 9999u ) / 10000u; // of a percent
}

/// Whether the process runs in several groups of up to 64 processors, as all do by default from Windows 11 on.
static bool SpansGroups( void )
{
    USHORT groups[64];
    USHORT count = sizeof groups / sizeof groups[0];
    return GetProcessGroupAffinity( GetCurrentProcess(), &count, groups ) && count > 1;
}

int cltProcessorCount( void )
{
    const unsigned long all = GetActiveProcessorCount( ALL_PROCESSOR_GROUPS );
    unsigned long count = all;
    DWORD_PTR processors = 0; // of the one group
    DWORD_PTR ofSystem = 0;
    if ( !SpansGroups() && GetProcessAffinityMask( GetCurrentProcess(), &processors, &ofSystem ) && processors != 0 )
    {
        for ( count = 0; processors != 0; processors &= processors - 1u )
        {
            ++count;
        }
    }
    const unsigned long quota = QuotaOfJob( all );
    count = quota < count ? quota : count;
    return count < 1 ? 1 : count > CLT_MAX_THREADS ? CLT_MAX_THREADS : (int)count;
}

int cltProcessId( void )
{
    return 1; // Windows does not fork
}

void* cltAllocate( size_t size, size_t alignment )
{
    return _aligned_malloc( size, alignment );
}

void cltFree( void* memory )
{
    _aligned_free( memory );
}

double cltNowMs( void )
{
    LARGE_INTEGER now;
    LARGE_INTEGER ticksPerSecond;
    QueryPerformanceCounter( &now );
    QueryPerformanceFrequency( &ticksPerSecond );
    return (double)now.QuadPart * 1e3 / (double)ticksPerSecond.QuadPart;
}
