// SPDX-License-Identifier: Zlib
/// \file shared_job.h
/// A loop that several threads run: ranges of it, in shares that are the same from stage to stage and from update to
/// update, so that a thread finds in its cache what it worked on before.
#ifndef CLT_GPU_SHARED_JOB_H
#define CLT_GPU_SHARED_JOB_H

#include "bridge/cullet.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct cltJob
{
    cltTask* task; ///< NULL: there is nothing to do
    void* context;
    uint32_t count;
    uint32_t grain;
    int shareCount;     ///< threads, the caller included
    uint32_t floatMode; ///< the caller's, noted when the job is dealt out
} cltJob;

/// Alone in its cache line.
typedef struct cltShare
{
    _Alignas( 64 ) atomic_uint nextRange; ///< next range to claim of one thread's share of the job
} cltShare;

/// Gives every thread its share. To be called before any of them runs the job.
void cltJob_DealOut( cltJob* job, cltShare* shares );

/// A thread's own share first, then what is left of the others': no thread is waited for that does not come.
void cltJob_Run( const cltJob* job, cltShare* shares, int thread );

#endif
