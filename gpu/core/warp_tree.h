// SPDX-License-Identifier: Zlib
/// \file warp_tree.h A tree of blocks of 32 boxes, one box for each lane of a warp. Blocks of level 0 hold leaves in
/// the order of the curve. Lane c of block b of level l + 1 bounds block 32 b + c of level l. The number of leaves
/// alone determines the shape, and level 1 always exists:
///
///     level 2   block 0         lanes 0 1
///     level 1   blocks 0, 1     lanes 0 .. 31, 0 1 2           1,100 leaves: levels of 35, 2 and 1 blocks
///     level 0   blocks 0 .. 34  lanes 0 .. 31, ... , 0 .. 11
///
/// Lanes behind the last one hold a box of NaN, which overlaps nothing.
#ifndef CLT_CORE_WARP_TREE_H
#define CLT_CORE_WARP_TREE_H

#include "gpu/core/pair_change.h"

#define CLT_WARP_BITS 5u
#define CLT_WARP_SIZE ( 1u << CLT_WARP_BITS ) ///< lanes of a warp, boxes of a block, children of a node

/// The boxes of a block. The lanes of a warp read 32 adjacent floats at once.
typedef struct cltWarpBoxes
{
    float lower[3][CLT_WARP_SIZE];
    float upper[3][CLT_WARP_SIZE];
} cltWarpBoxes;

/// A view of a tree, finished or under construction. Arrays are indexed by block, level by level from the leaves up.
typedef struct cltWarpTree
{
    uint32_t leafCount; ///< at most 2^30: two for each slot
    cltWarpBoxes* boxes;
    cltFilter* filters; ///< by block and lane: the union of all filters below. NULL if all filters accept all pairs
    uint32_t* moves;    ///< by block, a bit for each lane with a leaf below that is not still
    uint32_t* arrivals; ///< by block, its finished children during a build; 0 before and after
} cltWarpTree;

/// The number of blocks of a level.
CLT_HD uint32_t cltWarpTree_BlockCount( const cltWarpTree* tree, uint32_t level )
{
    return tree->leafCount == 0u ? 0u : ( ( tree->leafCount - 1u ) >> CLT_WARP_BITS * ( level + 1u ) ) + 1u;
}

/// The level of a single block, at least 1.
CLT_HD uint32_t cltWarpTree_Top( const cltWarpTree* tree )
{
    uint32_t level = 1;
    while ( cltWarpTree_BlockCount( tree, level ) > 1u )
    {
        ++level;
    }
    return level;
}

/// Index of a block of a level in the arrays. A loop, because a device would copy a table of starts to its stack.
CLT_HD uint32_t cltWarpTree_At( const cltWarpTree* tree, uint32_t level, uint32_t block )
{
    uint32_t at = block;
    for ( uint32_t below = 0; below < level; ++below )
    {
        at += cltWarpTree_BlockCount( tree, below );
    }
    return at;
}

/// The number of blocks of all levels.
CLT_HD uint32_t cltWarpTree_Size( const cltWarpTree* tree )
{
    return cltWarpTree_At( tree, cltWarpTree_Top( tree ) + 1u, 0u );
}

/// The number of children of a block above level 0.
CLT_HD uint32_t cltWarpTree_ChildCount( const cltWarpTree* tree, uint32_t level, uint32_t block )
{
    const uint32_t rest = cltWarpTree_BlockCount( tree, level - 1u ) - ( block << CLT_WARP_BITS );
    return rest < CLT_WARP_SIZE ? rest : CLT_WARP_SIZE;
}

/// True if a block of a level has leaves in `leafBlock`, a block of level 0, or behind it. A search from `leafBlock`
/// visits only such blocks, so each pair of blocks is found once.
CLT_HD bool cltWarpTree_IsAhead( uint32_t level, uint32_t block, uint32_t leafBlock )
{
    return block >= leafBlock >> CLT_WARP_BITS * level;
}

CLT_HD cltAabb cltWarpTree_Box( const cltWarpTree* tree, uint32_t at, uint32_t lane )
{
    const cltWarpBoxes* boxes = tree->boxes + at;
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = boxes->lower[axis][lane];
        box.upper[axis] = boxes->upper[axis][lane];
    }
    return box;
}

/// A filter that accepts and is accepted by all, if there are none.
CLT_HD cltFilter cltWarpTree_Filter( const cltWarpTree* tree, uint32_t at, uint32_t lane )
{
    const cltFilter any = { -1, -1 };
    return tree->filters != NULL ? tree->filters[at * CLT_WARP_SIZE + lane] : any;
}

CLT_HD void cltWarpTree_Set( const cltWarpTree* tree, uint32_t at, uint32_t lane, const cltAabb* box, cltFilter filter )
{
    cltWarpBoxes* boxes = tree->boxes + at;
    for ( int axis = 0; axis < 3; ++axis )
    {
        boxes->lower[axis][lane] = box->lower[axis];
        boxes->upper[axis][lane] = box->upper[axis];
    }
    if ( tree->filters != NULL )
    {
        tree->filters[at * CLT_WARP_SIZE + lane] = filter;
    }
}

/// Whether something below a lane may be a pair with something of bounds `box` and of filters whose union is `filter`.
CLT_HD bool cltWarpTree_Meets( const cltWarpTree* tree, uint32_t at, uint32_t lane, const cltAabb* box,
                               const cltFilter* filter )
{
    const cltAabb other = cltWarpTree_Box( tree, at, lane );
    const cltFilter others = cltWarpTree_Filter( tree, at, lane );
    const int overlap = cltAabb_Overlaps( &other, box ); // bitwise &, so that both sides are evaluated without a branch
    return ( overlap & cltFilter_Allows( &others, filter ) ) != 0;
}

#endif
