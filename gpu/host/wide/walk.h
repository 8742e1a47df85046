// SPDX-License-Identifier: Zlib
/// \file walk.h
/// The search from a block, or from the movers in a block, for all lanes near them: down the tree and through the
/// outliers.
///
/// Every pair of lanes is tested once. If all blocks search (SearchBlock), a block tests its own lanes, the blocks
/// after it in the order of the curve, and the outliers. An outliers' block tests its own lanes and later outliers'
/// blocks. If movers search (SearchLanes), a mover tests all lanes that are not movers. Of two movers, the lower lane
/// tests the higher lane: in its own block (SelfLanes), under the tree (VisitLeaf) and among the outliers. Lanes that
/// are not yet in the order of the curve always search as movers.
#ifndef CLT_HOST_WIDE_WALK_H
#define CLT_HOST_WIDE_WALK_H

#include "gpu/host/wide/boxes.h"
#include "gpu/host/wide/candidates.h"
#include "gpu/host/wide/lanes.h"

/// The size of the stack of nodes still to be visited: at most the children of one node on each level. An entry:
///
///     bit  31 .. 28   27 .. 0
///          level      node
#define STACK_SIZE ( CLT_BOX_TREE_LEVELS * CLT_LANE_COUNT )
#define STACK_NODE_BITS 28u

/// The largest number of blocks to prefetch and visit together.
#define BLOCK_CAPACITY 64u

/// This many blocks, 768 bytes each with their previous boxes, fit a second-level cache of a megabyte.
#define CACHED_BLOCKS 1024u

/// The children of a node that have numbers in [first, last] on their level, as bits.
static inline uint32_t ChildrenWithin( uint32_t node, uint32_t first, uint32_t last )
{
    const uint32_t start = node * CLT_LANE_COUNT;
    const uint32_t from = first > start ? first - start : 0u;
    const uint32_t to = last - start; // never below 0, because nodes beyond the last are not visited
    const uint32_t below = from < CLT_LANE_COUNT ? CLT_ALL_LANES << from : 0u;
    return to < CLT_LANE_COUNT - 1u ? below & ~( ~1u << to ) : below & CLT_ALL_LANES;
}

/// Visits a block that overlaps the searcher's box.
/// \param twoSided  true if movers search. Movers visit earlier blocks, too. The searching block itself is then skipped
///                  (SelfLanes), and so are the movers of earlier blocks, which find the searching movers themselves
CLT_SPECIALIZED void VisitLeaf( Searcher* searcher, uint32_t block, bool twoSided, cltWideFind find )
{
    if ( !twoSided )
    {
        VisitBlock( searcher, block, CLT_ALL_LANES, find );
    }
    else if ( block != searcher->block )
    {
        const uint32_t movers = searcher->search->movers[block];
        VisitBlock( searcher, block, block < searcher->block ? ~movers : CLT_ALL_LANES, find );
    }
}

/// Prefetches the blocks that will be visited next. Not all of them are adjacent in memory.
CLT_SPECIALIZED void PrefetchBlocks( const cltWideSearch* search, const uint32_t* blocks, uint32_t count,
                                     cltWideFind find )
{
    for ( uint32_t i = 0; i < count; ++i )
    {
        cltBlock_Prefetch( search->current + blocks[i] );
        if ( TestsPreviousBoxes( find ) )
        {
            cltBlock_Prefetch( PreviousBoxesOf( search, blocks[i] ) );
        }
    }
}

/// The children of a node that may pair with bodies of a filter, as bits.
CLT_SPECIALIZED uint32_t AllowedChildren( const cltFilterLanes* children, const cltFilter* filter )
{
    uint32_t allowed = 0;
    for ( uint32_t first = 0; first < CLT_LANE_COUNT; first += CLT_WIDTH )
    {
        const uint32_t byGroup = cltInts_Share( children->group + first, filter->mask );
        const uint32_t byMask = cltInts_Share( children->mask + first, filter->group );
        allowed |= ( byGroup & byMask ) << first;
    }
    return allowed;
}

CLT_SPECIALIZED void VisitLeaves( Searcher* searcher, const uint32_t* blocks, uint32_t count, bool twoSided,
                                  cltWideFind find )
{
    if ( searcher->search->blockCount > CACHED_BLOCKS )
    {
        PrefetchBlocks( searcher->search, blocks, count, find );
    }
    for ( uint32_t i = 0; i < count; ++i )
    {
        VisitLeaf( searcher, blocks[i], twoSided, find );
    }
}

/// Writes the nodes at which a walk begins to the walk's stack. Not inlined, so that the loop of a walk that begins at
/// the root has all registers.
static CLT_NOINLINE uint32_t BeginInVicinity( const Searcher* searcher, uint32_t* stack )
{
    const Vicinity* vicinity = searcher->vicinity;
    uint32_t size = 0;
    for ( uint32_t i = 0; i * CLT_LANE_COUNT < vicinity->count; ++i )
    {
        uint32_t near = cltBlock_Overlap( vicinity->boxes + i, &searcher->box );
        if ( searcher->search->filters != NULL )
        {
            near &= AllowedChildren( vicinity->filters + i, &searcher->filter );
        }
        for ( ; near != 0; near &= near - 1u )
        {
            stack[size++] = vicinity->nodes[i * CLT_LANE_COUNT + cltLowestBit( near )] | 1u << STACK_NODE_BITS;
        }
    }
    return size;
}

/// Visits the blocks under the tree, from leaf `first` to leaf `last`, that the searcher's box overlaps. The number of
/// overlapping children of a node is unpredictable, so they are listed without a branch on it.
CLT_SPECIALIZED void WalkTree( Searcher* searcher, uint32_t first, uint32_t last, bool twoSided, cltWideFind find )
{
    const cltBoxTree* tree = searcher->search->tree;
    uint32_t stack[STACK_SIZE];
    uint32_t size = 1;
    stack[0] = ( tree->levelCount - 1u ) << STACK_NODE_BITS;
    if ( searcher->vicinity != NULL )
    {
        size = BeginInVicinity( searcher, stack );
    }
    uint32_t blocks[BLOCK_CAPACITY];
    uint32_t blockCount = 0;
    while ( size > 0 )
    {
        const uint32_t level = stack[--size] >> STACK_NODE_BITS;
        const uint32_t node = stack[size] & ( ( 1u << STACK_NODE_BITS ) - 1u );
        const uint32_t shift = CLT_LANE_BITS * ( level - 1u ); // turns a leaf's index into that of the child above it
        uint32_t near = cltBlock_Overlap( tree->levels[level] + node, &searcher->box );
        near &= ChildrenWithin( node, first >> shift, last >> shift );
        if ( searcher->search->filters != NULL )
        {
            near &= AllowedChildren( searcher->search->filters[level] + node, &searcher->filter );
        }
        const uint32_t children = node * CLT_LANE_COUNT;
        if ( level > 1u )
        {
            size += cltLanes_List( stack + size, ( ( level - 1u ) << STACK_NODE_BITS ) + children, near );
            continue;
        }
        if ( blockCount > BLOCK_CAPACITY - CLT_LANE_COUNT )
        {
            VisitLeaves( searcher, blocks, blockCount, twoSided, find );
            blockCount = 0;
        }
        blockCount += cltLanes_List( blocks + blockCount, children + CLT_OUTLIER_BLOCKS, near );
    }
    VisitLeaves( searcher, blocks, blockCount, twoSided, find );
}

/// True if filters allow the searching lanes to pair with lanes of their own block, each other included.
static inline bool PairsWithin( const Searcher* searcher )
{
    const cltWideSearch* search = searcher->search;
    return search->filters == NULL || cltFilter_Allows( &searcher->filter, &search->blockFilters[searcher->block].any );
}

CLT_SPECIALIZED void SearchBlock( Searcher* searcher, uint32_t block, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    searcher->block = block;
    searcher->lanes = CLT_ALL_LANES;
    searcher->selfMovers = CLT_ALL_LANES;
    searcher->filter = search->blockFilters[block].any;
    if ( block < CLT_OUTLIER_BLOCKS )
    {
        searcher->box = Bound( search->current + block, TestsPreviousBoxes( find ) ? search->previous + block : NULL );
    }
    else
    {
        const uint32_t leaf = block - CLT_OUTLIER_BLOCKS;
        searcher->box = cltBoxLanes_Get( search->tree->levels[1] + leaf / CLT_LANE_COUNT, leaf % CLT_LANE_COUNT );
        if ( block + 1u < search->orderedEnd )
        {
            WalkTree( searcher, leaf + 1u, search->orderedEnd - CLT_OUTLIER_BLOCKS - 1u, false, find );
        }
    }
    for ( uint32_t a = block < CLT_OUTLIER_BLOCKS ? block + 1u : 0u; a < search->outlierBlockCount; ++a )
    {
        VisitBlock( searcher, a, CLT_ALL_LANES, find );
    }
    TestCandidates( searcher, PairsWithin( searcher ), find );
}

/// The union of the lanes' current and previous filters.
static inline cltFilter UniteLanes( const cltWideSearch* search, uint32_t block, uint32_t lanes )
{
    cltFilter all = { 0, 0 };
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const cltLeafRef ref = search->refs[block * CLT_LANE_COUNT + cltLowestBit( lanes )];
        if ( ref != CLT_FREE_LANE )
        {
            all = cltFilter_Union( &all, search->input->filters.now + cltLeafRef_Slot( ref ) );
            all = cltFilter_Union( &all, search->input->filters.before + cltLeafRef_Slot( ref ) );
        }
    }
    return all;
}

/// The box around the current and previous boxes of the lanes.
static inline cltAabb BoundLanes( const cltWideSearch* search, uint32_t block, uint32_t lanes )
{
    cltAabb bounds = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t lane = cltLowestBit( lanes );
        const cltBoxLanes* both[2] = { search->current + block, search->previous + block };
        for ( int i = 0; i < 2; ++i )
        {
            const cltAabb box = cltBoxLanes_Get( both[i], lane );
            bounds = cltAabb_Union( &box, &bounds ); // a NaN in the first argument is ignored
        }
    }
    return bounds;
}

static inline void BeginLanes( Searcher* searcher, uint32_t block, uint32_t lanes )
{
    const cltWideSearch* search = searcher->search;
    searcher->block = block;
    searcher->lanes = lanes;
    searcher->selfMovers = search->movers[block];
    searcher->box = BoundLanes( search, block, lanes );
    if ( search->filters != NULL )
    {
        searcher->filter = UniteLanes( search, block, lanes );
    }
}

CLT_SPECIALIZED void SearchLanes( Searcher* searcher, uint32_t block, uint32_t lanes, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    BeginLanes( searcher, block, lanes );
    if ( search->blockCount > CLT_OUTLIER_BLOCKS )
    {
        WalkTree( searcher, 0, search->blockCount - CLT_OUTLIER_BLOCKS - 1u, true, find );
    }
    for ( uint32_t a = 0; a < search->outlierBlockCount; ++a )
    {
        VisitLeaf( searcher, a, true, find );
    }
    TestCandidates( searcher, PairsWithin( searcher ), find );
}

/// A box is also inflated by this share of its coordinates, so that rounding cannot cancel the inflation.
#define ROUNDED_SHARE 0x1p-22f

/// Moves a bound outwards by `room` (negative for a lower bound) and the share for rounding. Infinity stays infinity.
static inline float InflateBound( float bound, float room )
{
    return isinf( bound ) ? bound : bound + room + copysignf( ROUNDED_SHARE * bound, room );
}

/// Inflates the box around searching lanes until it overlaps all lanes that can limit their margins. The rest box of a
/// limiting lane lies within twice the largest margin; its box, which the tree bounds, within three times the margin.
static inline cltAabb InflateBox( const cltAabb* box, const cltRest* rest )
{
    const float room = 4.0f * ( rest->maxMargin + cltRest_Tolerance( rest ) );
    cltAabb inflated;
    for ( int axis = 0; axis < 3; ++axis )
    {
        inflated.lower[axis] = InflateBound( box->lower[axis], -room );
        inflated.upper[axis] = InflateBound( box->upper[axis], room );
    }
    return inflated;
}

/// Measures the gaps from the lanes to all lanes near them. Unlike a pair, a gap is measured from both of its lanes.
CLT_SPECIALIZED void MeasureLanes( Searcher* searcher, uint32_t block, uint32_t lanes )
{
    const cltWideSearch* search = searcher->search;
    for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
    {
        searcher->gaps->toMovers[lane] = INFINITY;
        searcher->gaps->toOthers[lane] = INFINITY;
    }
    BeginLanes( searcher, block, lanes );
    searcher->box = InflateBox( &searcher->box, search->rest );
    if ( search->blockCount > CLT_OUTLIER_BLOCKS )
    {
        WalkTree( searcher, 0, search->blockCount - CLT_OUTLIER_BLOCKS - 1u, false, clt_wideMeasure );
    }
    for ( uint32_t a = 0; a < search->outlierBlockCount; ++a )
    {
        VisitBlock( searcher, a, CLT_ALL_LANES, clt_wideMeasure );
    }
    MeasureCandidates( searcher );
    StoreGaps( searcher );
}

/// Movers of one ordered block search together, because they are neighbours. Unsorted lanes and outliers mostly are not
/// neighbours, so each of them searches alone.
CLT_SPECIALIZED void SearchMoversOf( Searcher* searcher, uint32_t block, cltWideFind find )
{
    const cltWideSearch* search = searcher->search;
    const bool together = block >= CLT_OUTLIER_BLOCKS && block < search->orderedEnd;
    for ( uint32_t rest = search->movers[block], lanes; rest != 0; rest &= ~lanes )
    {
        lanes = together ? rest : rest & ( 0u - rest );
        if ( find == clt_wideMeasure )
        {
            MeasureLanes( searcher, block, lanes );
        }
        else
        {
            SearchLanes( searcher, block, lanes, find );
        }
    }
}

// ---------------------------------------------------------------------------------------------------- vicinities

// If all blocks search, the sixteen blocks below a node of level 1 are neighbours and would visit the same nodes of
// the tree. So one walk with the box around all sixteen finds their vicinity: the nodes at which their walks begin.

/// Vicinities are used if the tree has this many levels. With fewer levels, a walk from the root is short enough.
#define VICINITY_LEVELS 5u

_Static_assert( VICINITY_CAPACITY <= STACK_SIZE, "a walk begins with all of them on its stack" );

static inline void AddToVicinity( Vicinity* vicinity, const cltWideSearch* search, uint32_t node )
{
    const cltAabb box = cltLane_Get( search->tree->levels[2], node );
    cltLane_Set( vicinity->boxes, vicinity->count, &box );
    if ( search->filters != NULL )
    {
        const cltFilterLanes* lanes = search->filters[2] + node / CLT_LANE_COUNT;
        const cltFilter filter = { lanes->group[node % CLT_LANE_COUNT], lanes->mask[node % CLT_LANE_COUNT] };
        cltFilterLanes_Set( vicinity->filters + vicinity->count / CLT_LANE_COUNT, vicinity->count % CLT_LANE_COUNT,
                            &filter );
    }
    vicinity->nodes[vicinity->count++] = node;
}

/// Finds the nodes of level 1, from `own` on in the order of the curve, that the sixteen blocks below `own` may meet.
/// \return false if there are too many nodes or too few levels; walks then begin at the root
static CLT_NOINLINE bool FindVicinity( const cltWideSearch* search, uint32_t own, Vicinity* vicinity )
{
    const cltBoxTree* tree = search->tree;
    const uint32_t last = ( search->orderedEnd - CLT_OUTLIER_BLOCKS - 1u ) / CLT_LANE_COUNT;
    if ( tree->levelCount < VICINITY_LEVELS )
    {
        return false;
    }
    const cltAabb box = cltLane_Get( tree->levels[2], own );
    cltFilter filter = { 0, 0 };
    if ( search->filters != NULL )
    {
        filter = cltFilterLanes_Union( search->filters[1] + own );
    }
    uint32_t stack[STACK_SIZE];
    uint32_t size = 0;
    vicinity->count = 0;
    stack[size++] = ( tree->levelCount - 1u ) << STACK_NODE_BITS;
    while ( size > 0 )
    {
        const uint32_t level = stack[--size] >> STACK_NODE_BITS;
        const uint32_t node = stack[size] & ( ( 1u << STACK_NODE_BITS ) - 1u );
        const uint32_t shift = CLT_LANE_BITS * ( level - 2u ); // turns an index in level 1 into that of the child above
        uint32_t near = cltBlock_Overlap( tree->levels[level] + node, &box );
        near &= ChildrenWithin( node, own >> shift, last >> shift );
        if ( search->filters != NULL )
        {
            near &= AllowedChildren( search->filters[level] + node, &filter );
        }
        if ( level > 2u )
        {
            size += cltLanes_List( stack + size, ( ( level - 1u ) << STACK_NODE_BITS ) + node * CLT_LANE_COUNT, near );
            continue;
        }
        if ( vicinity->count > VICINITY_CAPACITY - CLT_LANE_COUNT )
        {
            return false;
        }
        for ( ; near != 0; near &= near - 1u )
        {
            AddToVicinity( vicinity, search, node * CLT_LANE_COUNT + cltLowestBit( near ) );
        }
    }
    for ( uint32_t lane = vicinity->count; lane % CLT_LANE_COUNT != 0; ++lane )
    {
        cltLane_Clear( vicinity->boxes, lane );
    }
    return true;
}

#endif
