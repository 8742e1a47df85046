// SPDX-License-Identifier: Zlib
// Filling the grid: count and write the cell entries of every leaf, sort them by cell, and find where each occupied
// cell and its candidates begin.

#include "gpu/host/reference/reference.h"

#define FILL_GRAIN 2048u

static void CountEntries( uint32_t first, uint32_t last, void* context )
{
    const cltReference* reference = context;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        cltCellRange range;
        ( (uint64_t*)reference->cells.entryStarts.data )[leaf] =
            cltGrid_SpanOfLeaf( &reference->cells.grid, &reference->table.leaves, leaf, &range );
    }
}

static void WriteEntries( uint32_t first, uint32_t last, void* context )
{
    const cltReference* reference = context;
    uint64_t* entries = reference->cells.entries.data;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        const uint64_t start = ( (const uint64_t*)reference->cells.entryStarts.data )[leaf];
        cltGrid_WriteEntriesStep( &reference->cells.grid, &reference->table.leaves, leaf, entries + start );
    }
}

/// Lists the leaves that the cells do not hold: the table's outliers, and what spans too many.
static cltStatus ListOutliers( cltReference* reference )
{
    const cltLeafTable* table = &reference->table;
    cltBuffer* outliers = &reference->cells.outliers;
    CLT_TRY( cltBuffer_Reserve( outliers, reference->resources.memory, table->leaves.count, sizeof( uint32_t ) ) );
    const uint64_t* spans = reference->cells.entryStarts.data;
    reference->outlierCount = 0;
    for ( uint32_t leaf = 0; leaf < table->leaves.count; ++leaf )
    {
        if ( leaf >= table->searchableCount || spans[leaf] == 0 )
        {
            ( (uint32_t*)outliers->data )[reference->outlierCount++] = leaf;
        }
    }
    return clt_ok;
}

static void MarkOutliers( const cltReference* reference )
{
    const uint32_t* outliers = reference->cells.outliers.data;
    for ( uint32_t o = 0; o < reference->outlierCount; ++o )
    {
        *cltLeaves_PlaceOfRef( &reference->table.leaves, outliers[o] ) |= CLT_LEAF_OUTLIER;
    }
}

/// Writes where each occupied cell's entries and candidates begin.
static cltStatus IndexCells( cltReference* reference, uint32_t entryCount )
{
    cltGridCells* cells = &reference->cells;
    cltMemory* memory = reference->resources.memory;
    CLT_TRY( cltBuffer_Reserve( &cells->starts, memory, (size_t)entryCount + 1, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &cells->candidateStarts, memory, (size_t)entryCount + 1, sizeof( uint64_t ) ) );
    const uint64_t* entries = cells->entries.data;
    uint32_t* starts = cells->starts.data;
    uint64_t* candidateStarts = cells->candidateStarts.data;
    uint32_t cellCount = 0;
    uint64_t candidates = 0;
    for ( uint32_t first = 0, last; first < entryCount; first = last )
    {
        for ( last = first + 1u; last < entryCount && entries[last] >> 32 == entries[first] >> 32; )
        {
            ++last;
        }
        starts[cellCount] = first;
        candidateStarts[cellCount++] = candidates;
        candidates += cltPairMap_CandidateCount( &reference->map, last - first );
    }
    starts[cellCount] = entryCount;
    candidateStarts[cellCount] = candidates;
    cells->cells = ( cltCells ){ entries, starts, candidateStarts, cellCount, reference->map };
    reference->candidateCount = candidates;
    return clt_ok;
}

cltStatus cltReference_BuildCells( cltReference* reference, bool* isCrowded )
{
    cltGridCells* cells = &reference->cells;
    cltMemory* memory = reference->resources.memory;
    cltWorkerPool* pool = reference->resources.pool;
    const cltSceneStatistics* scene = &reference->table.statistics;
    const uint32_t leafCount = reference->table.searchableCount;
    CLT_TRY( cltBuffer_Reserve( &cells->entryStarts, memory, leafCount, sizeof( uint64_t ) ) );
    float edge = cltGrid_Edge( scene->lower, scene->upper, scene->meanEdge, leafCount );
    uint64_t entryCount;
    do // larger cells while the entries outnumber their 32 bits
    {
        cells->grid = cltGrid_Make( scene->lower, scene->upper, edge );
        cltWorkerPool_Run( pool, CountEntries, leafCount, FILL_GRAIN, reference );
        CLT_TRY( ListOutliers( reference ) );
        entryCount = cltSumCounts( cells->entryStarts.data, leafCount );
        edge *= 2.0f;
    } while ( entryCount >= UINT32_MAX );

    CLT_TRY( cltBuffer_Reserve( &cells->entries, memory, entryCount, sizeof( uint64_t ) ) );
    cltWorkerPool_Run( pool, WriteEntries, leafCount, FILL_GRAIN, reference );
    const uint32_t* sizes = cells->grid.cells;
    const uint32_t cellBits = cltIndexBits( sizes[0] * sizes[1] * sizes[2] );
    CLT_TRY( cltRadixSort_Run( &reference->sort, pool, memory, &cells->entries, entryCount, 32u, 32u + cellBits ) );
    CLT_TRY( IndexCells( reference, (uint32_t)entryCount ) );
    const uint32_t allCount = reference->table.leaves.count;
    const uint32_t asideCount = allCount - leafCount; // the tree tests these as well
    *isCrowded = cltGrid_IsCrowded( reference->candidateCount, reference->outlierCount - asideCount, allCount );
    if ( !*isCrowded )
    {
        MarkOutliers( reference );
    }
    return clt_ok;
}
