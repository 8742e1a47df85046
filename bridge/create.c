// SPDX-License-Identifier: Zlib
// Creation and destruction of a broadphase, and the default def.

#include "bridge/create.h"

#include "bridge/broadphase.h"
#include "gpu/platform/system.h"

/// The value of internalValue in a default def. A def without it was not made by cltDefaultBroadphaseDef.
#define DEF_COOKIE 0x63756c74

cltBroadphaseDef cltDefaultBroadphaseDef( void )
{
    return ( cltBroadphaseDef ){ .device = clt_deviceAuto,
                                 .algorithm = clt_algorithmAuto,
                                 .precision = clt_precisionFloat,
                                 .filterMasks = true,
                                 .internalValue = DEF_COOKIE };
}

cltResearchDef cltDefaultResearchDef( void )
{
    return ( cltResearchDef ){
        .root = clt_rootHardware, .rootSteps = 2, .output = clt_outputKeys, .entryLevel = -1, .depthStep = 2 };
}

static bool InRange( int value, int lowest, int highest )
{
    return value >= lowest && value <= highest;
}

static bool IsGoodResearch( const cltResearchDef* research )
{
    return research == NULL ||
           ( InRange( (int)research->root, clt_rootHardware, clt_rootNone ) && InRange( research->rootSteps, 1, 4 ) &&
             InRange( (int)research->output, clt_outputKeys, clt_outputBits ) &&
             InRange( research->entryLevel, -1, CLT_MAX_ENTRY_LEVEL ) && InRange( research->depthStep, 1, 4 ) );
}

cltStatus cltCheckDef( const cltBroadphaseDef* def )
{
    const bool good = def != NULL && def->internalValue == DEF_COOKIE &&
                      InRange( (int)def->device, clt_deviceAuto, clt_deviceCuda ) &&
                      InRange( (int)def->algorithm, clt_algorithmAuto, clt_algorithmFrontier ) &&
                      InRange( (int)def->simd, clt_simdAuto, clt_simdNeon ) &&
                      InRange( (int)def->precision, clt_precisionFloat, clt_precisionDouble ) &&
                      InRange( def->threadCount, 0, CLT_MAX_THREADS ) && def->proxyCapacity <= CLT_MAX_PROXIES &&
                      ( def->hooks.allocate == NULL ) == ( def->hooks.release == NULL ) &&
                      IsGoodResearch( def->research );
    return good ? cltCheckHostDef( def ) : clt_invalidArgument;
}

static cltStatus CreateParts( cltBroadphase* broadphase, cltCreateBackendFcn* createBackend )
{
    CLT_TRY( createBackend( &broadphase->def, &broadphase->memory, &broadphase->backend ) );
    CLT_TRY( cltProxyTable_Keep( &broadphase->table, broadphase->backend->needsBeforeAbove,
                                 broadphase->backend->needsLanes ) );
    CLT_TRY( cltProxyTable_Reserve( &broadphase->table, broadphase->def.proxyCapacity ) );
    CLT_TRY( cltCreateQueries( &broadphase->memory, broadphase->def.simd, &broadphase->queries ) );
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
    const cltDeviceChoice choice = cltChooseDevice( def );
    *broadphase = ( cltBroadphase ){
        .def = *def,
        .research = def->research != NULL ? *def->research : cltDefaultResearchDef(),
        .memory = memory,
        .table = { .memory = &broadphase->memory,
                   .precision = def->precision,
                   .reportsDestroyed = def->reportDestroyed,
                   .keepsFiltersBefore = def->filterMasks,
                   .expected = def->proxyCapacity },
        .stats = { .device = choice.device, .deviceReason = choice.reason, .reason = "no update yet" },
        .offer = *offer,
        .mayBePromoted = choice.mayBePromoted,
        .deviceOwner = choice.device == clt_deviceCpu ? 0 : cltProcessId(), // a system call
    };
    broadphase->def.research = &broadphase->research;
    const cltStatus status =
        CreateParts( broadphase, choice.device == clt_deviceCpu ? cltCreateHostBackend : offer->create );
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
    cltMemory memory = broadphase->memory; // a copy: the original is part of the block that is released
    cltMemory_Release( &memory, broadphase, sizeof *broadphase );
}
