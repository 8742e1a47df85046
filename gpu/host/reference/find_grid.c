// SPDX-License-Identifier: Zlib
// Searching the grid: the candidates of all cells are one range of indices, cut into equal blocks, so that a crowded cell
// weighs no more on one thread than many empty ones.

#include "gpu/host/reference/searches.h"

#define PREFERRED_BLOCK_SIZE 8192u

typedef struct Sweep
{
    const cltSearch* search;
    const cltGridCells* gridCells;
    uint64_t candidateCount;
    uint64_t blockSize;
} Sweep;

static void TestBlocks( uint32_t firstBlock, uint32_t lastBlock, void* context )
{
    const Sweep* sweep = context;
    const cltCells* cells = &sweep->gridCells->cells;
    const cltLeaves* leaves = &sweep->search->table->leaves;
    uint64_t k = firstBlock * sweep->blockSize;
    uint64_t end = lastBlock * sweep->blockSize;
    end = end < sweep->candidateCount ? end : sweep->candidateCount;
    uint32_t cell = cltCells_Find( cells, k );

    cltPairBlock block;
    cltPairBlock_Init( &block, sweep->search->sink );
    for ( ; k < end; ++k )
    {
        while ( k >= cells->candidateStarts[cell + 1u] )
        {
            ++cell;
        }
        uint64_t key = cltCells_TestStep( cells, &sweep->gridCells->grid, leaves, sweep->search->find, cell, k );
        if ( key != CLT_NO_KEY )
        {
            cltPairBlock_Add( &block, key );
        }
    }
    cltPairBlock_Flush( &block );
}

void cltGridCells_Find( const cltGridCells* gridCells, const cltSearch* search )
{
    Sweep sweep = { .search = search, .gridCells = gridCells };
    sweep.candidateCount = gridCells->cells.candidateStarts[gridCells->cells.count];
    sweep.blockSize = cltBlockSize( sweep.candidateCount, PREFERRED_BLOCK_SIZE );
    uint32_t blockCount = cltBlockCount( sweep.candidateCount, sweep.blockSize );
    cltWorkerPool_Run( search->pool, TestBlocks, blockCount, 1u, &sweep );
    cltAside_Find( search, gridCells->aside.data, gridCells->asideCount );
}
