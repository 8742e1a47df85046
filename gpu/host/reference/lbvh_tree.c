// SPDX-License-Identifier: Zlib
// Building the tree: leaves into blocks, then every block climbs, and the second child to arrive goes on.

#include "gpu/host/reference/searches.h"

#include <string.h>

#define BLOCK_GRAIN 256u

/// Blocks that have grown by this much on average cost about as much in the search as a new order does.
#define STALE_GROWTH 1.1

/// What one block may add to the average: a body that left is no reason to sort all others.
#define MAX_GROWTH 4.0f

typedef struct Climb
{
    const cltTree* tree;
    const cltLeaves* leaves;
    cltBoxLanes* blocks;
    float* freshEdges;  ///< longest edge of each block when the order was fresh
    double* growthSums; ///< of each range of blocks
    uint32_t leafCount;
    bool freshOrder;
} Climb;

/// Fills the block's lanes and returns the box around them.
static cltAabb FillBlock( const Climb* climb, uint32_t block )
{
    cltBoxLanes* lanes = climb->blocks + block;
    const uint32_t first = block * CLT_LANE_COUNT;
    cltAabb bounds = cltLeaves_Cover( climb->leaves, first );
    cltBoxLanes_Set( lanes, 0, &bounds );
    for ( uint32_t lane = 1; lane < CLT_LANE_COUNT; ++lane )
    {
        if ( first + lane < climb->leafCount )
        {
            const cltAabb cover = cltLeaves_Cover( climb->leaves, first + lane );
            bounds = cltAabb_Union( &bounds, &cover );
            cltBoxLanes_Set( lanes, lane, &cover );
        }
        else
        {
            cltBoxLanes_Clear( lanes, lane );
        }
    }
    return bounds;
}

/// How much longer the block's longest edge is than when the order was fresh. Block by block, because one large box
/// would outweigh all others in a sum. The boxes hold the previous positions too, so that speed counts as size.
static float Growth( const Climb* climb, uint32_t block, const cltAabb* bounds )
{
    const float edge = cltAabb_LongestEdge( bounds );
    if ( climb->freshOrder )
    {
        climb->freshEdges[block] = edge;
    }
    const float growth = edge / climb->freshEdges[block];
    return growth > 1.0f ? ( growth < MAX_GROWTH ? growth : MAX_GROWTH ) : 1.0f; // 1 for what has no size
}

static void ClimbRange( uint32_t first, uint32_t last, void* context )
{
    const Climb* climb = context;
    double growthSum = 0.0;
    for ( uint32_t block = first; block < last; ++block )
    {
        const cltAabb bounds = FillBlock( climb, block );
        cltTree_ClimbStep( climb->tree, block, &bounds );
        growthSum += (double)Growth( climb, block, &bounds );
    }
    climb->growthSums[first / BLOCK_GRAIN] = growthSum;
}

/// Adds up in the same order whoever did which range.
static double TotalGrowth( const double* growthSums, uint32_t rangeCount )
{
    double total = 0.0;
    for ( uint32_t range = 0; range < rangeCount; ++range )
    {
        total += growthSums[range];
    }
    return total;
}

cltStatus cltLbvh_Build( cltLbvh* lbvh, const cltLeafTable* table, bool freshOrder, cltWorkerPool* pool,
                         cltMemory* memory )
{
    const uint32_t blockCount = cltBlockCount( table->searchableCount, CLT_LANE_COUNT );
    const size_t innerCount = blockCount > 0 ? blockCount - 1u : 0u; // a single block is leaf and root in one
    const uint32_t rangeCount = cltBlockCount( blockCount, BLOCK_GRAIN );
    CLT_TRY( cltBuffer_Reserve( &lbvh->freshEdges, memory, blockCount, sizeof( float ) ) );
    CLT_TRY( cltBuffer_Reserve( &lbvh->growthSums, memory, rangeCount, sizeof( double ) ) );
    CLT_TRY( cltBuffer_Reserve( &lbvh->blocks, memory, blockCount, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Reserve( &lbvh->nodes, memory, innerCount + blockCount, sizeof( cltNode ) ) );
    CLT_TRY( cltBuffer_Reserve( &lbvh->meetings, memory, innerCount, sizeof( uint32_t ) ) );
    lbvh->tree = ( cltTree ){ .nodes = lbvh->nodes.data,
                              .keys = table->keys.data,
                              .keyStride = CLT_LANE_COUNT,
                              .meetings = lbvh->meetings.data,
                              .leafCount = blockCount };
    if ( innerCount > 0 )
    {
        memset( lbvh->tree.meetings, 0xff, innerCount * sizeof( uint32_t ) ); // CLT_ROPE_END everywhere
    }
    Climb climb = { .tree = &lbvh->tree,
                    .leaves = &table->leaves,
                    .blocks = lbvh->blocks.data,
                    .freshEdges = lbvh->freshEdges.data,
                    .growthSums = lbvh->growthSums.data,
                    .leafCount = table->searchableCount,
                    .freshOrder = freshOrder };
    cltWorkerPool_Run( pool, ClimbRange, blockCount, BLOCK_GRAIN, &climb );
    lbvh->isStale = TotalGrowth( lbvh->growthSums.data, rangeCount ) > STALE_GROWTH * blockCount;
    return clt_ok;
}

void cltLbvh_Release( cltLbvh* lbvh, cltMemory* memory )
{
    cltBuffer_Release( &lbvh->blocks, memory );
    cltBuffer_Release( &lbvh->nodes, memory );
    cltBuffer_Release( &lbvh->meetings, memory );
    cltBuffer_Release( &lbvh->freshEdges, memory );
    cltBuffer_Release( &lbvh->growthSums, memory );
    cltBuffer_Release( &lbvh->movers, memory );
}
