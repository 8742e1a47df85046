// SPDX-License-Identifier: Zlib
// The backend for the CPU: gives the bridge's upload to a host algorithm, and sorts the keys that it finds. The stages
// in order: upload, build, findChanges, readBack, commit.

#include "gpu/host/host_backend.h"
#include "gpu/host/wide/kernels.h"
#include "gpu/rest/rest.h"

static cltStatus HostUpload( cltBackend* backend, const cltUpload* upload )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    host->upload = upload;
    (void)cltHost_LapMs( host );
    cltHost_SetInput( host, upload, &host->input );
    host->slotBits = cltIndexBits( upload->slotCount );
    host->stats = ( cltStats ){ .algorithm = host->running, .simd = host->simd, .reason = host->reason };
    host->research = ( cltResearchStats ){ 0 };
    return clt_ok;
}

/// Measured on x86-64 with AVX-512, two processors, brownian bodies that all move: from 1,000 to 100,000 of them `wide`
/// takes half the time of `lbvh`. `cullet compare --engines cullet-wide,cullet-lbvh,cullet-grid,cullet-brute` repeats
/// the measurement.
static void ChooseWide( cltHostBackend* host )
{
    host->running = clt_algorithmWide;
    host->reason = "on a CPU blocks under a wide tree were the fastest for more than 64 bodies";
}

/// Called before a rebuild: makes the list of previous pairs to compare with. If the list is empty, nothing is
/// compared: every pair found is new.
static cltStatus BeginComparison( cltHostBackend* host )
{
    const cltUpload* upload = host->upload;
    CLT_TRY( cltHost_RefreshPairList( host, upload ) );
    cltPairList_Adapt( &host->pairList, host->slotBits, upload->destroyedCount > 0 ? upload->states : NULL );
    host->compares = host->pairList.count > 0;
    return clt_ok;
}

/// Replaces the pair matrix, which has too many slots. The update must be a rebuild: `wide` does not get the previous
/// pairs.
static cltStatus ReplaceMatrix( cltHostBackend* host )
{
    cltHostAlgorithm* wide;
    CLT_TRY( cltCreateWide( &host->resources, &wide ) );
    host->algorithm->ops->destroy( host->algorithm );
    host->algorithm = wide;
    host->usesMatrix = false;
    ChooseWide( host );
    host->stats.algorithm = host->running;
    host->stats.reason = host->reason;
    return clt_ok;
}

static cltStatus HostBuild( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const cltUpload* upload = host->upload;
    const bool isFresh = host->algorithm->ops->shouldRebuild( host->algorithm, upload );
    host->compares = false;
    if ( isFresh )
    {
        CLT_TRY( BeginComparison( host ) );
        if ( host->usesMatrix )
        {
            CLT_TRY( ReplaceMatrix( host ) );
        }
    }
    cltPairList_BeginUpdate( &host->pairList );
    CLT_TRY( host->algorithm->ops->build( host->algorithm, upload, &host->input, isFresh ) );
    host->stats.buildMs = cltHost_LapMs( host );
    return clt_ok;
}

static cltStatus CompareWithList( cltHostBackend* host )
{
    const cltPairList* list = &host->pairList;
    const cltStatus status =
        cltPairDifference_Find( &host->difference, ( cltSortedPairs ){ list->keys.data, list->count },
                                ( cltSortedPairs ){ host->sink.buffer.data, (size_t)host->sink.next }, host->slotBits,
                                host->resources.pool, host->resources.memory );
    host->stats.orderMs += cltHost_LapMs( host );
    return status;
}

/// Searches only if some pair can have changed: if a changed slot has a proxy, or pairs of proxies at rest changed.
static cltStatus HostFindChanges( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    host->sink.next = 0;
    if ( host->upload->changedCount == host->upload->destroyedCount &&
         ( host->upload->rest == NULL || !cltRest_MayChangePairs( host->upload->rest ) ) )
    {
        host->compares = false;
        return clt_ok;
    }
    CLT_TRY( cltHost_Search( host, clt_findChanges, &host->input ) );
    return host->compares ? CompareWithList( host ) : clt_ok;
}

static cltStatus HostReadBack( cltBackend* backend, cltPairKeys* changes )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    const cltPairDifference* difference = &host->difference;
    *changes = ( cltPairKeys ){ .keys = host->compares ? difference->changes.data : host->sink.buffer.data,
                                .count = host->compares ? difference->count : (size_t)host->sink.next,
                                .slotBits = host->slotBits };
    return clt_ok;
}

static void HostCommit( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    cltWorkerPool_LetSleep( host->resources.pool );
    if ( host->compares )
    {
        cltPairList_Take( &host->pairList, &host->sink.buffer, (size_t)host->sink.next, host->slotBits );
        host->sink.next = 0;
        host->compares = false;
    }
    else
    {
        cltPairList_Commit( &host->pairList, host->slotBits, host->upload->destroyedCount == 0 );
    }
    host->algorithm->ops->commit( host->algorithm );
    cltHost_ShrinkKeyBuffers( host );
}

static cltStatus HostReadPairs( cltBackend* backend, const cltUpload* table, cltPairKeys* pairs )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const cltPairList* list = &host->pairList;
    host->upload = table;
    CLT_TRY( cltHost_RefreshPairList( host, table ) );
    cltWorkerPool_LetSleep( host->resources.pool );
    *pairs = ( cltPairKeys ){ .keys = list->keys.data, .count = list->count, .slotBits = list->slotBits };
    return clt_ok;
}

static const cltQueryBase* HostViewBoxes( const cltBackend* backend )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    return host->algorithm->ops->viewBoxes( host->algorithm );
}

static uint64_t HostPairsOf( const cltBackend* backend, uint32_t slot )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    return host->usesMatrix && slot < CLT_FEW_SLOTS ? cltPairMatrix_PairsOf( host->algorithm, slot ) : 0u;
}

static void HostDraw( const cltBackend* backend, const cltDrawing* drawing )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    host->algorithm->ops->draw( host->algorithm, drawing );
}

static void HostGetStats( const cltBackend* backend, cltStats* stats, cltResearchStats* research )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    *stats = host->stats;
    *research = host->research;
}

static void HostDestroy( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    cltMemory* memory = host->resources.memory;
    if ( host->algorithm != NULL )
    {
        host->algorithm->ops->destroy( host->algorithm );
    }
    cltDestroyWorkerPool( host->resources.pool, memory );
    cltBuffer_Release( &host->sink.buffer, memory );
    cltBuffer_Release( &host->committedBoxes, memory );
    cltPairList_Release( &host->pairList, memory );
    cltPairDifference_Release( &host->difference, memory );
    cltRadixSort_Release( &host->sort, memory );
    cltMemory_Release( memory, host, sizeof *host );
}

static const cltBackendOps hostOps = { .device = clt_deviceCpu,
                                       .upload = HostUpload,
                                       .build = HostBuild,
                                       .findChanges = HostFindChanges,
                                       .readBack = HostReadBack,
                                       .commit = HostCommit,
                                       .readPairs = HostReadPairs,
                                       .viewBoxes = HostViewBoxes,
                                       .pairsOf = HostPairsOf,
                                       .draw = HostDraw,
                                       .getStats = HostGetStats,
                                       .destroy = HostDestroy };

static cltStatus CreateAlgorithm( cltHostBackend* host )
{
    const bool isDouble = host->resources.def->precision == clt_precisionDouble;
    switch ( host->resources.def->algorithm )
    {
    case clt_algorithmAuto:
        host->running = clt_algorithmBruteForce;
        host->reason = "on a CPU testing all pairs was the fastest for at most 64 bodies";
        host->usesMatrix = true;
        host->base.needsLanes = true;
        host->base.needsBeforeAbove = isDouble ? CLT_FEW_SLOTS : CLT_NEVER_BEFORE;
        return cltCreatePairMatrix( cltWideKernels_Get( host->simd )->meetBlocks, host->resources.memory,
                                    &host->algorithm );
    case clt_algorithmWide: // its lanes hold the previous boxes, but in float
        host->base.needsBeforeAbove = isDouble ? 0 : CLT_NEVER_BEFORE;
        return cltCreateWide( &host->resources, &host->algorithm );
    default:
        return cltCreateReference( &host->resources, &host->algorithm );
    }
}

static cltStatus CreateHostParts( cltHostBackend* host )
{
    CLT_TRY( cltCreateWorkerPool( host->resources.def, host->resources.memory, &host->resources.pool ) );
    host->base.pool = host->resources.pool;
    return CreateAlgorithm( host );
}

cltStatus cltCheckHostDef( const cltBroadphaseDef* def )
{
    return cltWideKernels_Get( def->simd ) != NULL ? clt_ok : clt_invalidArgument;
}

cltStatus cltCreateHostBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    *backend = NULL;
    cltHostBackend* host = cltMemory_Allocate( memory, sizeof *host );
    if ( host == NULL )
    {
        return clt_hostMemory;
    }
    *host = ( cltHostBackend ){ .base = { .ops = &hostOps }, .running = def->algorithm, .reason = "asked for" };
    host->pairList.age = clt_pairListCurrent; // there are no pairs yet
    host->simd = cltWideKernels_Get( def->simd )->simd;
    host->resources = ( cltHostResources ){ .def = def, .memory = memory };
    const cltStatus status = CreateHostParts( host );
    if ( status != clt_ok )
    {
        HostDestroy( &host->base );
        return status;
    }
    *backend = &host->base;
    return clt_ok;
}
