// SPDX-License-Identifier: Zlib
// Fills the struct of backend functions for the CPU. The stages in order: upload, build, findChanges, readBack,
// commit.

#include "gpu/host/host_backend.h"

#include "gpu/host/choose.h"
#include "gpu/platform/clock.h"

#include <stdio.h>
#include <string.h>

static size_t BoxSize( const cltHostBackend* host )
{
    return host->def->precision == clt_precisionDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

/// True if a proxy has another filter than at the last committed update.
static bool AnyFilterChanged( const cltUpload* upload )
{
    for ( uint32_t i = 0; upload->filters != NULL && i < upload->changedCount; ++i )
    {
        const cltFilter* now = upload->filters + upload->changed[i];
        const cltFilter* before = upload->filtersBefore + upload->changed[i];
        if ( now->group != before->group || now->mask != before->mask )
        {
            return true;
        }
    }
    return false;
}

static cltStatus HostUpload( cltBackend* backend, const cltUpload* upload )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    host->lap = upload->beginMs;
    cltPairList_BeginUpdate( &host->pairList );
    host->renewable = host->current && upload->appearedCount == 0 && upload->destroyedCount == 0;
    host->current = false; // growing moves what the leaves point at
    host->upload = *upload;
    host->slotCount = upload->slotCount;
    host->liveChangeCount = upload->changedCount - upload->destroyedCount;
    host->filtersChanged = upload->refilteredCount > 0 && AnyFilterChanged( upload );
    host->stats = ( cltBackendStats ){
        .algorithm = host->choice.algorithm, .simd = host->wide.kernels->simd, .reason = host->choice.reason };
    host->stats.uploadMs = cltLapMs( &host->lap );
    return clt_ok;
}

/// Leaves and search structure of the given slots, by the algorithm that is asked for or best.
/// \param filters  of now, or NULL
static cltStatus BuildStructure( cltHostBackend* host, const cltSlots* slots, const cltFilter* filters )
{
    cltLeaves* leaves = &host->table.leaves;
    host->viewable = false;
    ++host->generation;
    leaves->filters = filters;
    leaves->filtersBefore = host->upload.filtersBefore;
    leaves->filtersChanged = host->filtersChanged;
    leaves->slotBits = cltIndexBits( host->slotCount );
    const cltAlgorithm algorithm = host->choice.algorithm;

    const bool keepOrder = host->renewable && algorithm == clt_algorithmLbvh && !host->lbvh.isStale &&
                           cltLeafTable_Renew( &host->table, slots, host->liveChangeCount, host->pool );
    if ( !keepOrder )
    {
        CLT_TRY( cltLeafTable_Make( &host->table, slots, host->pool, host->memory ) );
    }
    if ( algorithm == clt_algorithmLbvh )
    {
        return cltLbvh_Build( &host->lbvh, &host->table, !keepOrder, host->pool, host->memory );
    }
    if ( algorithm == clt_algorithmGrid )
    {
        const cltPairMap map = { host->def->root, host->def->rootSteps };
        return cltGridCells_Build( &host->gridCells, &host->table, &map, host->pool, host->memory );
    }
    return clt_ok;
}

static cltStatus HostBuild( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    if ( cltHostBackend_UsesWide( host ) )
    {
        host->viewable = false;
        ++host->generation;
        CLT_TRY( cltWide_Build( &host->wide, &host->upload, host->liveChangeCount ) );
    }
    else if ( host->liveChangeCount > 0 )
    {
        const cltSlots slots = { .now = host->upload.boxes,
                                 .before = host->upload.before,
                                 .changed = host->upload.states,
                                 .changedMask = CLT_SLOT_CHANGED,
                                 .isDouble = host->def->precision == clt_precisionDouble,
                                 .count = host->upload.slotCount };
        CLT_TRY( BuildStructure( host, &slots, host->upload.filters ) );
    }
    host->stats.buildMs = cltLapMs( &host->lap );
    return clt_ok;
}

static cltStatus HostFindChanges( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    host->sink.next = 0;
    return host->liveChangeCount > 0 ? cltHostBackend_Search( host, clt_findChanges ) : clt_ok;
}

static cltStatus HostReadBack( cltBackend* backend, cltPairKeys* changes )
{
    const cltHostBackend* host = (cltHostBackend*)backend;
    *changes = ( cltPairKeys ){
        .keys = host->sink.buffer.data, .count = host->sink.next, .slotBits = cltIndexBits( host->slotCount ) };
    return clt_ok;
}

static void HostCommit( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    cltWorkerPool_Rest( host->pool );
    host->filtersChanged = false;
    cltPairList_Commit( &host->pairList, cltIndexBits( host->slotCount ), host->upload.destroyedCount == 0 );
    if ( cltHostBackend_UsesWide( host ) )
    {
        cltWide_Commit( &host->wide );
        host->current = true;
        host->viewable = true;
        return;
    }
    host->current = host->liveChangeCount > 0; // else slots went and their leaves are still there
    host->viewable = host->viewable || ( host->current && host->choice.algorithm == clt_algorithmLbvh );
}

/// Makes the search structure that of the last committed update, if an update since did not come to its end.
static cltStatus BringBack( cltHostBackend* host )
{
    if ( host->current )
    {
        return clt_ok;
    }
    if ( cltHostBackend_UsesWide( host ) )
    {
        ++host->generation;
        cltWide_Restore( &host->wide );
    }
    else
    {
        const cltUpload* table = &host->upload;
        CLT_TRY( cltBuffer_Reserve( &host->boxesBefore, host->memory, table->slotCount, BoxSize( host ) ) );
        cltUpload_CopyBefore( table, BoxSize( host ), host->boxesBefore.data );
        const cltSlots slots = { .now = host->boxesBefore.data,
                                 .isDouble = host->def->precision == clt_precisionDouble,
                                 .count = table->slotCount };
        host->renewable = false;
        CLT_TRY( BuildStructure( host, &slots, host->upload.filtersBefore ) );
    }
    host->current = true;
    host->viewable = cltHostBackend_UsesWide( host ) || host->choice.algorithm == clt_algorithmLbvh;
    return clt_ok;
}

static cltStatus HostReadPairs( cltBackend* backend, const cltUpload* table, cltPairKeys* pairs )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    host->upload = *table;
    host->table.leaves.filters = host->table.leaves.filtersBefore = table->filtersBefore;
    cltPairList* list = &host->pairList;
    if ( list->age == clt_pairListOneBehind )
    {
        CLT_TRY( cltPairList_Apply( list, host->memory, host->sink.buffer.data, host->sink.next ) );
    }
    else if ( list->age == clt_pairListUnknown )
    {
        CLT_TRY( BringBack( host ) );
        CLT_TRY( cltHostBackend_Search( host, clt_findPairs ) );
        cltWorkerPool_Rest( host->pool );
        cltPairList_Take( list, &host->sink.buffer, host->sink.next, cltIndexBits( host->slotCount ) );
    }
    *pairs = ( cltPairKeys ){ .keys = list->keys.data, .count = list->count, .slotBits = list->slotBits };
    return clt_ok;
}

static cltLeafView HostViewLeaves( const cltBackend* backend )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    if ( !host->viewable )
    {
        return ( cltLeafView ){ .generation = 0 };
    }
    if ( cltHostBackend_UsesWide( host ) )
    {
        const cltBoxTree* tree = &host->wide.tree;
        return ( cltLeafView ){ .tree = tree,
                                .blocks = tree->levels[0],
                                .refs = tree->refs,
                                .blockedCount = tree->counts[0],
                                .asideRefs = cltWide_Refs( &host->wide ),
                                .asideCount = host->wide.asideCount,
                                .generation = host->generation };
    }
    const cltLeafRef* refs = host->table.refs.data;
    return ( cltLeafView ){ .blocks = host->lbvh.blocks.data,
                            .refs = refs,
                            .blockedCount = host->table.searchableCount,
                            .asideRefs = refs + host->table.searchableCount,
                            .asideCount = host->table.leaves.count - host->table.searchableCount,
                            .generation = host->generation };
}

static void HostGetStats( const cltBackend* backend, cltBackendStats* stats )
{
    *stats = ( (const cltHostBackend*)backend )->stats;
}

static void HostDestroy( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    cltMemory* memory = host->memory;
    cltDestroyWorkerPool( host->pool, memory );
    cltBuffer_Release( &host->boxesBefore, memory );
    cltWide_Release( &host->wide );
    cltLeafTable_Release( &host->table, memory );
    cltLbvh_Release( &host->lbvh, memory );
    cltGridCells_Release( &host->gridCells, memory );
    cltBuffer_Release( &host->sink.buffer, memory );
    cltPairList_Release( &host->pairList, memory );
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
                                       .viewLeaves = HostViewLeaves,
                                       .getStats = HostGetStats,
                                       .destroy = HostDestroy };

cltStatus cltCreateHostBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend )
{
    *backend = NULL;
    const cltWideKernels* kernels = cltWideKernels_Get( def->simd );
    if ( kernels == NULL )
    {
        return clt_invalidArgument;
    }
    cltHostBackend* host = cltMemory_Allocate( memory, sizeof *host );
    if ( host == NULL )
    {
        return clt_hostMemory;
    }
    *host = ( cltHostBackend ){
        .base = { &hostOps }, .def = def, .memory = memory, .choice = cltChooseAlgorithm( def->algorithm ) };
    host->base.readsBefore = !cltHostBackend_UsesWide( host ) || def->precision == clt_precisionDouble;
    cltStatus status = cltCreateWorkerPool( def, memory, &host->pool );
    if ( status != clt_ok )
    {
        cltMemory_Release( memory, host, sizeof *host );
        return status;
    }
    host->wide = ( cltWide ){
        .kernels = kernels, .pool = host->pool, .memory = memory, .isDouble = def->precision == clt_precisionDouble };
    *backend = &host->base;
    return clt_ok;
}

void cltReportHost( cltDeviceReport* report )
{
    const int processors = cltProcessorCount();
    report->device = clt_deviceCpu;
    report->usable = true;
    snprintf( report->name, sizeof report->name, "CPU, %d processor%s", processors, processors == 1 ? "" : "s" );
    snprintf( report->reason, sizeof report->reason, "always there" );
}
