// SPDX-License-Identifier: Zlib
// Fills the struct of backend functions for the CPU. The stages in order: upload, build, findChanges, readBack,
// commit.

#include "gpu/host/host_backend.h"

#include "gpu/clock.h"
#include "gpu/host/choose.h"

#include <stdio.h>
#include <string.h>

static size_t BoxSize( const cltHostBackend* host )
{
    return host->def->precision == clt_precisionDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

static void SetAbsent( cltHostBackend* host, uint32_t slot )
{
    const float nan = cltNan();
    if ( host->def->precision == clt_precisionDouble )
    {
        const double wide = (double)nan;
        ( (cltAabbD*)host->previousBoxes.data )[slot] = ( cltAabbD ){ { wide, wide, wide }, { wide, wide, wide } };
    }
    else
    {
        ( (cltAabb*)host->previousBoxes.data )[slot] = ( cltAabb ){ { nan, nan, nan }, { nan, nan, nan } };
    }
}

/// Slots that were never seen had no box and any filter.
static cltStatus GrowPrevious( cltHostBackend* host, const cltUpload* upload )
{
    CLT_TRY( cltBuffer_Grow( &host->previousBoxes, host->memory, upload->slotCount, BoxSize( host ) ) );
    if ( upload->filters != NULL )
    {
        CLT_TRY( cltBuffer_Grow( &host->previousFilters, host->memory, upload->slotCount, sizeof( cltFilter ) ) );
    }
    for ( ; host->previousCount < upload->slotCount; ++host->previousCount )
    {
        SetAbsent( host, host->previousCount );
        if ( upload->filters != NULL )
        {
            ( (cltFilter*)host->previousFilters.data )[host->previousCount] = upload->filters[host->previousCount];
        }
    }
    return clt_ok;
}

static bool FilterChanged( const cltHostBackend* host, const cltUpload* upload, uint32_t slot )
{
    const cltFilter* before = (const cltFilter*)host->previousFilters.data + slot;
    return upload->filters[slot].group != before->group || upload->filters[slot].mask != before->mask;
}

static cltStatus HostUpload( cltBackend* backend, const cltUpload* upload )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const double start = cltNowMs();
    host->renewable = host->current; // the leaves are those of the last update
    host->current = false;           // growing moves what they point at
    CLT_TRY( GrowPrevious( host, upload ) );
    host->upload = *upload;
    host->liveChangeCount = 0;
    host->table.leaves.filtersChanged = false;
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        uint32_t slot = upload->changed[i];
        if ( ( upload->states[slot] & ( CLT_SLOT_DESTROYED | CLT_SLOT_APPEARED ) ) != 0 )
        {
            host->renewable = false;
        }
        if ( ( upload->states[slot] & CLT_SLOT_DESTROYED ) != 0 )
        {
            SetAbsent( host, slot ); // its pairs ended when it was destroyed
            continue;
        }
        ++host->liveChangeCount;
        if ( upload->filters != NULL && FilterChanged( host, upload, slot ) )
        {
            host->table.leaves.filtersChanged = true;
        }
    }
    host->stats = ( cltBackendStats ){ .algorithm = host->stats.algorithm, .reason = host->stats.reason };
    host->stats.uploadMs = (float)( cltNowMs() - start );
    return clt_ok;
}

/// Leaves and search structure of the given slots, by the algorithm that is asked for or best.
static cltStatus BuildStructure( cltHostBackend* host, const cltSlots* slots, const cltFilter* filters )
{
    cltLeaves* leaves = &host->table.leaves;
    host->viewable = false;
    ++host->generation;
    leaves->filters = filters;
    leaves->filtersBefore = host->previousFilters.data;
    leaves->slotBits = cltIndexBits( slots->count );
    cltChoice choice = cltChooseAlgorithm( host->def->algorithm );
    host->stats.algorithm = choice.algorithm;
    host->stats.reason = choice.reason;

    const bool keepOrder = host->renewable && choice.algorithm == clt_algorithmLbvh && !host->lbvh.isStale &&
                           cltLeafTable_Renew( &host->table, slots, host->liveChangeCount, host->pool );
    if ( !keepOrder )
    {
        CLT_TRY( cltLeafTable_Make( &host->table, slots, host->pool, host->memory ) );
    }
    if ( choice.algorithm == clt_algorithmLbvh )
    {
        return cltLbvh_Build( &host->lbvh, &host->table, !keepOrder, host->pool, host->memory );
    }
    if ( choice.algorithm == clt_algorithmGrid )
    {
        const cltPairMap map = { host->def->root, host->def->rootSteps };
        return cltGridCells_Build( &host->gridCells, &host->table, &map, host->pool, host->memory );
    }
    return clt_ok;
}

static cltStatus HostBuild( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const double start = cltNowMs();
    if ( host->liveChangeCount > 0 )
    {
        const cltSlots slots = { .now = host->upload.boxes,
                                 .before = host->previousBoxes.data,
                                 .changed = host->upload.states,
                                 .changedMask = CLT_SLOT_CHANGED,
                                 .isDouble = host->def->precision == clt_precisionDouble,
                                 .count = host->upload.slotCount };
        CLT_TRY( BuildStructure( host, &slots, host->upload.filters ) );
    }
    host->stats.buildMs = (float)( cltNowMs() - start );
    return clt_ok;
}

static cltStatus SearchOnce( cltHostBackend* host, const cltSearch* search )
{
    host->sink.next = 0;
    switch ( host->stats.algorithm )
    {
    case clt_algorithmLbvh:
        host->stats.asideCount = host->table.leaves.count - host->table.searchableCount;
        return cltLbvh_Find( &host->lbvh, search );
    case clt_algorithmGrid:
        host->stats.asideCount = host->gridCells.asideCount;
        host->stats.candidateCount = host->gridCells.cells.candidateStarts[host->gridCells.cells.count];
        cltGridCells_Find( &host->gridCells, search );
        return clt_ok;
    default:
        host->stats.candidateCount = cltPairMap_CandidateCount( &search->map, host->table.leaves.count );
        cltBruteForce_Find( search );
        return clt_ok;
    }
}

/// Searches, and again with more room while keys were lost; then brings the keys into order.
static cltStatus Search( cltHostBackend* host, cltFind find )
{
    const cltSearch search = { .table = &host->table,
                               .pool = host->pool,
                               .memory = host->memory,
                               .sink = &host->sink,
                               .find = find,
                               .map = { host->def->root, host->def->rootSteps } };
    const size_t guess = CLT_PAIR_BLOCK_SIZE + 2u * (size_t)host->table.leaves.count; // typical of a first update
    CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, host->memory, guess, sizeof( uint64_t ) ) );
    CLT_TRY( SearchOnce( host, &search ) );
    while ( cltPairSink_Overflowed( &host->sink ) )
    {
        ++host->stats.redoCount;
        const size_t needed = host->sink.next + host->sink.next / 8u; // the next update will not find exactly as many
        CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, host->memory, needed, sizeof( uint64_t ) ) );
        CLT_TRY( SearchOnce( host, &search ) );
    }
    const double start = cltNowMs();
    CLT_TRY( cltRadixSort_Run( &host->sort, host->pool, host->memory, &host->sink.buffer, host->sink.next, 0,
                               2u * host->table.leaves.slotBits + 1u ) );
    host->stats.orderMs = (float)( cltNowMs() - start );
    return clt_ok;
}

static cltStatus HostFindChanges( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const double start = cltNowMs();
    host->sink.next = 0;
    if ( host->liveChangeCount > 0 )
    {
        CLT_TRY( Search( host, clt_findChanges ) );
    }
    host->stats.findMs = (float)( cltNowMs() - start ) - host->stats.orderMs;
    return clt_ok;
}

static void HandOut( const cltHostBackend* host, cltPairKeys* keys )
{
    keys->keys = host->sink.buffer.data;
    keys->count = host->sink.next;
    keys->slotBits = host->table.leaves.slotBits;
}

static cltStatus HostReadBack( cltBackend* backend, cltPairKeys* changes )
{
    HandOut( (cltHostBackend*)backend, changes );
    return clt_ok;
}

static void HostCommit( cltBackend* backend )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    const cltUpload* upload = &host->upload;
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        uint32_t slot = upload->changed[i];
        const size_t offset = slot * BoxSize( host );
        memcpy( (char*)host->previousBoxes.data + offset, (const char*)upload->boxes + offset, BoxSize( host ) );
        if ( upload->filters != NULL )
        {
            ( (cltFilter*)host->previousFilters.data )[slot] = upload->filters[slot];
        }
    }
    host->current = host->liveChangeCount > 0; // else slots went and their leaves are still there
    host->viewable = host->viewable || ( host->current && host->stats.algorithm == clt_algorithmLbvh );
}

static cltStatus HostReadPairs( cltBackend* backend, cltPairKeys* pairs )
{
    cltHostBackend* host = (cltHostBackend*)backend;
    if ( !host->current )
    {
        const cltSlots slots = { .now = host->previousBoxes.data,
                                 .before = host->previousBoxes.data,
                                 .isDouble = host->def->precision == clt_precisionDouble,
                                 .count = host->previousCount };
        host->renewable = false;
        CLT_TRY( BuildStructure( host, &slots, host->previousFilters.data ) );
        host->current = true;
        host->viewable = host->stats.algorithm == clt_algorithmLbvh;
    }
    CLT_TRY( Search( host, clt_findPairs ) );
    HandOut( host, pairs );
    return clt_ok;
}

static cltLeafView HostViewLeaves( const cltBackend* backend )
{
    const cltHostBackend* host = (const cltHostBackend*)backend;
    if ( !host->viewable )
    {
        return ( cltLeafView ){ .generation = 0 };
    }
    return ( cltLeafView ){ .blocks = host->lbvh.blocks.data,
                            .refs = host->table.refs.data,
                            .blockedCount = host->table.searchableCount,
                            .count = host->table.leaves.count,
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
    cltBuffer_Release( &host->previousBoxes, memory );
    cltBuffer_Release( &host->previousFilters, memory );
    cltLeafTable_Release( &host->table, memory );
    cltLbvh_Release( &host->lbvh, memory );
    cltGridCells_Release( &host->gridCells, memory );
    cltBuffer_Release( &host->sink.buffer, memory );
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
    cltHostBackend* host = cltMemory_Allocate( memory, sizeof *host );
    if ( host == NULL )
    {
        return clt_hostMemory;
    }
    *host = ( cltHostBackend ){ .base = { &hostOps }, .def = def, .memory = memory };
    cltStatus status = cltCreateWorkerPool( def, memory, &host->pool );
    if ( status != clt_ok )
    {
        cltMemory_Release( memory, host, sizeof *host );
        return status;
    }
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
