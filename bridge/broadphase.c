// SPDX-License-Identifier: Zlib
// cltBroadphase_Update: all stages in their order, and the statistics.

#include "bridge/broadphase.h"

#include "bridge/backend_switch.h"
#include "bridge/gather.h"
#include "gpu/platform/system.h"

/// Clears the statistics, except for the state of the broadphase: device, algorithm, failures.
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

/// A time by cltNowMs, or 0 with few proxies: to read the clock would take longer than a stage of their update.
static double BeginTiming( const cltBroadphase* broadphase )
{
    return cltProxyTable_Lanes( &broadphase->table ) == NULL ? cltNowMs() : 0.0;
}

/// Milliseconds since a time that BeginTiming returned, or 0.
static float MsSince( double start )
{
    return start > 0.0 ? (float)( cltNowMs() - start ) : 0.0f;
}

/// Completes the statistics of a successful update: merges those of the backend with those recorded in this file.
static void EndStats( cltBroadphase* broadphase, double start )
{
    const cltStats recorded = broadphase->stats;
    cltStats* stats = &broadphase->stats;
    broadphase->backend->ops->getStats( broadphase->backend, stats, &broadphase->researchStats );
    stats->device = recorded.device;
    stats->deviceReason = recorded.deviceReason;
    stats->deviceFailureCount = recorded.deviceFailureCount;
    stats->changedCount = recorded.changedCount;
    stats->gatherMs = recorded.gatherMs;
    stats->readBackMs = recorded.readBackMs;
    stats->totalMs = MsSince( start );
}

/// Frees memory of proxies that are gone. Must be called in each update, also if nothing changed: new ids depend on it,
/// and whether a small move is a change depends on the algorithm.
static void ShrinkTable( cltBroadphase* broadphase )
{
    if ( cltProxyTable_ShrinkIfDue( &broadphase->table ) )
    {
        cltQueries_GiveBack( broadphase->queries );
    }
}

/// The steps of an update. Nothing is committed before all steps that can fail have succeeded.
static cltStatus RunSteps( cltBroadphase* broadphase, cltPairChanges* changes )
{
    cltBackend* backend = broadphase->backend;
    const cltBackendOps* ops = backend->ops;
    cltPairKeys keys;
    const double start = BeginTiming( broadphase );
    const cltUpload upload = cltGatherUpload( &broadphase->table );
    broadphase->stats.gatherMs = MsSince( start );

    CLT_TRY( ops->upload( backend, &upload ) );
    CLT_TRY( ops->build( backend ) );
    CLT_TRY( ops->findChanges( backend ) );
    const double found = BeginTiming( broadphase );
    CLT_TRY( ops->readBack( backend, &keys ) );
    CLT_TRY(
        cltPublication_SetChanges( &broadphase->publication, &broadphase->memory, &keys, backend->pool, changes ) );

    ops->commit( backend );
    ShrinkTable( broadphase );
    cltProxyTable_Commit( &broadphase->table );
    broadphase->stats.readBackMs = MsSince( found );
    return clt_ok;
}

/// Runs the steps on the device and, if it fails, again on the CPU.
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
    cltPairChanges ignored;
    changes = changes != NULL ? changes : &ignored;
    *changes = ( cltPairChanges ){ 0 };
    if ( broadphase == NULL )
    {
        return clt_invalidArgument;
    }
    BeginStats( broadphase );
    if ( broadphase->table.changedCount == 0 && !cltRest_MayChangePairs( &broadphase->table.rest ) )
    {
        ShrinkTable( broadphase );
        return clt_ok;
    }
    const double start = BeginTiming( broadphase );
    const cltStatus status = FindChanges( broadphase, changes );
    cltQueries_Forget( broadphase->queries );
    CLT_TRY( status );
    EndStats( broadphase, start );
    if ( cltPromotion_IsWorthIt( broadphase ) )
    {
        cltPromotion_Consider( broadphase );
        broadphase->stats.totalMs = MsSince( start );
    }
    return clt_ok;
}

/// Reads all pairs from the device or, if it fails, from the CPU.
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
