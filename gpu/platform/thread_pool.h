// SPDX-License-Identifier: Zlib
/// \file thread_pool.h
/// The threads of a process, which all its broadphases share. They are the library's only mutable global state. One
/// broadphase at a time uses the pool, for one loop. While it is in use, other broadphases run their loops on their own
/// calling threads: no caller waits, and more worlds do not mean more threads.
///
/// The first loop that is large enough starts the threads. Removing the last user ends them.
///
/// The pool is neither OpenMP nor TBB, because these keep threads for the life of the process. A library's threads must
/// end with its last user, and the library must still work in a forked process.
#ifndef CLT_GPU_THREAD_POOL_H
#define CLT_GPU_THREAD_POOL_H

#include "bridge/cullet.h"

#include <stdatomic.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A loop that several threads run. Its ranges are split into one share per thread. The split is the same in each stage
/// and update, so that a thread finds the data of its share in its cache.
typedef struct cltJob
{
    cltTask* task; ///< NULL if there is nothing to do
    void* context;
    uint32_t count;
    uint32_t grain;
    int shareCount;     ///< number of threads, the caller included
    uint32_t floatMode; ///< the caller's floating-point mode when the job was split
} cltJob;

/// One thread's share. It has a cache line of its own.
typedef struct cltShare
{
    _Alignas( 64 ) atomic_uint nextRange; ///< next range of the share to claim
} cltShare;

/// Initializes all shares. Must be called before any thread runs the job.
void cltJob_SplitRanges( cltJob* job, cltShare* shares );

/// Runs a thread's own share, then the remaining ranges of all other shares. So the job completes even if some threads
/// never join it.
void cltJob_Run( const cltJob* job, cltShare* shares, int thread );

// The functions below may be called from any thread. A user that a process inherited by fork must not call them. The
// pool of a forked process starts anew with the first user that the process adds itself.

/// Registers a user. The functions below may only be called while there is a user.
void cltThreadPool_AddUser( void );

/// Ends the threads if this was the last user.
void cltThreadPool_RemoveUser( void );

/// Runs a job.
/// \param mostThreads  the largest number of threads, the caller included; 0 for one per processor
/// \return false if nothing was run: the pool is in use, or no thread could be started
bool cltThreadPool_Run( cltJob* job, int mostThreads );

/// As cltWorkerPool_Wake and cltWorkerPool_LetSleep. They do nothing while the pool is in use.
void cltThreadPool_Wake( int mostThreads );
void cltThreadPool_LetSleep( void );

#ifdef __cplusplus
}
#endif

#endif
