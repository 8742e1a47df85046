// SPDX-License-Identifier: Zlib
// Searching the tree: one-sided from all blocks when much moved, two-sided from the movers alone when little did.

#include "gpu/host/reference/searches.h"

/// About 0.1 ms of work: waking another thread for less costs more than it saves.
#define BLOCK_GRAIN 128u
#define MOVER_GRAIN 128u

/// A mover that walks alone costs about this many leaves that walk in blocks.
#define FEW_MOVERS_RATIO 4u

typedef struct Walk
{
    const cltTree* tree;
    const cltBoxLanes* blocks;
    const cltLeaves* leaves;
    const uint32_t* movers;
    cltPairSink* sink;
    cltFind find;
} Walk;

/// Reports leaf j with those leaves of a block that `lanes` names.
static void ReportLanes( const Walk* walk, uint32_t block, uint32_t lanes, uint32_t j, cltPairBlock* pairs )
{
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t i = block * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( lanes );
        const uint64_t key = cltLeaves_Key( walk->leaves, walk->find, i, j );
        if ( key != CLT_NO_KEY )
        {
            cltPairBlock_Add( pairs, key );
        }
    }
}

/// Reports the pairs within a block: each leaf with those before it.
static void PairWithin( const Walk* walk, uint32_t block, cltPairBlock* pairs )
{
    const cltBoxLanes* lanes = walk->blocks + block;
    for ( uint32_t lane = 1; lane < CLT_LANE_COUNT; ++lane )
    {
        const cltAabb box = cltBoxLanes_Get( lanes, lane );
        const uint32_t before = ( 1u << lane ) - 1u;
        ReportLanes( walk, block, cltBoxLanes_Overlap( lanes, &box ) & before, block * CLT_LANE_COUNT + lane, pairs );
    }
}

/// Reports the pairs of one block's leaves with another's. `bounds` is around the first one's.
static void PairBlocks( const Walk* walk, uint32_t block, const cltAabb* bounds, uint32_t other, cltPairBlock* pairs )
{
    const cltBoxLanes* lanes = walk->blocks + block;
    const cltBoxLanes* otherLanes = walk->blocks + other;
    for ( uint32_t near = cltBoxLanes_Overlap( otherLanes, bounds ); near != 0; near &= near - 1u )
    {
        const uint32_t lane = (uint32_t)__builtin_ctz( near );
        const cltAabb box = cltBoxLanes_Get( otherLanes, lane );
        ReportLanes( walk, block, cltBoxLanes_Overlap( lanes, &box ), other * CLT_LANE_COUNT + lane, pairs );
    }
}

/// The leaves of a block walk together: they are neighbours, and what one of them meets the others mostly meet too.
static void WalkBlocks( uint32_t first, uint32_t last, void* context )
{
    const Walk* walk = context;
    cltPairBlock pairs;
    cltPairBlock_Init( &pairs, walk->sink );
    for ( uint32_t block = first; block < last; ++block )
    {
        PairWithin( walk, block, &pairs );
        const cltNode* start = walk->tree->nodes + cltTree_NodeOfLeaf( walk->tree, block );
        const cltAabb bounds = start->box;
        uint32_t node = start->rope;
        while ( ( node = cltTree_NextOverlap( walk->tree, node, &bounds ) ) != CLT_ROPE_END )
        {
            PairBlocks( walk, block, &bounds, cltTree_LeafOfNode( walk->tree, node ), &pairs );
            node = walk->tree->nodes[node].rope;
        }
    }
    cltPairBlock_Flush( &pairs );
}

/// The lanes of a block that mover i has to report: not itself, and of two movers, who meet twice, the left one reports.
static uint32_t LanesToReport( const Walk* walk, uint32_t block, uint32_t lanes, uint32_t i )
{
    uint32_t kept = 0;
    for ( uint32_t rest = lanes; rest != 0; rest &= rest - 1u )
    {
        const uint32_t j = block * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( rest );
        const bool isStill = cltLeafRef_Kind( walk->leaves->refs[j] ) == CLT_LEAF_STILL;
        kept |= i < j || ( isStill && i != j ) ? rest & ( 0u - rest ) : 0u;
    }
    return kept;
}

static void WalkMovers( uint32_t first, uint32_t last, void* context )
{
    const Walk* walk = context;
    cltPairBlock pairs;
    cltPairBlock_Init( &pairs, walk->sink );
    for ( uint32_t m = first; m < last; ++m )
    {
        const uint32_t i = walk->movers[m];
        const cltAabb box = cltBoxLanes_Get( walk->blocks + i / CLT_LANE_COUNT, i % CLT_LANE_COUNT );
        uint32_t node = 0;
        while ( ( node = cltTree_NextOverlap( walk->tree, node, &box ) ) != CLT_ROPE_END )
        {
            const uint32_t block = cltTree_LeafOfNode( walk->tree, node );
            const uint32_t lanes = cltBoxLanes_Overlap( walk->blocks + block, &box );
            ReportLanes( walk, block, LanesToReport( walk, block, lanes, i ), i, &pairs );
            node = walk->tree->nodes[node].rope;
        }
    }
    cltPairBlock_Flush( &pairs );
}

/// The searchable leaves that are not still.
static uint32_t ListMovers( const cltLeafTable* table, uint32_t* movers )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < table->searchableCount; ++i )
    {
        if ( cltLeafRef_Kind( table->leaves.refs[i] ) != CLT_LEAF_STILL )
        {
            movers[count++] = i;
        }
    }
    return count;
}

cltStatus cltLbvh_Find( cltLbvh* lbvh, const cltSearch* search )
{
    const cltLeafTable* table = search->table;
    Walk walk = { &lbvh->tree, lbvh->blocks.data, &table->leaves, NULL, search->sink, search->find };
    if ( search->find == clt_findChanges && table->moverCount < table->searchableCount / FEW_MOVERS_RATIO )
    {
        CLT_TRY( cltBuffer_Reserve( &lbvh->movers, search->memory, table->moverCount, sizeof( uint32_t ) ) );
        walk.movers = lbvh->movers.data;
        const uint32_t moverCount = ListMovers( table, lbvh->movers.data );
        cltWorkerPool_Run( search->pool, WalkMovers, moverCount, MOVER_GRAIN, &walk );
    }
    else
    {
        cltWorkerPool_Run( search->pool, WalkBlocks, lbvh->tree.leafCount, BLOCK_GRAIN, &walk );
    }
    cltAside_Find( search, NULL, table->leaves.count - table->searchableCount );
    return clt_ok;
}
