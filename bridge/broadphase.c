// SPDX-License-Identifier: Zlib
// cltBroadphase_Update: the whole pipeline on one page.

#include "bridge/broadphase.h"

#include "bridge/backend_switch.h"
#include "bridge/gather.h"
#include "bridge/stats.h"
#include "gpu/platform/clock.h"

/// The update's steps. Nothing of them shows until all that can fail is done.
static cltStatus RunSteps( cltBroadphase* broadphase, cltPairChanges* changes )
{
    cltBackend* backend = broadphase->backend;
    const cltBackendOps* ops = backend->ops;
    cltPairKeys keys;
    cltUpload upload = cltGatherUpload( &broadphase->table );
    broadphase->stats.gatherMs = cltLapMs( &broadphase->lap );
    upload.beginMs = broadphase->lap;

    CLT_TRY( ops->upload( backend, &upload ) );
    CLT_TRY( ops->build( backend ) );
    CLT_TRY( ops->findChanges( backend ) );
    broadphase->lap = cltNowMs();
    CLT_TRY( ops->readBack( backend, &keys ) );
    CLT_TRY( cltPublication_SetChanges( &broadphase->publication, &broadphase->memory, &keys, changes ) );

    ops->commit( backend );
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
    cltStats_Begin( broadphase );
    if ( broadphase->table.changedCount == 0 )
    {
        return clt_ok;
    }
    const double start = cltNowMs();
    broadphase->lap = start;
    const cltStatus status = FindChanges( broadphase, changes );
    cltQueries_Forget( broadphase->queries );
    CLT_TRY( status );
    cltStats_End( broadphase, changes, start );
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
    cltPublication* publication = &broadphase->publication;
    CLT_TRY( cltPublication_SetPairs( publication, &broadphase->memory, &keys, &broadphase->table, count ) );
    *pairs = publication->pairs.data;
    return clt_ok;
}
