// SPDX-License-Identifier: Zlib
// Checks the arguments of cullet_arrays.h. On the CPU, a broadphase has a proxy for each box: proxies are never
// destroyed, so a proxy's id is its box's index. On a device, gpu/cuda reads the arrays.

#include "bridge/cullet_arrays.h"

#include "bridge/create.h"
#include "gpu/arrays.h"
#include "gpu/core/aabb.h"

struct cltArrays
{
    cltBroadphaseDef def;
    cltResearchDef research;
    cltMemory memory;
    cltDeviceArrays* device; ///< NULL on the CPU
    cltBroadphase* host;     ///< NULL on a device
    uint32_t proxyCount;     ///< proxies of `host`
    uint32_t visibleCount;   ///< proxies of `host` that may have a box without NaN
    bool hasFilters;         ///< the last update had filters
};

// ---------------------------------------------------------------------------------------------------------- the CPU

static cltStatus AddBoxes( cltBroadphase* host, size_t count, const void* boxes, bool isDouble )
{
    return isDouble ? cltBroadphase_CreateProxiesD( host, count, boxes, NULL, NULL, NULL )
                    : cltBroadphase_CreateProxies( host, count, boxes, NULL, NULL, NULL );
}

static cltStatus SetBoxes( cltBroadphase* host, size_t count, const void* boxes, bool isDouble )
{
    return isDouble ? cltBroadphase_MoveProxiesD( host, count, NULL, boxes )
                    : cltBroadphase_MoveProxies( host, count, NULL, boxes );
}

/// Gives proxies from `first` on a box of NaN.
static cltStatus HideBoxes( const cltArrays* arrays, uint32_t first )
{
    const cltAabb nan = cltAabb_Nan();
    for ( uint32_t i = first; i < arrays->visibleCount; ++i )
    {
        CLT_TRY( cltBroadphase_MoveProxy( arrays->host, i, &nan ) );
    }
    return clt_ok;
}

/// Sets the filters of the first `count` proxies. Without filters, makes each proxy accept all.
static cltStatus SetFiltersOfBoxes( const cltArrays* arrays, uint32_t count, const cltFilter* filters )
{
    if ( filters != NULL )
    {
        return cltBroadphase_SetFilters( arrays->host, count, NULL, filters );
    }
    const cltFilter all = { -1, -1 };
    for ( uint32_t i = 0; i < arrays->proxyCount && arrays->hasFilters; ++i )
    {
        CLT_TRY( cltBroadphase_SetFilter( arrays->host, i, &all ) );
    }
    return clt_ok;
}

/// May be repeated after an error.
static cltStatus UpdateOnHost( cltArrays* arrays, const cltArrayInput* input, cltPairChanges* changes )
{
    const uint32_t known = input->count < arrays->proxyCount ? input->count : arrays->proxyCount;
    const size_t boxSize = input->isDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
    if ( input->count > known )
    {
        CLT_TRY( AddBoxes( arrays->host, input->count - known, (const char*)input->boxes + known * boxSize,
                           input->isDouble ) );
        arrays->proxyCount = input->count;
        arrays->visibleCount = input->count;
    }
    CLT_TRY( SetBoxes( arrays->host, known, input->boxes, input->isDouble ) );
    CLT_TRY( HideBoxes( arrays, input->count ) );
    CLT_TRY( SetFiltersOfBoxes( arrays, input->count, input->filters ) );
    arrays->visibleCount = input->count;
    arrays->hasFilters = input->filters != NULL;
    return cltBroadphase_Update( arrays->host, changes );
}

// --------------------------------------------------------------------------------------------------- the functions

static cltStatus CreateForDevice( cltArrays* arrays )
{
    if ( arrays->def.device == clt_deviceCuda )
    {
        return cltCreateCudaArrays( &arrays->def, &arrays->memory, &arrays->device );
    }
    return cltCreateBroadphase( &arrays->def, &arrays->host );
}

cltStatus cltCreateArrays( const cltBroadphaseDef* def, cltArrays** result )
{
    if ( result == NULL )
    {
        return clt_invalidArgument;
    }
    *result = NULL;
    CLT_TRY( cltCheckDef( def ) );
    if ( def->promoteFrom != 0 )
    {
        return clt_invalidArgument;
    }
    cltMemory memory;
    cltMemory_Init( &memory, def );
    cltArrays* arrays = cltMemory_Allocate( &memory, sizeof *arrays );
    if ( arrays == NULL )
    {
        return clt_hostMemory;
    }
    *arrays = ( cltArrays ){
        .def = *def, .research = def->research != NULL ? *def->research : cltDefaultResearchDef(), .memory = memory };
    arrays->def.research = &arrays->research;
    const cltStatus status = CreateForDevice( arrays );
    if ( status != clt_ok )
    {
        cltDestroyArrays( arrays );
        return status;
    }
    *result = arrays;
    return clt_ok;
}

void cltDestroyArrays( cltArrays* arrays )
{
    if ( arrays == NULL )
    {
        return;
    }
    if ( arrays->device != NULL )
    {
        arrays->device->ops->destroy( arrays->device );
    }
    cltDestroyBroadphase( arrays->host );
    cltMemory memory = arrays->memory; // a copy: the original is part of the block that is released
    cltMemory_Release( &memory, arrays, sizeof *arrays );
}

static bool IsAligned( const void* array, size_t alignment )
{
    return (uintptr_t)array % alignment == 0;
}

static cltStatus CheckArrayInput( const cltArrays* arrays, size_t count, const cltArrayInput* input )
{
    const size_t alignment = input->isDouble ? _Alignof( cltAabbD ) : _Alignof( cltAabb );
    if ( arrays == NULL || ( input->boxes == NULL && count > 0 ) || !IsAligned( input->boxes, alignment ) ||
         !IsAligned( input->filters, _Alignof( cltFilter ) ) )
    {
        return clt_invalidArgument;
    }
    if ( input->isDouble != ( arrays->def.precision == clt_precisionDouble ) )
    {
        return clt_wrongPrecision;
    }
    return count <= CLT_MAX_PROXIES ? clt_ok : clt_tooManyProxies;
}

/// Passes the device's message to the log hook, if the device failed. Returns the status.
static cltStatus LogDeviceFailure( const cltArrays* arrays, cltStatus status )
{
    const cltHooks* hooks = &arrays->def.hooks;
    if ( ( status == clt_deviceMemory || status == clt_deviceFailed || status == clt_noDevice ) && hooks->log != NULL )
    {
        hooks->log( status, arrays->device->failure, hooks->userContext );
    }
    return status;
}

static cltStatus UpdateArrays( cltArrays* arrays, size_t count, cltArrayInput input, cltPairChanges* changes )
{
    cltPairChanges ignored;
    changes = changes != NULL ? changes : &ignored;
    *changes = ( cltPairChanges ){ 0 };
    CLT_TRY( CheckArrayInput( arrays, count, &input ) );
    input.count = (uint32_t)count;
    if ( !arrays->def.filterMasks )
    {
        input.filters = NULL;
    }
    if ( arrays->device != NULL )
    {
        return LogDeviceFailure( arrays, arrays->device->ops->update( arrays->device, &input, changes ) );
    }
    if ( cltIsDeviceMemory( input.boxes ) || cltIsDeviceMemory( input.filters ) )
    {
        return clt_wrongMemory;
    }
    return UpdateOnHost( arrays, &input, changes );
}

cltStatus cltArrays_Update( cltArrays* arrays, size_t count, const cltAabb* boxes, const cltFilter* filters,
                            cltPairChanges* changes )
{
    return UpdateArrays( arrays, count, ( cltArrayInput ){ .boxes = boxes, .filters = filters }, changes );
}

cltStatus cltArrays_UpdateD( cltArrays* arrays, size_t count, const cltAabbD* boxes, const cltFilter* filters,
                             cltPairChanges* changes )
{
    return UpdateArrays( arrays, count, ( cltArrayInput ){ .boxes = boxes, .filters = filters, .isDouble = true },
                         changes );
}

cltStatus cltArrays_GetPairs( cltArrays* arrays, const cltPair** pairs, size_t* count )
{
    if ( arrays == NULL || pairs == NULL || count == NULL )
    {
        return clt_invalidArgument;
    }
    if ( arrays->device == NULL )
    {
        return cltBroadphase_GetPairs( arrays->host, pairs, count );
    }
    *pairs = NULL;
    *count = 0;
    return LogDeviceFailure( arrays, arrays->device->ops->getPairs( arrays->device, pairs, count ) );
}

cltStatus cltArrays_GetStats( const cltArrays* arrays, cltStats* stats )
{
    if ( arrays == NULL || stats == NULL )
    {
        return clt_invalidArgument;
    }
    if ( arrays->device == NULL )
    {
        CLT_TRY( cltBroadphase_GetStats( arrays->host, stats ) );
        stats->hostBytes += arrays->memory.bytes;
        stats->proxyCount = arrays->visibleCount;
        stats->nanCount -= arrays->proxyCount - arrays->visibleCount;
        return clt_ok;
    }
    arrays->device->ops->getStats( arrays->device, stats );
    stats->hostBytes = arrays->memory.bytes;
    return clt_ok;
}
