// SPDX-License-Identifier: Zlib
// One search, whatever the algorithm: with more room until nothing is lost, then into canonical order.

#include "gpu/host/host_backend.h"
#include "gpu/platform/clock.h"

static cltStatus SearchWide( cltHostBackend* host, cltFind find )
{
    const cltUpload* table = &host->upload;
    const bool isDouble = host->def->precision == clt_precisionDouble;
    const bool changesOnly = !isDouble && !host->filtersChanged;
    cltWideSearch search = { .find = find == clt_findPairs ? clt_widePairs
                                     : changesOnly         ? clt_wideChanges
                                                           : clt_wideTouching,
                             .filters = table->filters,
                             .filtersBefore = host->filtersChanged ? table->filtersBefore : table->filters,
                             .exactNow = isDouble ? table->boxes : NULL,
                             .exactBefore = table->before,
                             .states = table->states,
                             .slotBits = cltIndexBits( host->slotCount ),
                             .sink = &host->sink };
    if ( find == clt_findPairs ) // as of the last update
    {
        search.filters = search.filtersBefore = table->filtersBefore;
    }
    host->stats.asideCount = host->wide.asideCount;
    return cltWide_Find( &host->wide, &search );
}

static cltStatus SearchOnce( cltHostBackend* host, cltFind find )
{
    const cltSearch search = { .table = &host->table,
                               .pool = host->pool,
                               .memory = host->memory,
                               .sink = &host->sink,
                               .find = find,
                               .map = { host->def->root, host->def->rootSteps } };
    host->sink.next = 0;
    switch ( host->choice.algorithm )
    {
    case clt_algorithmWide:
        return SearchWide( host, find );
    case clt_algorithmLbvh:
        host->stats.asideCount = host->table.leaves.count - host->table.searchableCount;
        return cltLbvh_Find( &host->lbvh, &search );
    case clt_algorithmGrid:
        host->stats.asideCount = host->gridCells.asideCount;
        host->stats.candidateCount = host->gridCells.cells.candidateStarts[host->gridCells.cells.count];
        cltGridCells_Find( &host->gridCells, &search );
        return clt_ok;
    default:
        host->stats.candidateCount = cltPairMap_CandidateCount( &search.map, host->table.leaves.count );
        cltBruteForce_Find( &search );
        return clt_ok;
    }
}

/// Searches, and again with more room while keys were lost; then brings the keys into order.
cltStatus cltHostBackend_Search( cltHostBackend* host, cltFind find )
{
    const size_t guess = CLT_PAIR_BLOCK_SIZE + 2u * (size_t)host->slotCount; // typical of a first update
    CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, host->memory, guess, sizeof( uint64_t ) ) );
    CLT_TRY( SearchOnce( host, find ) );
    while ( cltPairSink_Overflowed( &host->sink ) )
    {
        ++host->stats.redoCount;
        const size_t needed = host->sink.next + host->sink.next / 8u; // the next update will not find exactly as many
        CLT_TRY( cltBuffer_Reserve( &host->sink.buffer, host->memory, needed, sizeof( uint64_t ) ) );
        CLT_TRY( SearchOnce( host, find ) );
    }
    host->stats.findMs = cltLapMs( &host->lap );
    const uint32_t slotBits = cltIndexBits( host->slotCount );
    CLT_TRY( cltRadixSort_Run( &host->sort, host->pool, host->memory, &host->sink.buffer, host->sink.next, 0,
                               2u * slotBits + 1u ) );
    if ( cltHostBackend_UsesWide( host ) && find == clt_findChanges && host->wide.split )
    {
        host->sink.next = cltWide_CancelOut( host->sink.buffer.data, host->sink.next, slotBits );
    }
    host->stats.orderMs = cltLapMs( &host->lap );
    return clt_ok;
}
