// SPDX-License-Identifier: Zlib
// Searching the grid: the candidates of all cells are one range of indices, cut into equal shares, so that a crowded
// cell weighs no more on one thread than many empty ones.

#include "gpu/host/reference/searches.h"

/// Candidates a task works through: enough to outweigh claiming the task.
#define PREFERRED_SHARE 8192u

cltShares cltShares_Make( uint64_t candidateCount )
{
    const uint64_t smallest = ( candidateCount >> 31 ) + 1u;
    return ( cltShares ){ candidateCount, smallest > PREFERRED_SHARE ? smallest : PREFERRED_SHARE };
}

uint32_t cltShares_Count( const cltShares* shares )
{
    return (uint32_t)( ( shares->candidateCount + shares->size - 1u ) / shares->size );
}

typedef struct CellSweep
{
    const cltSearch* search;
    const cltGridCells* gridCells;
    cltShares shares;
} CellSweep;

static void TestCellShares( uint32_t firstShare, uint32_t lastShare, void* context )
{
    const CellSweep* sweep = context;
    const cltCells* cells = &sweep->gridCells->cells;
    const cltLeaves* leaves = &sweep->search->table->leaves;
    uint64_t k = firstShare * sweep->shares.size;
    uint64_t end = lastShare * sweep->shares.size;
    end = end < sweep->shares.candidateCount ? end : sweep->shares.candidateCount;
    uint32_t cell = cltCells_Find( cells, k );
    cltPairBlock block;
    cltPairBlock_Init( &block, sweep->search->sink );
    for ( ; k < end; ++k )
    {
        while ( k >= cells->candidateStarts[cell + 1u] )
        {
            ++cell;
        }
        cltPairBlock_Add( &block,
                          cltCells_TestStep( cells, &sweep->gridCells->grid, leaves, sweep->search->find, cell, k ) );
    }
    cltPairBlock_Flush( &block );
}

void cltGridCells_Find( const cltGridCells* gridCells, const cltSearch* search )
{
    CellSweep sweep = { search, gridCells, cltShares_Make( gridCells->cells.candidateStarts[gridCells->cells.count] ) };
    cltWorkerPool_Run( search->pool, TestCellShares, cltShares_Count( &sweep.shares ), 1u, &sweep );
    cltOutliers_Find( search, gridCells->outliers.data, gridCells->outlierCount );
}
