// SPDX-License-Identifier: Zlib
/// \file crew.h
/// The threads of a process, which all its broadphases share: the only thing in the library that changes and belongs
/// to none of them. One broadphase at a time has the crew, for a loop. Another that comes meanwhile is told so and does
/// its work alone on its own thread: nobody waits, and threads do not become more with the worlds.
///
/// Threads are started when somebody has work for them, and are gone when the last member has left.
#ifndef CLT_GPU_CREW_H
#define CLT_GPU_CREW_H

#include "gpu/platform/shared_job.h"

#ifdef __cplusplus
extern "C" {
#endif

// From any thread. A member that a process has from the one that it was forked from is none: it must not call any of
// these, and the crew of the process begins anew with its first own member.

/// One more may call what follows.
void cltCrew_Join( void );

/// The last one to leave takes the threads along.
void cltCrew_Leave( void );

/// Runs a job with at most so many threads, the caller included; 0: as many as the process has processors.
/// \return false if nothing was done, because another has the crew or there are no threads to be had
bool cltCrew_Run( cltJob* job, int mostThreads );

/// As cltWorkerPool_Wake and cltWorkerPool_Rest; nothing while another has the crew.
void cltCrew_Wake( int mostThreads );
void cltCrew_Rest( void );

#ifdef __cplusplus
}
#endif

#endif
