// SPDX-License-Identifier: Zlib
// Building the tree: every leaf climbs, and at each node the second child to arrive goes on.

#include "gpu/host/reference/searches.h"

#include <string.h>

#define CLIMB_GRAIN 1024u

typedef struct Climb
{
    const cltTree* tree;
    const cltLeaves* leaves;
} Climb;

static void ClimbLeaves( uint32_t first, uint32_t last, void* context )
{
    const Climb* climb = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        cltTree_AddLeafStep( climb->tree, climb->leaves, i );
    }
}

static cltStatus ListMovers( cltLeafTree* tree, const cltLeafTable* table, uint32_t changedCount, cltMemory* memory )
{
    CLT_TRY( cltBuffer_Reserve( &tree->movers, memory, 2u * (size_t)changedCount, sizeof( uint32_t ) ) );
    tree->moverCount = 0;
    for ( uint32_t i = 0; i < table->searchableCount; ++i )
    {
        if ( cltLeafRef_Kind( table->leaves.refs[i] ) != CLT_LEAF_STILL )
        {
            ( (uint32_t*)tree->movers.data )[tree->moverCount++] = i;
        }
    }
    return clt_ok;
}

cltStatus cltLeafTree_Build( cltLeafTree* tree, const cltLeafTable* table, uint32_t slotCount, uint32_t changedCount,
                             cltWorkerPool* pool, cltMemory* memory )
{
    const uint32_t leafCount = table->searchableCount;
    const size_t nodeCount = 2u * (size_t)leafCount;
    const bool hasFilters = table->leaves.filters.now != NULL;
    CLT_TRY( cltBuffer_Reserve( &tree->nodes, memory, nodeCount, sizeof( cltNode ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->meetings, memory, leafCount, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &tree->filters, memory, hasFilters ? nodeCount : 0u, sizeof( cltFilter ) ) );
    tree->tree = ( cltTree ){ .nodes = tree->nodes.data,
                              .keys = table->keys.data,
                              .meetings = tree->meetings.data,
                              .leafCount = leafCount,
                              .filters = hasFilters ? tree->filters.data : NULL };
    if ( leafCount > 0 )
    {
        memset( tree->tree.meetings, 0xff, leafCount * sizeof( uint32_t ) ); // CLT_ROPE_END everywhere
    }
    Climb climb = { &tree->tree, &table->leaves };
    cltWorkerPool_Run( pool, ClimbLeaves, leafCount, CLIMB_GRAIN, &climb );
    tree->moversWalkAlone = changedCount < slotCount / CLT_FEW_MOVERS_RATIO;
    return tree->moversWalkAlone ? ListMovers( tree, table, changedCount, memory ) : clt_ok;
}

void cltLeafTree_Release( cltLeafTree* tree, cltMemory* memory )
{
    cltBuffer_Release( &tree->nodes, memory );
    cltBuffer_Release( &tree->meetings, memory );
    cltBuffer_Release( &tree->filters, memory );
    cltBuffer_Release( &tree->movers, memory );
}
