// SPDX-License-Identifier: Zlib
// Updates from boxes in device memory, to pairs in device memory (bridge/cullet_arrays.h). A kernel takes the boxes
// from the array, in place of an upload, and another makes pairs of the sorted keys (cuda_search.cu). Only the plan
// crosses the bus.
//
// Which boxes appeared is known on the device alone. If an update kept the order of the leaves, but boxes appeared, it
// is repeated with a new order. The next update does not keep the order, because more boxes are likely to appear.

#include "gpu/arrays.h"
#include "gpu/cuda/cuda_backend.cuh"

#include <new>

typedef struct CudaArrays
{
    cltDeviceArrays base;
    cltCudaBackend* cuda;
    cltMemory* memory;
} CudaArrays;

static cltStatus CheckMemory( const cltCudaDevice* device, const void* array )
{
    if ( array == NULL )
    {
        return clt_ok;
    }
    bool isManaged;
    const int ordinal = cltDeviceOfArray( array, &isManaged );
    return ordinal == device->ordinal || isManaged ? clt_ok : clt_wrongMemory;
}

/// Decides what the build may keep of the last order, before the boxes are taken.
static void BeginUpdate( cltCudaBackend* cuda, const cltArrayInput* input )
{
    cltCudaBackend_Begin( cuda );
    const uint32_t newCount = input->count > cuda->slots.count ? input->count - cuda->slots.count : 0u;
    const uint32_t lastAppeared = cuda->current ? cltCudaBackend_Plan( cuda )->appearedCount : 0u;
    cuda->keepsOrder = cuda->current && newCount == 0 && lastAppeared == 0;
    cuda->keepsRegion = cuda->current && newCount + lastAppeared <= cuda->slots.count / CLT_REGION_APPEARED_RATIO;
    cuda->current = false;
    cuda->filtersChanged = input->filters != NULL || cuda->slots.tookFilters;
}

static cltStatus FindChanges( cltCudaBackend* cuda, const cltArrayInput* input )
{
    CLT_TRY( cltDeviceLeaves_ReserveFound( &cuda->leaves, &cuda->device, 1 ) );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markBegin ) );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markArrived ) );
    CLT_TRY( cltDeviceSlots_Take( &cuda->slots, &cuda->device, input, cltDeviceLeaves_Plan( &cuda->leaves ) ) );
    cuda->liveChangeCount = cuda->slots.count; // the host does not know how many changed
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markUploaded ) );
    CLT_TRY( cltCudaBackend_Build( cuda, false ) );
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markBuilt ) );
    return cltCudaBackend_Search( cuda, clt_findChanges );
}

/// True if no box was ever taken, so that the device need not be initialized.
static bool IsUnused( const cltCudaBackend* cuda )
{
    return cuda->slots.count == 0 && !cuda->device.isLost;
}

/// After a failed device, its memory may be in any state: all later calls fail. Without memory, a call may be repeated.
static cltStatus NoteFailure( cltCudaBackend* cuda, cltStatus status )
{
    cuda->device.isLost = cuda->device.isLost || status == clt_deviceFailed;
    if ( status == clt_deviceMemory ) // else later calls would ask for as much again
    {
        cuda->expectedKeyCounts[clt_findChanges] = 0;
        cuda->expectedKeyCounts[clt_findPairs] = 0;
    }
    return status;
}

static cltStatus Update( cltDeviceArrays* base, const cltArrayInput* input, cltPairChanges* changes )
{
    cltCudaBackend* cuda = ( (CudaArrays*)base )->cuda;
    if ( input->count == 0 && IsUnused( cuda ) )
    {
        return clt_ok;
    }
    const cltCudaDeviceScope visit( &cuda->device, "cullet arrays" );
    CLT_TRY( NoteFailure( cuda, visit.status ) );
    CLT_TRY( CheckMemory( &cuda->device, input->boxes ) );
    CLT_TRY( CheckMemory( &cuda->device, input->filters ) );
    BeginUpdate( cuda, input );
    CLT_TRY( NoteFailure( cuda, FindChanges( cuda, input ) ) );
    cltDeviceSlots_CommitTaken( &cuda->slots, input->filters != NULL );
    cuda->current = true;
    cltCudaBackend_NoteTimes( cuda );
    cuda->stats.changedCount = input->count;
    const cltPair* pairs = (const cltPair*)cuda->pairs[clt_findChanges].data;
    const size_t endedCount = cltCudaBackend_Plan( cuda )->endedCount;
    *changes = { pairs + endedCount, pairs, (size_t)cuda->keyCount - endedCount, endedCount };
    return clt_ok;
}

static cltStatus FindPairs( cltCudaBackend* cuda )
{
    if ( !cuda->current ) // an update failed
    {
        CLT_TRY( cltCudaBackend_Build( cuda, true ) );
    }
    return cltCudaBackend_Search( cuda, clt_findPairs );
}

static cltStatus GetPairs( cltDeviceArrays* base, const cltPair** pairs, size_t* count )
{
    cltCudaBackend* cuda = ( (CudaArrays*)base )->cuda;
    if ( IsUnused( cuda ) )
    {
        return clt_ok;
    }
    const cltCudaDeviceScope visit( &cuda->device, "cullet pairs" );
    CLT_TRY( NoteFailure( cuda, visit.status ) );
    CLT_TRY( NoteFailure( cuda, FindPairs( cuda ) ) );
    *pairs = (const cltPair*)cuda->pairs[clt_findPairs].data;
    *count = (size_t)cuda->keyCount;
    return clt_ok;
}

static void GetStats( const cltDeviceArrays* base, cltStats* stats )
{
    const cltCudaBackend* cuda = ( (const CudaArrays*)base )->cuda;
    cltResearchStats research;
    cuda->base.ops->getStats( &cuda->base, stats, &research );
    stats->device = clt_deviceCuda;
    stats->deviceReason = "asked for";
    stats->proxyCount = stats->changedCount;
    stats->totalMs = stats->uploadMs + stats->buildMs + stats->findMs + stats->orderMs;
}

static void Destroy( cltDeviceArrays* base )
{
    CudaArrays* arrays = (CudaArrays*)base;
    arrays->cuda->base.ops->destroy( &arrays->cuda->base );
    cltMemory_Release( arrays->memory, arrays, sizeof *arrays );
}

static const cltDeviceArraysOps arraysOps = { Update, GetPairs, GetStats, Destroy };

cltStatus cltCreateCudaArrays( const cltBroadphaseDef* def, cltMemory* memory, cltDeviceArrays** result )
{
    *result = NULL;
    void* room = cltMemory_Allocate( memory, sizeof( CudaArrays ) );
    if ( room == NULL )
    {
        return clt_hostMemory;
    }
    cltBackend* backend;
    const cltStatus status = cltCreateCudaBackend( def, memory, &backend );
    if ( status != clt_ok )
    {
        cltMemory_Release( memory, room, sizeof( CudaArrays ) );
        return status;
    }
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    cuda->keysStay = true;
    *result = &( new ( room ) CudaArrays{ { &arraysOps, cuda->device.failure }, cuda, memory } )->base;
    return clt_ok;
}
