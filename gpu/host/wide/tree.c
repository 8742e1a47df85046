// SPDX-License-Identifier: Zlib
// Computes bounds: first of blocks, then of nodes, level by level.

#include "gpu/host/wide/tree.h"

#include <string.h>

/// Blocks per task, about 10 microseconds of work. A multiple of the lanes of a node, so that only one thread writes a
/// node.
#define FIT_GRAIN ( 16u * CLT_LANE_COUNT )

/// The average growth of blocks, in 1/256, at which the slowdown of searches has cost about as much as a new order.
#define STALE_GROWTH 282u

/// The growth of a block counts up to this for the average: a single body that moved away is no reason to sort all.
#define MAX_GROWTH 1024u

typedef struct FitJob
{
    cltWideTree* tree;
    const cltLanes* lanes;
    const cltBoxLanes* now;    ///< current boxes of the blocks
    const cltBoxLanes* before; ///< previous boxes; NULL: there are none
    const uint32_t* listed;    ///< the blocks to fit, later the nodes to fit; NULL: all
    uint32_t level;            ///< the level of the nodes to fit
} FitJob;

static cltBoxLanes* LevelOf( const cltWideTree* tree, uint32_t level )
{
    return (cltBoxLanes*)tree->nodes.data + tree->starts[level];
}

// ---------------------------------------------------------------------------------------------------------- layout

static void ClearLanes( cltBoxLanes* nodes, uint32_t first, uint32_t end )
{
    for ( uint32_t lane = first; lane < end; ++lane )
    {
        cltLane_Clear( nodes, lane );
    }
}

/// The number of nodes of all levels above the blocks.
static uint32_t NodeCount( uint32_t blockCapacity )
{
    uint32_t total = 0;
    for ( uint32_t nodes = blockCapacity; nodes > 1u; total += nodes )
    {
        nodes = cltBlocksFor( nodes );
    }
    return total;
}

/// Points the levels into the buffers. Must be called after each growth of the buffers, even if it failed: the first
/// buffer may have moved.
static void PointLevels( cltWideTree* tree )
{
    for ( uint32_t level = 1; level < tree->levelCapacity; ++level )
    {
        tree->levels.levels[level] = LevelOf( tree, level );
        tree->filterLevels[level] = (cltFilterLanes*)tree->filters.data + tree->starts[level];
    }
}

static cltStatus GrowLevels( cltWideTree* tree, cltMemory* memory, uint32_t total )
{
    CLT_TRY( cltBuffer_Grow( &tree->nodes, memory, total, sizeof( cltBoxLanes ) ) );
    return cltBuffer_Grow( &tree->filters, memory, total, sizeof( cltFilterLanes ) );
}

cltStatus cltWideTree_Reserve( cltWideTree* tree, cltMemory* memory, uint32_t blockCapacity )
{
    const uint32_t total = NodeCount( blockCapacity );
    CLT_TRY( cltBuffer_Grow( &tree->growths, memory, blockCapacity, sizeof( cltBlockGrowth ) ) );
    CLT_TRY( cltBuffer_Grow( &tree->marks, memory, total, sizeof( uint32_t ) ) );
    const cltStatus status = GrowLevels( tree, memory, total );
    PointLevels( tree );
    CLT_TRY( status );
    memset( tree->filters.data, 0, total * sizeof( cltFilterLanes ) );
    memset( tree->marks.data, 0, total * sizeof( uint32_t ) );
    tree->mark = 0;
    tree->levelCapacity = 1;
    for ( uint32_t start = 0, nodes = blockCapacity; nodes > 1u; start += nodes )
    {
        nodes = cltBlocksFor( nodes );
        tree->starts[tree->levelCapacity++] = start;
    }
    PointLevels( tree );
    ClearLanes( tree->nodes.data, 0, total * CLT_LANE_COUNT );
    cltWideTree_Invalidate( tree );
    return clt_ok;
}

void cltWideTree_Shrink( cltWideTree* tree, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity )
{
    const uint32_t total = NodeCount( blockCapacity );
    cltBuffer_Shrink( &tree->growths, memory, blockCount, blockCapacity, sizeof( cltBlockGrowth ) );
    cltBuffer_Shrink( &tree->marks, memory, 0, total, sizeof( uint32_t ) );
    cltBuffer_Shrink( &tree->nodes, memory, 0, total, sizeof( cltBoxLanes ) );
    cltBuffer_Shrink( &tree->filters, memory, 0, total, sizeof( cltFilterLanes ) );
    (void)cltWideTree_Reserve( tree, memory, blockCapacity ); // cannot fail, because the buffers are large enough
    cltWideTree_SetBlockCount( tree, blockCount );
}

void cltWideTree_SetBlockCount( cltWideTree* tree, uint32_t blockCount )
{
    cltBoxTree* levels = &tree->levels;
    const uint32_t levelCountBefore = levels->levelCount;
    uint32_t count = blockCount - CLT_OUTLIER_BLOCKS;
    levels->levelCount = 0;
    for ( uint32_t level = 1; level < tree->levelCapacity; ++level )
    {
        // clears the lanes of new children, which have no bounds yet, and of children that no longer exist
        const uint32_t end = cltBlocksFor( count ) * CLT_LANE_COUNT;
        ClearLanes( LevelOf( tree, level ), count < levels->counts[level] ? count : levels->counts[level], end );
        levels->counts[level] = count;
        count = cltBlocksFor( count );
        if ( count <= 1u && levels->levelCount == 0 )
        {
            levels->levelCount = level + 1u;
        }
    }
    tree->isFitted = tree->isFitted && levels->levelCount <= levelCountBefore;
}

// --------------------------------------------------------------------------------------------------------- fitting

/// Notes a block's growth, in 1/256 of its longest edge after the sort. The growth is an integer, so that the sum over
/// blocks is the same in any order. Bounds contain the previous boxes, too, so that speed counts as growth.
/// \return the growth less the growth noted before
static uint64_t NoteGrowth( cltWideTree* tree, uint32_t block, const cltAabb* bounds )
{
    cltBlockGrowth* noted = (cltBlockGrowth*)tree->growths.data + block;
    const float edge = cltAabb_LongestEdge( bounds );
    noted->freshEdge = noted->growth == 0 ? edge : noted->freshEdge;
    const float factor = 256.0f * ( edge / noted->freshEdge );
    const uint32_t now = factor > 256.0f ? ( factor < (float)MAX_GROWTH ? (uint32_t)factor : MAX_GROWTH )
                                         : 256u; // also for the NaN of an empty block
    const uint64_t more = (uint64_t)now - noted->growth;
    noted->growth = now;
    return more;
}

uint64_t cltWideTree_SetBounds( cltWideTree* tree, uint32_t block, const cltAabb* bounds )
{
    cltLane_Set( LevelOf( tree, 1 ), block - CLT_OUTLIER_BLOCKS, bounds );
    return NoteGrowth( tree, block, bounds );
}

static uint64_t FitBlock( const FitJob* fit, uint32_t block )
{
    cltWideTree* tree = fit->tree;
    const cltAabb bounds = tree->kernels->bound( fit->now + block, fit->before != NULL ? fit->before + block : NULL );
    if ( block < fit->lanes->orderedEnd )
    {
        return cltWideTree_SetBounds( tree, block, &bounds );
    }
    cltLane_Set( LevelOf( tree, 1 ), block - CLT_OUTLIER_BLOCKS, &bounds );
    return 0;
}

static void SetFilter( cltWideTree* tree, uint32_t level, uint32_t child, cltFilter filter )
{
    cltFilterLanes_Set( tree->filterLevels[level] + child / CLT_LANE_COUNT, child % CLT_LANE_COUNT, &filter );
}

static void FitBlocks( uint32_t first, uint32_t last, void* context )
{
    const FitJob* fit = context;
    const cltLanes* lanes = fit->lanes;
    uint64_t growth = 0;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t block = fit->listed != NULL ? fit->listed[i] : i + CLT_OUTLIER_BLOCKS;
        if ( block < CLT_OUTLIER_BLOCKS )
        {
            continue; // no tree contains outliers
        }
        if ( block >= fit->tree->fittedEnd || cltLanes_Jumped( lanes )[block] != 0 )
        {
            growth += FitBlock( fit, block );
        }
        if ( fit->tree->hasFilters )
        {
            SetFilter( fit->tree, 1, block - CLT_OUTLIER_BLOCKS, cltBlockFilters_Blocks( &lanes->filters )[block].any );
        }
    }
    cltWideTree_AddGrowth( fit->tree, growth );
}

static void FitNodes( uint32_t first, uint32_t last, void* context )
{
    const FitJob* fit = context;
    for ( uint32_t i = first; i < last; ++i )
    {
        const uint32_t node = fit->listed != NULL ? fit->listed[i] : i;
        const cltAabb bounds = fit->tree->kernels->bound( fit->tree->levels.levels[fit->level - 1u] + node, NULL );
        cltLane_Set( LevelOf( fit->tree, fit->level ), node, &bounds );
        if ( fit->tree->hasFilters )
        {
            SetFilter( fit->tree, fit->level, node,
                       cltFilterLanes_Union( fit->tree->filterLevels[fit->level - 1u] + node ) );
        }
    }
}

static void FitLevels( FitJob* fit, cltWorkerPool* pool )
{
    cltWideTree* tree = fit->tree;
    tree->hasFilters = cltBlockFilters_MayReject( &fit->lanes->filters );
    cltWorkerPool_Run( pool, FitBlocks, tree->levels.counts[1], FIT_GRAIN, fit );
    for ( fit->level = 2; fit->level < tree->levels.levelCount; ++fit->level )
    {
        cltWorkerPool_Run( pool, FitNodes, tree->levels.counts[fit->level], FIT_GRAIN, fit );
    }
    tree->isFitted = true;
    tree->fittedEnd = 0; // boxes may change after this
    tree->freshSpread =
        tree->freshSpread > 0.0f ? tree->freshSpread : cltWideTree_Spread( tree, fit->lanes->orderedEnd );
}

void cltWideTree_FitAll( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool )
{
    FitJob fit = {
        .tree = tree, .lanes = lanes, .now = cltLanes_Current( lanes ), .before = cltLanes_Previous( lanes ) };
    FitLevels( &fit, pool );
}

void cltWideTree_FitToCurrent( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool )
{
    FitJob fit = { .tree = tree, .lanes = lanes, .now = cltLanes_Current( lanes ) };
    FitLevels( &fit, pool );
}

/// Replaces the listed nodes by their parents, without duplicates; returns the number of parents.
/// \param first  the number of the first node with a parent: outliers' blocks have no parent
static uint32_t ListParents( cltWideTree* tree, uint32_t level, uint32_t* nodes, uint32_t count, uint32_t first )
{
    uint32_t* marks = (uint32_t*)tree->marks.data + tree->starts[level];
    uint32_t parentCount = 0;
    for ( uint32_t i = 0; i < count; ++i )
    {
        const uint32_t parent = ( nodes[i] - first ) / CLT_LANE_COUNT;
        if ( nodes[i] >= first && marks[parent] != tree->mark )
        {
            marks[parent] = tree->mark;
            nodes[parentCount++] = parent;
        }
    }
    return parentCount;
}

void cltWideTree_FitListed( cltWideTree* tree, const cltLanes* lanes, uint32_t* blocks, uint32_t count,
                            cltWorkerPool* pool )
{
    FitJob fit = { .tree = tree,
                   .lanes = lanes,
                   .now = cltLanes_Current( lanes ),
                   .before = cltLanes_Previous( lanes ),
                   .listed = blocks };
    cltWorkerPool_Run( pool, FitBlocks, count, FIT_GRAIN, &fit );
    if ( ++tree->mark == 0 ) // after 2^32 updates, old marks would be valid again
    {
        memset( tree->marks.data, 0, tree->marks.bytes );
        tree->mark = 1;
    }
    for ( fit.level = 2; fit.level < tree->levels.levelCount; ++fit.level )
    {
        count = ListParents( tree, fit.level - 1u, blocks, count, fit.level == 2 ? CLT_OUTLIER_BLOCKS : 0 );
        FitNodes( 0, count, &fit );
    }
}

void cltWideTree_ResetAfterSort( cltWideTree* tree, uint32_t blockCount )
{
    cltWideTree_SetBlockCount( tree, blockCount );
    memset( tree->growths.data, 0, blockCount * sizeof( cltBlockGrowth ) );
    tree->growthSum = 0;
    tree->freshSpread = 0.0f;
    cltWideTree_Invalidate( tree );
}

void cltWideTree_RenewBlock( cltWideTree* tree, uint32_t block )
{
    cltBlockGrowth* noted = (cltBlockGrowth*)tree->growths.data + block;
    tree->growthSum -= noted->growth;
    noted->growth = 0;
}

bool cltWideTree_IsStale( const cltWideTree* tree, uint32_t orderedEnd )
{
    return tree->growthSum > (uint64_t)STALE_GROWTH * ( orderedEnd - CLT_OUTLIER_BLOCKS );
}

float cltWideTree_Spread( const cltWideTree* tree, uint32_t orderedEnd )
{
    const uint32_t stride = cltSampleStride( orderedEnd );
    cltAabb last = cltAabb_Empty();
    float spread = 0.0f;
    for ( uint32_t block = CLT_OUTLIER_BLOCKS; block < orderedEnd; block += stride )
    {
        const cltAabb bounds = cltLane_Get( LevelOf( tree, 1 ), block - CLT_OUTLIER_BLOCKS );
        spread += cltSpreadOf( &last, &bounds );
        last = bounds;
    }
    return spread;
}

void cltWideTree_Release( cltWideTree* tree, cltMemory* memory )
{
    cltBuffer_Release( &tree->nodes, memory );
    cltBuffer_Release( &tree->filters, memory );
    cltBuffer_Release( &tree->marks, memory );
    cltBuffer_Release( &tree->growths, memory );
}
