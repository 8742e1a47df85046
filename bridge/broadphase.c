// SPDX-License-Identifier: Zlib
// The broadphase: its life, and cltBroadphase_Update, which is the whole pipeline on one page.

#include "bridge/broadphase.h"

#include "bridge/create.h"
#include "bridge/def.h"
#include "bridge/gather.h"
#include "bridge/move_up.h"
#include "bridge/takeover.h"
#include "gpu/platform/clock.h"

// ------------------------------------------------------------------------------------------------------------ life

/// The backend to begin with, as the def says or as we choose.
static cltStatus CreateBackend( cltBroadphase* broadphase, const cltDeviceOffer* offer )
{
    const cltDeviceChoice choice = cltChooseDevice( &broadphase->def );
    broadphase->stats.device = choice.device;
    broadphase->stats.deviceReason = choice.reason;
    broadphase->offer = *offer;
    broadphase->offer.worthFrom = choice.mayMoveUp ? offer->worthFrom : CLT_NEVER_WORTH_IT;
    if ( choice.device == clt_deviceCpu )
    {
        CLT_TRY( cltCreateHostBackend( &broadphase->def, &broadphase->memory, &broadphase->backend ) );
        return cltProxyTable_KeepBefore( &broadphase->table, broadphase->backend->readsBefore );
    }
    CLT_TRY( offer->create( &broadphase->def, &broadphase->memory, &broadphase->backend ) );
    return cltTakeover_Prepare( broadphase );
}

static cltStatus CreateParts( cltBroadphase* broadphase, const cltDeviceOffer* offer )
{
    CLT_TRY( CreateBackend( broadphase, offer ) );
    CLT_TRY( cltProxyTable_MakeRoom( &broadphase->table, broadphase->def.proxyCapacity ) );
    CLT_TRY( cltCreateQueries( &broadphase->memory, &broadphase->queries ) );
    broadphase->table.queries = cltQueries_Notes( broadphase->queries );
    return clt_ok;
}

cltStatus cltCreateBroadphaseOn( const cltBroadphaseDef* def, const cltDeviceOffer* offer, cltBroadphase** result )
{
    if ( result == NULL )
    {
        return clt_invalidArgument;
    }
    *result = NULL;
    CLT_TRY( cltCheckDef( def ) );

    cltMemory memory;
    cltMemory_Init( &memory, def );
    cltBroadphase* broadphase = cltMemory_Allocate( &memory, sizeof *broadphase );
    if ( broadphase == NULL )
    {
        return clt_hostMemory;
    }
    *broadphase = ( cltBroadphase ){ .def = *def, .memory = memory, .stats = { .reason = "no update yet" } };
    broadphase->table.memory = &broadphase->memory;
    broadphase->table.precision = def->precision;
    broadphase->table.keepsFiltersBefore = def->filterMasks;

    const cltStatus status = CreateParts( broadphase, offer );
    if ( status != clt_ok )
    {
        cltDestroyBroadphase( broadphase );
        return status;
    }
    *result = broadphase;
    return clt_ok;
}

cltStatus cltCreateBroadphase( const cltBroadphaseDef* def, cltBroadphase** broadphase )
{
    const cltDeviceOffer cuda = cltOfferCuda();
    return cltCreateBroadphaseOn( def, &cuda, broadphase );
}

void cltDestroyBroadphase( cltBroadphase* broadphase )
{
    if ( broadphase == NULL )
    {
        return;
    }
    if ( broadphase->backend != NULL )
    {
        broadphase->backend->ops->destroy( broadphase->backend );
    }
    cltDestroyQueries( broadphase->queries );
    cltProxyTable_Release( &broadphase->table );
    cltPublication_Release( &broadphase->publication, &broadphase->memory );
    cltMemory memory = broadphase->memory; // the broadphase lies in what is given back
    cltMemory_Release( &memory, broadphase, sizeof *broadphase );
}

// ---------------------------------------------------------------------------------------------------------- update

/// The six stages. Nothing of it shows until the last of them that can fail has not.
/// \param lap  when the update began; becomes when it ended
static cltStatus RunStages( cltBroadphase* broadphase, cltPairChanges* changes, double* lap )
{
    cltBackend* backend = broadphase->backend;
    const cltBackendOps* ops = backend->ops;
    cltStats* stats = &broadphase->stats;

    cltUpload upload = cltGather( &broadphase->table );
    stats->gatherMs = cltLapMs( lap );
    upload.beginMs = *lap;

    CLT_TRY( ops->upload( backend, &upload ) );
    CLT_TRY( ops->build( backend ) );
    CLT_TRY( ops->findChanges( backend ) );

    *lap = cltNowMs();
    cltPairKeys keys;
    CLT_TRY( ops->readBack( backend, &keys ) );
    CLT_TRY( cltPublication_MakeRoom( &broadphase->publication, &broadphase->memory, keys.count ) );
    cltPublication_SetChanges( &broadphase->publication, &keys, changes );

    ops->commit( backend );
    cltProxyTable_Commit( &broadphase->table );
    stats->readBackMs = cltLapMs( lap );
    return clt_ok;
}

static void NoteBackendStats( cltBroadphase* broadphase )
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
}

/// The stages, on the device or, if it fails, from the first one again on the CPU.
/// \param lap  as in RunStages
static cltStatus FindChanges( cltBroadphase* broadphase, cltPairChanges* changes, double* lap )
{
    CLT_TRY( cltTakeover_BeforeWork( broadphase ) );
    const cltStatus status = RunStages( broadphase, changes, lap );
    if ( !cltTakeover_IsDue( broadphase, status ) )
    {
        return status;
    }
    CLT_TRY( cltTakeover_Run( broadphase, status ) );
    return RunStages( broadphase, changes, lap );
}

static cltStatus ReadPairsOnce( cltBroadphase* broadphase, cltPairKeys* keys )
{
    const cltUpload table = cltGather( &broadphase->table );
    return broadphase->backend->ops->readPairs( broadphase->backend, &table, keys );
}

static cltStatus ReadPairs( cltBroadphase* broadphase, cltPairKeys* keys )
{
    CLT_TRY( cltTakeover_BeforeWork( broadphase ) );
    const cltStatus status = ReadPairsOnce( broadphase, keys );
    if ( !cltTakeover_IsDue( broadphase, status ) )
    {
        return status;
    }
    CLT_TRY( cltTakeover_Run( broadphase, status ) );
    return ReadPairsOnce( broadphase, keys );
}

/// Figures of one update start from nothing; which algorithm ran, and why, stays known.
static void ClearUpdateStats( cltStats* stats )
{
    *stats = ( cltStats ){ .device = stats->device,
                           .deviceReason = stats->deviceReason,
                           .algorithm = stats->algorithm,
                           .simd = stats->simd,
                           .reason = stats->reason,
                           .deviceFailureCount = stats->deviceFailureCount,
                           .deviceBytes = stats->deviceBytes };
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
    cltStats* stats = &broadphase->stats;
    ClearUpdateStats( stats );
    stats->changedCount = broadphase->table.changedCount;
    if ( broadphase->table.changedCount == 0 )
    {
        return clt_ok;
    }

    const double start = cltNowMs();
    double lap = start;
    const cltStatus status = FindChanges( broadphase, changes, &lap );
    cltQueries_Forget( broadphase->queries );
    if ( status != clt_ok )
    {
        *changes = ( cltPairChanges ){ 0 };
        return status;
    }
    NoteBackendStats( broadphase );
    stats->beganCount = changes->beganCount;
    stats->endedCount = changes->endedCount;
    if ( cltMoveUp_IsDue( broadphase ) )
    {
        cltMoveUp_Consider( broadphase );
        lap = cltNowMs();
    }
    stats->totalMs = (float)( lap - start );
    return clt_ok;
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
    CLT_TRY(
        cltPublication_SetPairs( &broadphase->publication, &broadphase->memory, &keys, &broadphase->table, count ) );
    *pairs = broadphase->publication.pairs.data;
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
