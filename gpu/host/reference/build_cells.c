// SPDX-License-Identifier: Zlib
// Filling the grid: count and write the cell entries of every leaf, sort them by cell, and find where each occupied
// cell and its candidates begin.

#include "gpu/host/reference/searches.h"

#define FILL_GRAIN 2048u

typedef struct CellFill
{
    const cltGrid* grid;
    const cltLeaves* leaves;
    uint64_t* entryStarts;
    uint64_t* entries;
} CellFill;

static void CountEntries( uint32_t first, uint32_t last, void* context )
{
    const CellFill* fill = context;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        cltCellRange range;
        fill->entryStarts[leaf] = cltGrid_SpanOfLeaf( fill->grid, fill->leaves, leaf, &range );
    }
}

static void WriteEntries( uint32_t first, uint32_t last, void* context )
{
    const CellFill* fill = context;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        cltGrid_WriteEntriesStep( fill->grid, fill->leaves, leaf, fill->entries + fill->entryStarts[leaf] );
    }
}

/// Lists the leaves that the grid does not hold: the table's outliers, and what spans too many cells.
static cltStatus ListOutliers( cltGridCells* gridCells, cltLeafTable* table, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &gridCells->outliers, memory, table->leaves.count, sizeof( uint32_t ) ) );
    const uint64_t* spans = gridCells->entryStarts.data;
    gridCells->outlierCount = 0;
    for ( uint32_t leaf = 0; leaf < table->leaves.count; ++leaf )
    {
        cltLeafRef* ref = (cltLeafRef*)table->refs.data + leaf;
        *ref &= ~CLT_LEAF_OUTLIER;
        if ( leaf >= table->searchableCount || spans[leaf] == 0 )
        {
            *ref |= CLT_LEAF_OUTLIER;
            ( (uint32_t*)gridCells->outliers.data )[gridCells->outlierCount++] = leaf;
        }
    }
    return clt_ok;
}

/// Turns the spans of `count` leaves into the sums of all before, and returns the sum of all.
static uint64_t SumSpans( uint64_t* spans, uint32_t count )
{
    uint64_t sum = 0;
    for ( uint32_t leaf = 0; leaf < count; ++leaf )
    {
        const uint64_t span = spans[leaf];
        spans[leaf] = sum;
        sum += span;
    }
    return sum;
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

static cltStatus IndexCells( cltGridCells* gridCells, uint32_t entryCount, const cltPairMap* map, cltMemory* memory )
{
    uint32_t cellCount = CountCells( gridCells->entries.data, entryCount, NULL, NULL, map );
    CLT_TRY( cltBuffer_Reserve( &gridCells->starts, memory, (size_t)cellCount + 1, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &gridCells->candidateStarts, memory, (size_t)cellCount + 1, sizeof( uint64_t ) ) );
    CountCells( gridCells->entries.data, entryCount, gridCells->starts.data, gridCells->candidateStarts.data, map );
    gridCells->cells = ( cltCells ){ .entries = gridCells->entries.data,
                                     .starts = gridCells->starts.data,
                                     .candidateStarts = gridCells->candidateStarts.data,
                                     .count = cellCount,
                                     .map = *map };
    return clt_ok;
}

cltStatus cltGridCells_Build( cltGridCells* gridCells, cltLeafTable* table, const cltPairMap* map, cltWorkerPool* pool,
                              cltMemory* memory )
{
    const uint32_t leafCount = table->searchableCount;
    CLT_TRY( cltBuffer_Reserve( &gridCells->entryStarts, memory, leafCount, sizeof( uint64_t ) ) );
    CellFill fill = { &gridCells->grid, &table->leaves, gridCells->entryStarts.data, NULL };

    const cltSceneStatistics* scene = &table->statistics;
    float edge = cltGrid_Edge( scene->lower, scene->upper, scene->meanEdge, leafCount );
    uint64_t entryCount;
    do // larger cells while the entries outnumber their 32 bits
    {
        gridCells->grid = cltGrid_Make( scene->lower, scene->upper, edge );
        cltWorkerPool_Run( pool, CountEntries, leafCount, FILL_GRAIN, &fill );
        CLT_TRY( ListOutliers( gridCells, table, memory ) );
        entryCount = SumSpans( fill.entryStarts, leafCount );
        edge *= 2.0f;
    } while ( entryCount >= UINT32_MAX );

    CLT_TRY( cltBuffer_Reserve( &gridCells->entries, memory, entryCount, sizeof( uint64_t ) ) );
    fill.entries = gridCells->entries.data;
    cltWorkerPool_Run( pool, WriteEntries, leafCount, FILL_GRAIN, &fill );
    const uint32_t* cells = gridCells->grid.cells;
    const uint32_t cellBits = cltIndexBits( cells[0] * cells[1] * cells[2] );
    CLT_TRY( cltRadixSort_Run( &gridCells->sort, pool, memory, &gridCells->entries, entryCount, 32u, 32u + cellBits ) );
    return IndexCells( gridCells, (uint32_t)entryCount, map, memory );
}

void cltGridCells_Release( cltGridCells* gridCells, cltMemory* memory )
{
    cltBuffer_Release( &gridCells->entryStarts, memory );
    cltBuffer_Release( &gridCells->entries, memory );
    cltBuffer_Release( &gridCells->starts, memory );
    cltBuffer_Release( &gridCells->candidateStarts, memory );
    cltBuffer_Release( &gridCells->outliers, memory );
    cltRadixSort_Release( &gridCells->sort, memory );
}
