// SPDX-License-Identifier: Zlib
// Builds the tree by a climb from every leaf; at each node the second child to arrive continues. Builds the cells of a
// grid: finds the first leaf of each cell among the sorted leaves, and counts the box tests.

#include "gpu/core/atomic.h"
#include "gpu/host/reference/reference.h"

#include <string.h>

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

// ------------------------------------------------------------------------------------------------------- tree

#define CLIMB_GRAIN 1024u

static void ClimbLeaves( uint32_t first, uint32_t last, void* context )
{
    const cltReference* reference = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        cltTree_AddLeafStep( &reference->tree.tree, &reference->table.leaves, i );
    }
}

static cltStatus ListMovers( cltReference* reference, uint32_t changedCount )
{
    cltLeafTree* tree = &reference->tree;
    CLT_TRY( cltBuffer_Reserve( &tree->movers, reference->resources.memory, 2u * (size_t)changedCount,
                                sizeof( uint32_t ) ) );
    tree->moverCount = 0;
    for ( uint32_t i = 0; i < tree->tree.leafCount; ++i )
    {
        if ( cltLeafRef_Kind( cltLeaves_Ref( &reference->table.leaves, i ) ) != CLT_LEAF_STILL )
        {
            ( (uint32_t*)tree->movers.data )[tree->moverCount++] = i;
        }
    }
    return clt_ok;
}

cltStatus cltReference_BuildTree( cltReference* reference, uint32_t slotCount, uint32_t changedCount )
{
    cltLeafTree* tree = &reference->tree;
    cltMemory* memory = reference->resources.memory;
    const uint32_t leafCount = reference->table.searchableCount;
    const size_t nodeCount = 2u * (size_t)leafCount;
    const bool hasFilters = reference->table.leaves.filters.now != NULL;
    CLT_TRY( cltBuffer_Reserve( &tree->nodes, memory, nodeCount, sizeof( cltNode ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->meetings, memory, leafCount, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->filters, memory, hasFilters ? nodeCount : 0u, sizeof( cltFilter ) ) );
    tree->tree = ( cltTree ){ .nodes = tree->nodes.data,
                              .keys = reference->table.keys.data,
                              .meetings = tree->meetings.data,
                              .leafCount = leafCount,
                              .filters = hasFilters ? tree->filters.data : NULL };
    if ( leafCount > 0 )
    {
        memset( tree->tree.meetings, 0xff, leafCount * sizeof( uint32_t ) ); // CLT_NO_PARTNER everywhere
    }
    cltWorkerPool_Run( reference->resources.pool, ClimbLeaves, leafCount, CLIMB_GRAIN, reference );
    tree->moversWalkAlone = changedCount < slotCount / CLT_FEW_MOVERS_RATIO;
    return tree->moversWalkAlone ? ListMovers( reference, changedCount ) : clt_ok;
}
