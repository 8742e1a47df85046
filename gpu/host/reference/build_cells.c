// SPDX-License-Identifier: Zlib
// Finds the first leaf of each grid cell among the sorted leaves, and counts the box tests.

#include "gpu/core/atomic.h"
#include "gpu/host/reference/reference.h"

#define COUNT_GRAIN 2048u

static void CountCandidates( uint32_t first, uint32_t last, void* context )
{
    cltReference* reference = context;
    uint64_t count = 0;
    for ( uint32_t leaf = first; leaf < last; ++leaf )
    {
        count += cltCells_CountStep( &reference->cells.view, &reference->table.leaves, leaf );
    }
    cltClaim( &reference->candidateCount, count );
}

/// One pass over keys and cells; a device does a binary search for each cell instead.
static void WriteStarts( uint32_t* starts, uint32_t cellCount, const uint64_t* keys, uint32_t leafCount )
{
    uint32_t cell = 0;
    for ( uint32_t leaf = 0; leaf < leafCount; ++leaf )
    {
        while ( cell <= keys[leaf] >> 32 )
        {
            starts[cell++] = leaf;
        }
    }
    while ( cell <= cellCount )
    {
        starts[cell++] = leafCount;
    }
}

cltStatus cltReference_BuildCells( cltReference* reference, bool* isCrowded )
{
    cltGridCells* cells = &reference->cells;
    const cltLeafTable* table = &reference->table;
    const uint32_t cellCount = cltGrid_CellCount( &cells->view.grid );
    cltMemory* memory = reference->resources.memory;
    CLT_TRY( cltBuffer_Reserve( &cells->starts, memory, (size_t)cellCount + 1u, sizeof( uint32_t ) ) );
    WriteStarts( cells->starts.data, cellCount, table->keys.data, table->searchableCount );
    cells->view.starts = cells->starts.data;
    cells->view.map = reference->map;
    reference->candidateCount = 0;
    cltWorkerPool_Run( reference->resources.pool, CountCandidates, table->searchableCount, COUNT_GRAIN, reference );
    *isCrowded = cltGrid_IsDense( reference->candidateCount, table->leaves.count );
    return clt_ok;
}
