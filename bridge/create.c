// SPDX-License-Identifier: Zlib
// The life of a broadphase.

#include "bridge/create.h"

#include "bridge/backend_switch.h"
#include "bridge/def.h"

/// The backend to begin with, as the def says or as we choose.
static cltStatus CreateBackend( cltBroadphase* broadphase, const cltDeviceOffer* offer )
{
    const cltDeviceChoice choice = cltChooseDevice( &broadphase->def );
    broadphase->stats.device = choice.device;
    broadphase->stats.deviceReason = choice.reason;
    broadphase->offer = *offer;
    broadphase->offer.worthFrom = choice.mayBePromoted ? offer->worthFrom : CLT_NEVER_WORTH_IT;
    if ( choice.device == clt_deviceCpu )
    {
        CLT_TRY( cltCreateHostBackend( &broadphase->def, &broadphase->memory, &broadphase->backend ) );
        return cltProxyTable_KeepBefore( &broadphase->table, broadphase->backend->readsBefore );
    }
    CLT_TRY( offer->create( &broadphase->def, &broadphase->memory, &broadphase->backend ) );
    return cltFailover_Prepare( broadphase );
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
