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

/// Lists the leaves that the grid does not hold: the table's outliers, and what spans too many cells.
static cltStatus ListOutliers( cltReference* reference )
{
    const cltLeafTable* table = &reference->table;
    cltBuffer* outliers = &reference->cells.outliers;
    CLT_TRY( cltBuffer_Reserve( outliers, reference->resources.memory, table->leaves.count, sizeof( uint32_t ) ) );
    const uint64_t* spans = reference->cells.entryStarts.data;
    reference->outlierCount = 0;
    for ( uint32_t leaf = 0; leaf < table->leaves.count; ++leaf )
    {
        cltLeafRef* ref = (cltLeafRef*)table->refs.data + leaf;
        *ref &= ~CLT_LEAF_OUTLIER;
        if ( leaf >= table->searchableCount || spans[leaf] == 0 )
        {
            *ref |= CLT_LEAF_OUTLIER;
            ( (uint32_t*)outliers->data )[reference->outlierCount++] = leaf;
        }
    }
    return clt_ok;
}

/// Counts the occupied cells and, if `starts` is given, writes where each one's entries and candidates begin.
static uint32_t CountCells( const uint64_t* entries, uint32_t entryCount, uint32_t* starts, uint64_t* candidateStarts,
                            const cltPairMap* map )
{
    uint32_t cellCount = 0;
    uint64_t candidates = 0;
    for ( uint32_t first = 0, last; first < entryCount; first = last )
    {
        for ( last = first + 1u; last < entryCount && entries[last] >> 32 == entries[first] >> 32; )
        {
            ++last;
        }
        if ( starts != NULL )
        {
            starts[cellCount] = first;
            candidateStarts[cellCount] = candidates;
        }
        ++cellCount;
        candidates += cltPairMap_CandidateCount( map, last - first );
    }
    if ( starts != NULL )
    {
        starts[cellCount] = entryCount;
        candidateStarts[cellCount] = candidates;
    }
    return cellCount;
}

static cltStatus IndexCells( cltReference* reference, uint32_t entryCount )
{
    cltGridCells* cells = &reference->cells;
    cltMemory* memory = reference->resources.memory;
    const cltPairMap* map = &reference->map;
    const uint32_t cellCount = CountCells( cells->entries.data, entryCount, NULL, NULL, map );
    CLT_TRY( cltBuffer_Reserve( &cells->starts, memory, (size_t)cellCount + 1, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &cells->candidateStarts, memory, (size_t)cellCount + 1, sizeof( uint64_t ) ) );
    CountCells( cells->entries.data, entryCount, cells->starts.data, cells->candidateStarts.data, map );
    cells->cells = ( cltCells ){ .entries = cells->entries.data,
                                 .starts = cells->starts.data,
                                 .candidateStarts = cells->candidateStarts.data,
                                 .count = cellCount,
                                 .map = *map };
    reference->candidateCount = cells->cells.candidateStarts[cellCount];
    return clt_ok;
}

cltStatus cltReference_BuildCells( cltReference* reference )
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
    return IndexCells( reference, (uint32_t)entryCount );
}
