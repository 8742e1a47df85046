// SPDX-License-Identifier: Zlib
// Figures: some are the backend's, some the table's, some were noted on the way.

#include "bridge/stats.h"

void cltStats_Begin( cltBroadphase* broadphase )
{
    const cltStats last = broadphase->stats;
    broadphase->stats = ( cltStats ){ .device = last.device,
                                      .deviceReason = last.deviceReason,
                                      .algorithm = last.algorithm,
                                      .simd = last.simd,
                                      .reason = last.reason,
                                      .deviceFailureCount = last.deviceFailureCount,
                                      .deviceBytes = last.deviceBytes,
                                      .changedCount = broadphase->table.changedCount };
}

void cltStats_End( cltBroadphase* broadphase, const cltPairChanges* changes, double startMs )
{
    cltBackendStats done;
    broadphase->backend->ops->getStats( broadphase->backend, &done );
    cltStats* stats = &broadphase->stats;
    stats->algorithm = done.algorithm;
    stats->simd = done.simd;
    stats->reason = done.reason != NULL ? done.reason : stats->reason;
    stats->asideCount = done.asideCount;
    stats->redoCount = done.redoCount;
    stats->candidateCount = done.candidateCount;
    stats->uploadMs = done.uploadMs;
    stats->buildMs = done.buildMs;
    stats->findMs = done.findMs;
    stats->orderMs = done.orderMs;
    stats->kernelMs = done.kernelMs;
    stats->deviceBytes = done.deviceBytes;
    stats->beganCount = changes->beganCount;
    stats->endedCount = changes->endedCount;
    stats->totalMs = (float)( broadphase->lap - startMs );
}

cltStatus cltBroadphase_GetStats( const cltBroadphase* broadphase, cltStats* stats )
{
    if ( broadphase == NULL || stats == NULL )
    {
        return clt_invalidArgument;
    }
    *stats = broadphase->stats;
    stats->proxyCount = broadphase->table.liveCount;
    stats->nanCount = broadphase->table.nanCount;
    stats->hostBytes = broadphase->memory.bytes;
    return clt_ok;
}
