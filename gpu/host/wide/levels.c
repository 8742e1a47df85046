// SPDX-License-Identifier: Zlib
// Bounds: of blocks, then level by level of what lies below; and how much the blocks have grown since they were sorted.

#include "gpu/host/wide/wide.h"

#include <string.h>

/// Blocks that have grown by this much on average, in 1/256, cost about as much in the search as a new order does.
#define STALE_GROWTH 282u

/// What one block may add to the average: a body that left is no reason to sort all others.
#define MAX_GROWTH 1024u

/// Blocks to a task, about 10 microseconds of work. A multiple of the lanes of a node, which is then written by one thread
/// only.
#define BLOCK_GRAIN ( 16u * CLT_LANE_COUNT )

typedef struct Refit
{
    cltWide* wide;
    bool freshOrder;
    uint32_t level;         ///< whose lanes are to be fitted around the blocks below
    const uint32_t* listed; ///< NULL: all
} Refit;

static cltBoxLanes* Level( const cltWide* wide, uint32_t level )
{
    return (cltBoxLanes*)wide->branches.data + ( wide->tree.levels[level] - (const cltBoxLanes*)wide->branches.data );
}

/// How much longer the longest edge is than when the order was new, in 1/256: whole numbers, because their sum is the same
/// in any order. The bounds hold the previous boxes too, so that speed counts as size.
static uint32_t Growth( float edge, float freshEdge )
{
    const float growth = 256.0f * ( edge / freshEdge );
    return growth > 256.0f ? ( growth < (float)MAX_GROWTH ? (uint32_t)growth : MAX_GROWTH ) : 256u; // 256 for a NaN
}

static void NoteGrowth( const Refit* refit, uint32_t block, const cltAabb* bounds )
{
    cltWide* wide = refit->wide;
    float* freshEdge = (float*)wide->freshEdges.data + block;
    uint32_t* noted = (uint32_t*)wide->growths.data + block;
    const float edge = cltAabb_LongestEdge( bounds );
    *freshEdge = refit->freshOrder ? edge : *freshEdge;
    const uint32_t growth = Growth( edge, *freshEdge );
    if ( growth != *noted )
    {
        __atomic_fetch_add( &wide->growthSum, (uint64_t)growth - *noted, __ATOMIC_RELAXED );
        *noted = growth;
    }
}

static void FitBlock( const Refit* refit, uint32_t leaf )
{
    const cltWide* wide = refit->wide;
    const uint32_t block = leaf + CLT_ASIDE_BLOCKS;
    const cltAabb bounds = wide->kernels->bound( cltWide_Now( wide ) + block, cltWide_Before( wide ) + block );
    cltBoxLanes_Set( Level( wide, 1 ) + leaf / CLT_LANE_COUNT, leaf % CLT_LANE_COUNT, &bounds );
    if ( block < wide->orderedEnd )
    {
        NoteGrowth( refit, block, &bounds );
    }
}

static void FitBlocks( uint32_t first, uint32_t last, void* context )
{
    const Refit* refit = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t block = refit->listed != NULL ? refit->listed[i] : i + CLT_ASIDE_BLOCKS;
        if ( block >= CLT_ASIDE_BLOCKS ) // those set aside are under no tree
        {
            FitBlock( refit, block - CLT_ASIDE_BLOCKS );
        }
    }
}

static void FitNode( const cltWide* wide, uint32_t level, uint32_t node )
{
    const cltAabb bounds = wide->kernels->bound( wide->tree.levels[level - 1u] + node, NULL );
    cltBoxLanes_Set( Level( wide, level ) + node / CLT_LANE_COUNT, node % CLT_LANE_COUNT, &bounds );
}

static void FitNodes( uint32_t first, uint32_t last, void* context )
{
    const Refit* refit = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        FitNode( refit->wide, refit->level, i );
    }
}

// -------------------------------------------------------------------------------------------------------- the levels

static uint32_t NodesFor( uint32_t count )
{
    return ( count + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
}

static void ClearNode( cltBoxLanes* node, uint32_t firstLane )
{
    for ( uint32_t lane = firstLane; lane < CLT_LANE_COUNT; ++lane )
    {
        cltBoxLanes_Clear( node, lane );
    }
}

cltStatus cltWide_LayOutLevels( cltWide* wide, uint32_t capacity )
{
    uint32_t total = 0;
    uint32_t nodes = capacity;
    do
    {
        nodes = NodesFor( nodes );
        total += nodes;
    } while ( nodes > 1u );
    CLT_TRY( cltBuffer_Grow( &wide->marks, wide->memory, total, sizeof( uint32_t ) ) );
    CLT_TRY(
        cltBuffer_Grow( &wide->branches, wide->memory, total, sizeof( cltBoxLanes ) ) ); // last: the levels point there
    memset( wide->marks.data, 0, total * sizeof( uint32_t ) );
    wide->mark = 0;

    cltBoxLanes* next = wide->branches.data;
    wide->tree.levelCount = 1;
    nodes = capacity;
    do
    {
        nodes = NodesFor( nodes );
        wide->tree.levels[wide->tree.levelCount++] = next;
        next += nodes;
    } while ( nodes > 1u );
    for ( cltBoxLanes* node = wide->branches.data; node < next; ++node )
    {
        ClearNode( node, 0 );
    }
    wide->unfitted = true;
    return clt_ok;
}

void cltWide_SetBlockCount( cltWide* wide, uint32_t blockCount )
{
    cltBoxTree* tree = &wide->tree;
    wide->blockCount = blockCount;
    tree->levels[0] = cltWide_Now( wide ) + CLT_ASIDE_BLOCKS;
    tree->refs = cltWide_Refs( wide ) + CLT_ASIDE_BLOCKS * CLT_LANE_COUNT;
    uint32_t count = blockCount - CLT_ASIDE_BLOCKS;
    tree->counts[0] = count * CLT_LANE_COUNT;
    for ( uint32_t level = 1; level < tree->levelCount; ++level )
    {
        // what is new in a level holds nothing yet, and what is no longer there holds nothing from now on
        for ( uint32_t node = NodesFor( tree->counts[level] ); node < NodesFor( count ); ++node )
        {
            ClearNode( Level( wide, level ) + node, 0 );
        }
        if ( count < tree->counts[level] && count % CLT_LANE_COUNT != 0 )
        {
            ClearNode( Level( wide, level ) + count / CLT_LANE_COUNT, count % CLT_LANE_COUNT );
        }
        tree->counts[level] = count;
        count = NodesFor( count );
    }
}

static void FitAll( Refit* refit )
{
    cltWide* wide = refit->wide;
    cltWorkerPool_Run( wide->crew, FitBlocks, wide->tree.counts[1], BLOCK_GRAIN, refit );
    for ( refit->level = 2; refit->level < wide->tree.levelCount; ++refit->level )
    {
        cltWorkerPool_Run( wide->crew, FitNodes, wide->tree.counts[refit->level], BLOCK_GRAIN, refit );
    }
    wide->unfitted = false;
}

void cltWide_FitAll( cltWide* wide )
{
    Refit refit = { .wide = wide };
    FitAll( &refit );
}

/// Replaces nodes by their parents, each once; returns how many there are.
static uint32_t ListParents( cltWide* wide, uint32_t level, uint32_t* nodes, uint32_t count )
{
    uint32_t* marks = (uint32_t*)wide->marks.data + ( wide->tree.levels[level] - (cltBoxLanes*)wide->branches.data );
    uint32_t parentCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t parent = nodes[i] / CLT_LANE_COUNT;
        if ( marks[parent] != wide->mark )
        {
            marks[parent] = wide->mark;
            nodes[parentCount++] = parent;
        }
    }
    return parentCount;
}

/// Fits the listed blocks, then what is above them.
static void FitListed( Refit* refit, uint32_t* blocks, uint32_t count )
{
    cltWide* wide = refit->wide;
    refit->listed = blocks;
    cltWorkerPool_Run( wide->crew, FitBlocks, count, BLOCK_GRAIN, refit );
    uint32_t nodeCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t block = blocks[i];
        blocks[nodeCount] = block - CLT_ASIDE_BLOCKS;
        nodeCount += block >= CLT_ASIDE_BLOCKS;
    }
    if ( ++wide->mark == 0 ) // after 2^32 updates old marks would count again
    {
        memset( wide->marks.data, 0, wide->marks.bytes );
        wide->mark = 1;
    }
    for ( uint32_t level = 1; level + 1u < wide->tree.levelCount; ++level )
    {
        nodeCount = ListParents( wide, level, blocks, nodeCount );
        for ( uint32_t i = 0; i < nodeCount; ++i )
        {
            FitNode( wide, level + 1u, blocks[i] );
        }
    }
}

cltStatus cltWide_Refit( cltWide* wide, bool freshOrder )
{
    Refit refit = { .wide = wide, .freshOrder = freshOrder };
    if ( freshOrder || !wide->oneByOne || wide->unfitted )
    {
        FitAll( &refit );
    }
    else
    {
        const size_t most = (size_t)wide->moved.count + wide->movedBefore.count + 1u; // never nothing
        CLT_TRY( cltBuffer_Reserve( &wide->scratch, wide->memory, most, sizeof( uint32_t ) ) );
        const uint16_t* movers = wide->movers.data;
        uint32_t* blocks = wide->scratch.data;
        uint32_t count = wide->moved.count;
        memcpy( blocks, wide->moved.blocks.data, count * sizeof( uint32_t ) );
        for ( uint32_t i = 0; i < wide->movedBefore.count; ++i )
        {
            const uint32_t block = ( (const uint32_t*)wide->movedBefore.blocks.data )[i];
            blocks[count] = block;
            count += movers[block] == 0; // the others moved again and are listed
        }
        FitListed( &refit, blocks, count );
    }
    const uint32_t orderedCount = wide->orderedEnd - CLT_ASIDE_BLOCKS;
    wide->isStale = wide->growthSum > (uint64_t)STALE_GROWTH * orderedCount;
    return clt_ok;
}
