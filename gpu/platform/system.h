// SPDX-License-Identifier: Zlib
/// \file system.h
/// Threads, locks, processors, processes, memory and the clock: what differs between systems. posix.c is the only file
/// that knows one.
#ifndef CLT_GPU_SYSTEM_H
#define CLT_GPU_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Room for the system's own.
typedef union cltMutex
{
    char room[64];
    max_align_t alignment;
} cltMutex;

typedef union cltCondition
{
    char room[64];
    max_align_t alignment;
} cltCondition;

typedef union cltThread
{
    char room[16];
    max_align_t alignment;
} cltThread;

void cltMutex_Init( cltMutex* mutex );
void cltMutex_Destroy( cltMutex* mutex );
void cltMutex_Lock( cltMutex* mutex );
void cltMutex_Unlock( cltMutex* mutex );

void cltCondition_Init( cltCondition* condition );
void cltCondition_Destroy( cltCondition* condition );

/// Needs the mutex; without it while it waits. May return for no reason.
void cltCondition_Wait( cltCondition* condition, cltMutex* mutex );
void cltCondition_Broadcast( cltCondition* condition );

typedef void* cltThreadFcn( void* context );

/// Starts a thread that takes no signals: the application's handlers run on its own threads.
/// \return false if there are no more threads to be had
bool cltThread_Start( cltThread* thread, cltThreadFcn* fcn, void* context );
void cltThread_Join( cltThread* thread );

/// One round of waiting. A thread that waits for one that is to run on the same processor, because others keep the rest
/// busy, would wait for itself: so it offers the processor about every microsecond.
void cltSpin( int round );

/// Processors that this process may use, by what it is bound to and by the time that it is granted; at most
/// CLT_MAX_THREADS. Reads files: to be asked once.
int cltProcessorCount( void );

/// The child of a fork has another one.
int cltProcessId( void );

/// Memory at a multiple of `alignment`, a power of two. Large blocks lie in huge pages where the system has them for
/// who asks: the first touch of one costs a fraction of what that of its 512 small ones does, which is a quarter of the
/// first update of 234,000 bodies. \return NULL if there is none
void* cltAllocate( size_t size, size_t alignment );
void cltFree( void* memory );

/// Milliseconds since some moment, by a clock that only goes forward.
double cltNowMs( void );

/// Milliseconds since `*lap`, which becomes now. One look at the clock is the end of a stage and the begin of the next:
/// in the smallest worlds the looks cost as much as the work.
float cltLapMs( double* lap );

#ifdef __cplusplus
}
#endif

#endif
