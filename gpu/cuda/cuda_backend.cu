// SPDX-License-Identifier: Zlib
// Implements the backend functions for a CUDA device. The stages in order: upload, build, findChanges, readBack,
// commit.

#include "gpu/cuda/cuda_backend.cuh"

#include <new>

void cltCudaBackend_Begin( cltCudaBackend* cuda )
{
    cuda->stats = cltStats();
    cuda->research = cltResearchStats();
    cuda->stats.algorithm = cuda->algorithm;
    cuda->stats.reason = cuda->reason;
    cuda->device.operationCount = 0;
    cuda->device.failure[0] = '\0';
    cuda->crowdedUpdates -= cuda->crowdedUpdates > 0 ? 1u : 0u;
    cuda->sortedUpdates -= cuda->sortedUpdates > 0 ? 1u : 0u;
    cuda->keyCount = 0;
}

static cltStatus CudaUpload( cltBackend* backend, const cltUpload* upload )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    const cltCudaDeviceScope visit( &cuda->device, "cullet upload" );
    CLT_TRY( visit.status );
    cltCudaBackend_Begin( cuda );
    cuda->keepsOrder = cuda->current && upload->appearedCount == 0 && upload->slotCount == cuda->slots.count;
    cuda->keepsRegion = upload->appearedCount <= upload->slotCount / CLT_REGION_APPEARED_RATIO;
    cuda->current = false;
    cuda->liveChangeCount = upload->changedCount - upload->destroyedCount;
    cuda->filtersChanged = upload->refilteredCount > 0;
    CLT_TRY( cltCudaDevice_Mark( &cuda->device, clt_markBegin ) );
    CLT_TRY( cltDeviceSlots_Upload( &cuda->slots, &cuda->device, cuda->pool, upload,
                                    cltDeviceLeaves_Plan( &cuda->leaves ) ) );
    return cltCudaDevice_Mark( &cuda->device, clt_markUploaded );
}

static cltStatus CudaBuild( cltBackend* backend )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    const cltCudaDeviceScope visit( &cuda->device, "cullet build" );
    CLT_TRY( visit.status );
    if ( cuda->liveChangeCount > 0 ) // otherwise nothing is searched
    {
        CLT_TRY( cltCudaBackend_Build( cuda, false ) );
    }
    return cltCudaDevice_Mark( &cuda->device, clt_markBuilt );
}

static cltStatus CudaFindChanges( cltBackend* backend )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    const cltCudaDeviceScope visit( &cuda->device, "cullet find" );
    CLT_TRY( visit.status );
    return cuda->liveChangeCount > 0 ? cltCudaBackend_Search( cuda, clt_findChanges ) : clt_ok;
}

void cltCudaBackend_NoteTimes( cltCudaBackend* cuda )
{
    const cltCudaDevice* device = &cuda->device;
    cuda->stats.uploadMs = cltCudaDevice_Elapsed( device, clt_markBegin, clt_markUploaded );
    if ( cuda->liveChangeCount > 0 )
    {
        cuda->stats.buildMs = cltCudaDevice_Elapsed( device, clt_markUploaded, clt_markBuilt );
        cuda->stats.findMs = cltCudaDevice_Elapsed( device, clt_markBuilt, clt_markFound );
        cuda->stats.orderMs = cltCudaDevice_Elapsed( device, clt_markFound, clt_markOrdered );
    }
    cuda->research.kernelMs = cltCudaDevice_Elapsed( device, clt_markArrived, clt_markUploaded ) + cuda->stats.buildMs +
                              cuda->stats.findMs + cuda->stats.orderMs;
}

/// Returns the keys of the last search, which has waited for the stream.
static void ReturnKeys( cltCudaBackend* cuda, cltPairKeys* keys )
{
    keys->keys = cuda->keyCount > 0 ? cltPlan_Keys( cuda->result.data ) : NULL;
    keys->count = (size_t)cuda->keyCount;
    keys->slotBits = cltIndexBits( cuda->slots.count );
}

static cltStatus CudaReadBack( cltBackend* backend, cltPairKeys* changes )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    const cltCudaDeviceScope visit( &cuda->device, "cullet read back" );
    CLT_TRY( visit.status );
    if ( cuda->device.copying ) // no search has waited for the upload
    {
        CLT_TRY( cltCudaDevice_Wait( &cuda->device ) );
    }
    ReturnKeys( cuda, changes );
    cltCudaBackend_NoteTimes( cuda );
    return clt_ok;
}

/// A commit has no status. If the device fails here, device memory is wrong, and every later upload is refused.
static void CudaCommit( cltBackend* backend )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    const cltCudaDeviceScope visit( &cuda->device, "cullet commit" );
    if ( visit.status != clt_ok || cltDeviceSlots_Commit( &cuda->slots, &cuda->device ) != clt_ok )
    {
        cuda->device.isLost = true;
    }
    cuda->research.operationCount = cuda->device.operationCount;
    cuda->filtersChanged = false;
    cuda->current = cuda->liveChangeCount > 0; // otherwise nothing was built, and leaves of destroyed slots remain
}

static cltStatus CudaReadPairs( cltBackend* backend, const cltUpload*, cltPairKeys* pairs )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    *pairs = cltPairKeys();
    if ( cuda->slots.count == 0 ) // nothing was ever uploaded
    {
        return clt_ok;
    }
    const cltCudaDeviceScope visit( &cuda->device, "cullet pairs" );
    CLT_TRY( visit.status );
    if ( !cuda->current )
    {
        CLT_TRY( cltCudaBackend_Build( cuda, true ) );
    }
    CLT_TRY( cltCudaBackend_Search( cuda, clt_findPairs ) );
    ReturnKeys( cuda, pairs );
    cuda->current = true;
    return clt_ok;
}

/// Returns NULL: leaves are in device memory, and queries never wait for the device. The bridge has a tree for queries.
static const cltQueryBase* CudaViewBoxes( const cltBackend* )
{
    return NULL;
}

static uint64_t CudaPairsOf( const cltBackend*, uint32_t )
{
    return 0; // the pairs are in device memory
}

/// Draws nothing: the structure is in device memory.
static void CudaDraw( const cltBackend*, const cltDrawing* )
{
}

static void CudaGetStats( const cltBackend* backend, cltStats* stats, cltResearchStats* research )
{
    const cltCudaBackend* cuda = (const cltCudaBackend*)backend;
    *stats = cuda->stats;
    stats->deviceBytes = cuda->device.bytes;
    *research = cuda->research;
}

static void CudaDestroy( cltBackend* backend )
{
    cltCudaBackend* cuda = (cltCudaBackend*)backend;
    cltMemory* memory = cuda->memory;
    cltDestroyWorkerPool( cuda->pool, memory );
    cltDestroyOnDevice( cuda );
    cltMemory_Release( memory, cuda, sizeof *cuda );
}

static const cltBackendOps cudaOps = { clt_deviceCuda, CudaUpload, CudaBuild,     CudaFindChanges,
                                       CudaReadBack,   CudaCommit, CudaReadPairs, CudaViewBoxes,
                                       CudaPairsOf,    CudaDraw,   CudaGetStats,  CudaDestroy };

/// clt_algorithmAuto chooses `wide`: for all numbers of bodies, its kernels take half to two thirds of the time of the
/// kernels of other algorithms (README.md).
static void ChooseAlgorithm( cltCudaBackend* cuda, cltAlgorithm asked )
{
    const bool isAuto = asked == clt_algorithmAuto;
    cuda->algorithm = isAuto ? clt_algorithmWide : asked;
    cuda->reason = isAuto ? "the fastest on a GPU" : "asked for";
}

cltStatus cltCreateCudaBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    *backend = NULL;
    int ordinal;
    cltDeviceReport report;
    CLT_TRY( cltFindCudaDevice( &ordinal, &report ) );
    void* room = cltMemory_Allocate( memory, sizeof( cltCudaBackend ) );
    if ( room == NULL )
    {
        return clt_hostMemory;
    }
    cltCudaBackend* cuda = new ( room ) cltCudaBackend();
    const cltStatus status = cltCreateWorkerPool( def, memory, &cuda->pool );
    if ( status != clt_ok )
    {
        cltMemory_Release( memory, cuda, sizeof *cuda );
        return status;
    }
    cuda->base = { &cudaOps, 0, false, cuda->pool, cuda->device.failure };
    cuda->def = def;
    cuda->memory = memory;
    cuda->device.ordinal = ordinal;
    cuda->device.givenStream = (cudaStream_t)def->stream;
    cuda->slots.isDouble = def->precision == clt_precisionDouble;
    ChooseAlgorithm( cuda, def->algorithm );
    cltCudaBackend_Begin( cuda );
    *backend = &cuda->base;
    return clt_ok;
}
