// SPDX-License-Identifier: Zlib
/// \file system.h
/// Threads, locks, processors, processes, memory and the clock. In this folder only posix.c, windows.c, quota.c and
/// web_threads.c contain code for a certain system.
#ifndef CLT_GPU_SYSTEM_H
#define CLT_GPU_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Storage for the system's mutex type. The next two unions are storage for its condition and thread types.
typedef union cltMutex
{
    char bytes[64];
    long long alignment;
} cltMutex;

typedef union cltCondition
{
    char bytes[64];
    long long alignment;
} cltCondition;

typedef union cltThread
{
    char bytes[32];
    long long alignment;
} cltThread;

void cltMutex_Init( cltMutex* mutex );
void cltMutex_Destroy( cltMutex* mutex );
void cltMutex_Lock( cltMutex* mutex );
void cltMutex_Unlock( cltMutex* mutex );

void cltCondition_Init( cltCondition* condition );
void cltCondition_Destroy( cltCondition* condition );

/// The mutex must be locked; it is unlocked during the wait. May return without a signal.
void cltCondition_Wait( cltCondition* condition, cltMutex* mutex );
void cltCondition_Broadcast( cltCondition* condition );

typedef void* cltThreadFcn( void* context );

/// Starts a thread. On POSIX it blocks all signals, so that the application's handlers run on the application's
/// threads. `thread` must stay valid until the thread was joined.
/// \return false if the system refuses
bool cltThread_Start( cltThread* thread, cltThreadFcn* fcn, void* context );

/// Waits until the thread has ended. A thread that has not begun is not awaited if it may never begin (web_threads.c).
void cltThread_Join( cltThread* thread );

/// One round of spinning. Yields the processor about every microsecond, because the awaited thread may need this very
/// processor.
void cltSpin( int round );

/// The number of processors that this process may use, by its affinity mask and its time quota; at most
/// CLT_MAX_THREADS. Reads files, so call it rarely.
int cltProcessorCount( void );

/// Differs between a process and its forked children.
int cltProcessId( void );

/// Allocates memory at a multiple of `alignment`, a power of two. Large blocks use huge pages if the system offers
/// them: with small pages, page faults take a quarter of the time of the first update of 234,000 bodies.
/// \return NULL if out of memory
void* cltAllocate( size_t size, size_t alignment );
void cltFree( void* memory );

/// Milliseconds of a monotonic clock.
double cltNowMs( void );

/// Returns the milliseconds since `*lap`, and sets `*lap` to the current time. One clock reading ends a stage and
/// begins the next, because in the smallest worlds a reading costs as much as a stage.
static inline float cltLapMs( double* lap )
{
    const double now = cltNowMs();
    const float ms = (float)( now - *lap );
    *lap = now;
    return ms;
}

#ifdef __cplusplus
}
#endif

#endif
