// SPDX-License-Identifier: Zlib
/// \file threads.h
/// Threads, locks, processors and processes: what differs between systems. posix_threads.c is the only file that knows
/// one.
#ifndef CLT_GPU_THREADS_H
#define CLT_GPU_THREADS_H

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
void cltCondition_Signal( cltCondition* condition );
void cltCondition_Broadcast( cltCondition* condition );

typedef void* cltThreadFcn( void* context );

/// Starts a thread that takes no signals: the application's handlers run on its own threads.
/// \return false if there are no more threads to be had
bool cltThread_Start( cltThread* thread, cltThreadFcn* fcn, void* context );
void cltThread_Join( cltThread* thread );

/// Offers the processor to other threads.
void cltYield( void );

/// Processors that this process may use, at most CLT_MAX_THREADS.
int cltProcessorCount( void );

/// The child of a fork has another one.
int cltProcessId( void );

#ifdef __cplusplus
}
#endif

#endif
