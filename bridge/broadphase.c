// SPDX-License-Identifier: Zlib
// cltBroadphase_Update: the whole pipeline on one page, and its figures.

#include "bridge/broadphase.h"

#include "bridge/backend_switch.h"
#include "bridge/gather.h"
#include "gpu/platform/system.h"

/// The figures start from nothing; which algorithm ran, and why, stays known.
static void BeginStats( cltBroadphase* broadphase )
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
    broadphase->researchStats = ( cltResearchStats ){ 0 };
}

/// What an update that succeeded did: the backend's figures, and those that were noted on the way.
static void EndStats( cltBroadphase* broadphase, double startMs )
{
    const cltStats noted = broadphase->stats;
    cltStats* stats = &broadphase->stats;
    broadphase->backend->ops->getStats( broadphase->backend, stats, &broadphase->researchStats );
    stats->device = noted.device;
    stats->deviceReason = noted.deviceReason;
    stats->deviceFailureCount = noted.deviceFailureCount;
    stats->changedCount = noted.changedCount;
    stats->gatherMs = noted.gatherMs;
    stats->readBackMs = noted.readBackMs;
    stats->totalMs = (float)( broadphase->lap - startMs );
}

/// The update's steps. Nothing of them shows until all that can fail is done.
static cltStatus RunSteps( cltBroadphase* broadphase, cltPairChanges* changes )
{
    cltBackend* backend = broadphase->backend;
    const cltBackendOps* ops = backend->ops;
    cltPairKeys keys;
    const cltUpload upload = cltGatherUpload( &broadphase->table );
    broadphase->stats.gatherMs = cltLapMs( &broadphase->lap );

    CLT_TRY( ops->upload( backend, &upload ) );
    CLT_TRY( ops->build( backend ) );
    CLT_TRY( ops->findChanges( backend ) );
    broadphase->lap = cltNowMs();
    CLT_TRY( ops->readBack( backend, &keys ) );
    CLT_TRY(
        cltPublication_SetChanges( &broadphase->publication, &broadphase->memory, &keys, backend->pool, changes ) );

    ops->commit( backend );
    cltProxyTable_GiveBack( &broadphase->table );
    cltProxyTable_Commit( &broadphase->table );
    broadphase->stats.readBackMs = cltLapMs( &broadphase->lap );
    return clt_ok;
}

/// On the device or, if it fails, again on the CPU.
static cltStatus FindChanges( cltBroadphase* broadphase, cltPairChanges* changes )
{
    cltStatus status;
    do
    {
        CLT_TRY( cltFailover_BeforeWork( broadphase ) );
        status = RunSteps( broadphase, changes );
    } while ( cltFailover_IsDue( broadphase, status ) );
    return status;
}

cltStatus cltBroadphase_Update( cltBroadphase* broadphase, cltPairChanges* changes )
{
    cltPairChanges unwanted;
    changes = changes != NULL ? changes : &unwanted;
    *changes = ( cltPairChanges ){ 0 };
    if ( broadphase == NULL )
    {
        return clt_invalidArgument;
    }
    BeginStats( broadphase );
    if ( broadphase->table.changedCount == 0 && !cltRest_MayChangePairs( &broadphase->table.rest ) )
    {
        return clt_ok;
    }
    const double start = cltNowMs();
    broadphase->lap = start;
    const cltStatus status = FindChanges( broadphase, changes );
    cltQueries_Forget( broadphase->queries );
    CLT_TRY( status );
    EndStats( broadphase, start );
    if ( cltPromotion_IsWorthIt( broadphase ) )
    {
        cltPromotion_Consider( broadphase );
        broadphase->stats.totalMs += cltLapMs( &broadphase->lap );
    }
    return clt_ok;
}

/// All pairs, on the device or, if it fails, on the CPU.
static cltStatus ReadPairs( cltBroadphase* broadphase, cltPairKeys* keys )
{
    cltStatus status;
    do
    {
        CLT_TRY( cltFailover_BeforeWork( broadphase ) );
        const cltUpload table = cltGatherUpload( &broadphase->table );
        status = broadphase->backend->ops->readPairs( broadphase->backend, &table, keys );
    } while ( cltFailover_IsDue( broadphase, status ) );
    return status;
}

cltStatus cltBroadphase_GetPairs( cltBroadphase* broadphase, const cltPair** pairs, size_t* count )
{
    if ( broadphase == NULL || pairs == NULL || count == NULL )
    {
        return clt_invalidArgument;
    }
    *pairs = NULL;
    *count = 0;
    cltPairKeys keys;
    const cltStatus status = ReadPairs( broadphase, &keys );
    cltQueries_Forget( broadphase->queries );
    CLT_TRY( status );
    CLT_TRY( cltPublication_SetPairs( &broadphase->publication, &broadphase->memory, &keys, &broadphase->table,
                                      broadphase->backend->pool ) );
    *pairs = broadphase->publication.pairs.data;
    *count = broadphase->publication.pairCount;
    return clt_ok;
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

cltStatus cltBroadphase_GetResearchStats( const cltBroadphase* broadphase, cltResearchStats* stats )
{
    if ( broadphase == NULL || stats == NULL )
    {
        return clt_invalidArgument;
    }
    *stats = broadphase->researchStats;
    return clt_ok;
}
