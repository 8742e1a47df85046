// SPDX-License-Identifier: Zlib
// The searches. They correspond to gpu/cuda/find_*.cu; each is a short loop around a function or cursor of gpu/core.

#include "gpu/host/reference/reference.h"

#define WALK_GRAIN 1024u
#define MOVER_WALK_GRAIN 128u
#define OUTLIER_GRAIN 2048u

/// Candidates per task, enough to outweigh the cost of claiming a task.
#define PREFERRED_SHARE 8192u

typedef struct ReferenceSearch
{
    const cltReference* reference;
    cltPairSink* sink;
    cltFind find;
    uint64_t shareSize;
    const uint32_t* movers; ///< the leaves to search from; NULL for all
} ReferenceSearch;

/// Candidates have 64-bit indices and a worker pool counts in 32 bits, so they are split into equal shares.
static uint64_t FirstOfShare( const ReferenceSearch* search, uint32_t share )
{
    const uint64_t start = share * search->shareSize;
    return start < search->reference->candidateCount ? start : search->reference->candidateCount;
}

/// Tests every pair of leaves, numbered as in pair_map.h. For small scenes, and as the reference for other searches.
static void TestAll( uint32_t firstShare, uint32_t lastShare, void* context )
{
    const ReferenceSearch* search = context;
    const cltLeaves* leaves = &search->reference->table.leaves;
    const cltPairMap* map = &search->reference->map;
    const cltFind find = search->find;
    const uint64_t end = FirstOfShare( search, lastShare );
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( uint64_t k = FirstOfShare( search, firstShare ); k < end; ++k )
    {
        uint32_t i;
        uint32_t j;
        if ( cltPairMap_Pair( map, leaves->count, k, &i, &j ) )
        {
            cltPairBlock_Add( &block, cltLeaves_Key( leaves, find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

/// Tests each leaf against the leaves of the surrounding cells that come after its own cell. For the first leaf of a
/// cell, also tests all pairs in the cell.
static void WalkCells( uint32_t first, uint32_t last, void* context )
{
    const ReferenceSearch* search = context;
    const cltCells* cells = &search->reference->cells.view;
    const cltLeaves* leaves = &search->reference->table.leaves;
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( uint32_t i = first; i < last; ++i )
    {
        const cltAabb cover = cltLeaves_Cover( leaves, i );
        cltCellWalk walk = cltCellWalk_Begin( &cells->grid, &cover );
        const uint32_t inCell = cltCells_CountFrom( cells, i, walk.cell );
        const uint64_t count = cltPairMap_CandidateCount( &cells->map, inCell );
        for ( uint64_t k = 0; k < count; ++k )
        {
            cltPairBlock_Add( &block, cltCells_TestStep( cells, leaves, search->find, i, inCell, k ) );
        }
        for ( uint32_t j, end; cltCellWalk_Next( &walk, cells, &j, &end ); )
        {
            for ( ; j < end; ++j )
            {
                cltPairBlock_Add( &block, cltLeaves_Key( leaves, search->find, i, j ) );
            }
        }
    }
    cltPairBlock_Flush( &block );
}

/// Searches the tree: from each leaf for later leaves or, if movers search alone, from the root for each mover.
static void WalkTree( uint32_t first, uint32_t last, void* context )
{
    const ReferenceSearch* search = context;
    const cltTree* tree = &search->reference->tree.tree;
    const cltLeaves* leaves = &search->reference->table.leaves;
    const uint32_t* movers = search->movers;
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( uint32_t w = first; w < last; ++w )
    {
        const uint32_t i = movers != NULL ? movers[w] : w;
        cltTreeWalk walk = movers != NULL ? cltTreeWalk_FromRoot( tree, i ) : cltTreeWalk_FromLeaf( tree, i );
        for ( uint32_t j; ( j = cltTreeWalk_Next( &walk, tree ) ) != CLT_ROPE_END; )
        {
            cltPairBlock_Add( &block, movers != NULL ? cltLeaves_MoverKey( leaves, i, j )
                                                     : cltLeaves_Key( leaves, search->find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

/// Tests outliers against all leaves and against each other.
static void TestOutliers( uint32_t first, uint32_t last, void* context )
{
    const ReferenceSearch* search = context;
    const cltLeafTable* table = &search->reference->table;
    cltPairBlock block;
    cltPairBlock_Init( &block, search->sink );
    for ( uint32_t o = 0; o < search->reference->outlierCount; ++o )
    {
        const uint32_t i = table->searchableCount + o;
        for ( uint32_t j = first; j < last; ++j )
        {
            cltPairBlock_Add( &block, cltLeaves_OutlierKey( &table->leaves, search->find, i, j ) );
        }
    }
    cltPairBlock_Flush( &block );
}

static void SearchTree( ReferenceSearch* search )
{
    const cltLeafTree* tree = &search->reference->tree;
    const bool fromMovers = search->find == clt_findChanges && tree->moversWalkAlone;
    search->movers = fromMovers ? tree->movers.data : NULL;
    cltWorkerPool_Run( search->reference->resources.pool, WalkTree,
                       fromMovers ? tree->moverCount : tree->tree.leafCount, fromMovers ? MOVER_WALK_GRAIN : WALK_GRAIN,
                       search );
}

cltStatus cltReference_Search( cltReference* reference, cltFind find, cltPairSink* sink )
{
    const uint64_t count = reference->candidateCount;
    const uint64_t smallest = ( count >> 31 ) + 1u;
    ReferenceSearch search = { .reference = reference,
                               .sink = sink,
                               .find = find,
                               .shareSize = smallest > PREFERRED_SHARE ? smallest : PREFERRED_SHARE };
    if ( reference->running == clt_algorithmLbvh )
    {
        SearchTree( &search );
    }
    else if ( reference->running == clt_algorithmFrontier && find == clt_findChanges &&
              cltReference_KeepsFront( reference ) )
    {
        CLT_TRY( cltReference_SearchFromFront( reference, sink ) );
    }
    else if ( reference->running == clt_algorithmFrontier )
    {
        cltReference_RunPasses( reference, find, sink );
    }
    else if ( reference->running == clt_algorithmGrid )
    {
        const uint32_t leafCount = reference->table.searchableCount;
        cltWorkerPool_Run( reference->resources.pool, WalkCells, leafCount, WALK_GRAIN, &search );
    }
    else
    {
        const uint32_t shareCount = (uint32_t)( ( count + search.shareSize - 1u ) / search.shareSize );
        cltWorkerPool_Run( reference->resources.pool, TestAll, shareCount, 1u, &search );
    }
    const uint32_t partnerCount = reference->outlierCount > 0 ? reference->table.leaves.count : 0;
    cltWorkerPool_Run( reference->resources.pool, TestOutliers, partnerCount, OUTLIER_GRAIN, &search );
    return clt_ok;
}
