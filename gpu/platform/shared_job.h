// SPDX-License-Identifier: Zlib
/// \file shared_job.h
/// A loop that several threads run. Its ranges are split into one share per thread. The split is the same in each stage
/// and update, so that a thread finds the data of its share in its cache.
#ifndef CLT_GPU_SHARED_JOB_H
#define CLT_GPU_SHARED_JOB_H

#include "bridge/cullet.h"

#include <stdatomic.h>
#include <stdbool.h>

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

#endif
