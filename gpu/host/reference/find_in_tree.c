// SPDX-License-Identifier: Zlib
// Searching the tree: one-sided from all leaves when much moved, from the root for the movers alone when little did.

#include "gpu/host/reference/searches.h"

#define WALK_GRAIN 1024u
#define MOVER_WALK_GRAIN 128u

typedef struct Walks
{
    const cltLeafTree* tree;
    const cltSearch* search;
} Walks;

static void WalkLeaves( uint32_t first, uint32_t last, void* context )
{
    const Walks* walks = context;
    const cltTree* tree = &walks->tree->tree;
    cltPairBlock block;
    cltPairBlock_Init( &block, walks->search->sink );
    for ( uint32_t i = first; i < last; ++i )
    {
        cltTreeWalk walk = cltTreeWalk_FromLeaf( tree, i );
        for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, tree ) ) != CLT_ROPE_END; )
        {
            cltPairBlock_Add( &block, cltLeaves_Key( &walks->search->table->leaves, walks->search->find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

static void WalkMovers( uint32_t first, uint32_t last, void* context )
{
    const Walks* walks = context;
    const cltTree* tree = &walks->tree->tree;
    cltPairBlock block;
    cltPairBlock_Init( &block, walks->search->sink );
    for ( uint32_t m = first; m < last; ++m )
    {
        const uint32_t i = ( (const uint32_t*)walks->tree->movers.data )[m];
        cltTreeWalk walk = cltTreeWalk_FromRoot( tree, i );
        for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, tree ) ) != CLT_ROPE_END; )
        {
            cltPairBlock_Add( &block, cltLeaves_MoverKey( &walks->search->table->leaves, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

void cltLeafTree_Find( const cltLeafTree* tree, const cltSearch* search )
{
    Walks walks = { tree, search };
    if ( search->find == clt_findChanges && tree->moversWalkAlone )
    {
        cltWorkerPool_Run( search->pool, WalkMovers, tree->moverCount, MOVER_WALK_GRAIN, &walks );
    }
    else
    {
        cltWorkerPool_Run( search->pool, WalkLeaves, tree->tree.leafCount, WALK_GRAIN, &walks );
    }
    cltOutliers_Find( search, NULL, search->table->leaves.count - search->table->searchableCount );
}
