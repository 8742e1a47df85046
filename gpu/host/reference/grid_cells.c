// SPDX-License-Identifier: Zlib
// Filling the grid: choose the cell size, count and write the cell entries of every leaf, sort them by cell, and find
// where each occupied cell and its candidates begin.

#include "gpu/host/reference/searches.h"

#define LEAF_CHUNK 4096u

typedef struct Fill
{
    cltGridCells* gridCells;
    cltLeafTable* table;
    uint64_t* chunkStarts; ///< entries of each chunk; after the scan, where they go
} Fill;

static uint32_t ChunkEnd( const Fill* fill, uint32_t chunk )
{
    uint32_t first = chunk * LEAF_CHUNK;
    uint32_t count = fill->table->searchableCount;
    return count - first > LEAF_CHUNK ? first + LEAF_CHUNK : count;
}

static uint32_t LeafRange( const Fill* fill, uint32_t leaf, cltCellRange* range )
{
    cltAabb cover = cltLeaves_Cover( &fill->table->leaves, leaf );
    *range = cltGrid_Range( &fill->gridCells->grid, &cover );
    return cltCellRange_Span( range, &cover );
}

static void CountChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Fill* fill = context;
    cltLeafRef* refs = fill->table->refs.data;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        uint64_t count = 0;
        for ( uint32_t leaf = chunk * LEAF_CHUNK, end = ChunkEnd( fill, chunk ); leaf < end; ++leaf )
        {
            cltCellRange range;
            uint32_t span = LeafRange( fill, leaf, &range );
            refs[leaf] = span == 0 ? refs[leaf] | CLT_LEAF_ASIDE : refs[leaf] & ~CLT_LEAF_ASIDE;
            count += span;
        }
        fill->chunkStarts[chunk] = count;
    }
}

static void WriteChunks( uint32_t firstChunk, uint32_t lastChunk, void* context )
{
    const Fill* fill = context;
    uint64_t* entries = fill->gridCells->entries.data;
    for ( uint32_t chunk = firstChunk; chunk < lastChunk; ++chunk )
    {
        uint64_t next = fill->chunkStarts[chunk];
        for ( uint32_t leaf = chunk * LEAF_CHUNK, end = ChunkEnd( fill, chunk ); leaf < end; ++leaf )
        {
            cltCellRange range;
            uint32_t span = LeafRange( fill, leaf, &range );
            if ( span > 0 )
            {
                cltGrid_FillStep( &fill->gridCells->grid, &range, leaf, entries + next );
            }
            next += span;
        }
    }
}

/// Lists the leaves that the grid does not hold: the table's own, and those that turned out to span too many cells.
static cltStatus ListAside( cltGridCells* gridCells, const cltLeafTable* table, cltMemory* memory )
{
    uint32_t count = 0;
    for ( uint32_t leaf = 0; leaf < table->leaves.count; ++leaf )
    {
        count += ( table->leaves.refs[leaf] & CLT_LEAF_ASIDE ) != 0;
    }
    CLT_TRY( cltBuffer_Reserve( &gridCells->aside, memory, count, sizeof( uint32_t ) ) );
    uint32_t* aside = gridCells->aside.data;
    gridCells->asideCount = 0;
    for ( uint32_t leaf = 0; gridCells->asideCount < count; ++leaf )
    {
        if ( ( table->leaves.refs[leaf] & CLT_LEAF_ASIDE ) != 0 )
        {
            aside[gridCells->asideCount++] = leaf;
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

static cltStatus IndexCells( cltGridCells* gridCells, uint32_t entryCount, const cltPairMap* map, cltMemory* memory )
{
    uint32_t cellCount = CountCells( gridCells->entries.data, entryCount, NULL, NULL, map );
    CLT_TRY( cltBuffer_Reserve( &gridCells->starts, memory, (size_t)cellCount + 1, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &gridCells->candidateStarts, memory, (size_t)cellCount + 1, sizeof( uint64_t ) ) );
    CountCells( gridCells->entries.data, entryCount, gridCells->starts.data, gridCells->candidateStarts.data, map );
    gridCells->cells.entries = gridCells->entries.data;
    gridCells->cells.starts = gridCells->starts.data;
    gridCells->cells.candidateStarts = gridCells->candidateStarts.data;
    gridCells->cells.count = cellCount;
    gridCells->cells.map = *map;
    return clt_ok;
}

/// Entries of all leaves for this cell edge, scanned into places.
static uint64_t CountEntries( Fill* fill, cltWorkerPool* pool, uint32_t chunkCount )
{
    cltWorkerPool_Run( pool, CountChunks, chunkCount, 1u, fill );
    uint64_t total = 0;
    for ( uint32_t chunk = 0; chunk < chunkCount; ++chunk )
    {
        uint64_t here = fill->chunkStarts[chunk];
        fill->chunkStarts[chunk] = total;
        total += here;
    }
    return total;
}

cltStatus cltGridCells_Build( cltGridCells* gridCells, cltLeafTable* table, const cltPairMap* map, cltWorkerPool* pool,
                              cltMemory* memory )
{
    const uint32_t chunkCount = ( table->searchableCount + LEAF_CHUNK - 1u ) / LEAF_CHUNK;
    CLT_TRY( cltBuffer_Reserve( &gridCells->chunkStarts, memory, chunkCount, sizeof( uint64_t ) ) );
    Fill fill = { gridCells, table, gridCells->chunkStarts.data };

    const cltSurvey* survey = &table->survey;
    float edge = cltGrid_Edge( survey->lower, survey->upper, survey->meanEdge, table->searchableCount );
    uint64_t entryCount;
    do // larger cells while the entries outnumber their 32 bits
    {
        gridCells->grid = cltGrid_Make( survey->lower, survey->upper, edge );
        entryCount = CountEntries( &fill, pool, chunkCount );
        edge *= 2.0f;
    } while ( entryCount >= UINT32_MAX );

    CLT_TRY( ListAside( gridCells, table, memory ) );
    CLT_TRY( cltBuffer_Reserve( &gridCells->entries, memory, entryCount, sizeof( uint64_t ) ) );
    cltWorkerPool_Run( pool, WriteChunks, chunkCount, 1u, &fill );

    const uint32_t* cells = gridCells->grid.cells;
    const uint32_t cellBits = cltIndexBits( cells[0] * cells[1] * cells[2] );
    CLT_TRY( cltRadixSort_Run( &gridCells->sort, pool, memory, &gridCells->entries, entryCount, 32u, 32u + cellBits ) );
    return IndexCells( gridCells, (uint32_t)entryCount, map, memory );
}

void cltGridCells_Release( cltGridCells* gridCells, cltMemory* memory )
{
    cltBuffer_Release( &gridCells->chunkStarts, memory );
    cltBuffer_Release( &gridCells->entries, memory );
    cltBuffer_Release( &gridCells->starts, memory );
    cltBuffer_Release( &gridCells->candidateStarts, memory );
    cltBuffer_Release( &gridCells->aside, memory );
    cltRadixSort_Release( &gridCells->sort, memory );
}
