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

#include "gpu/platform/shared_job.h"

#ifdef __cplusplus
extern "C" {
#endif

// These functions may be called from any thread. A user that a process inherited by fork must not call them. The pool
// of a forked process starts anew with the first user that the process adds itself.

/// Registers a user. The functions below may only be called while there is a user.
void cltThreadPool_AddUser( void );

/// Ends the threads if this was the last user.
void cltThreadPool_RemoveUser( void );

/// Runs a job.
/// \param mostThreads  the largest number of threads, the caller included; 0 for one per processor
/// \return false if nothing was run: the pool is in use, or no thread could be started
bool cltThreadPool_Run( cltJob* job, int mostThreads );

/// As cltWorkerPool_Wake and cltWorkerPool_Rest. They do nothing while the pool is in use.
void cltThreadPool_Wake( int mostThreads );
void cltThreadPool_Rest( void );

#ifdef __cplusplus
}
#endif

#endif
