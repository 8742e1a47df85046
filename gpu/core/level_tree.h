// SPDX-License-Identifier: Zlib
/// \file level_tree.h A binary tree without pointers. The number of leaves alone determines its shape. Level 0 are the
/// leaves, in the order of a curve. Node i of a level has the children 2i and 2i+1 of the level below, or 2i alone if
/// that level has no node 2i+1. All nodes are in one array, level by level, from the leaves up:
///
///     level 3                 13
///     level 2         11              12              7 leaves: levels of 7, 4, 2 and 1 nodes
///     level 1      7       8       9      10
///     level 0    0   1   2   3   4   5   6
///
/// It is the tree of Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision
/// Detection on GPUs, 2018, with levels counted from the leaves and without padding to a power of two. Boxes do not
/// determine its shape, so data stored by node stays valid when leaves are sorted again.
#ifndef CLT_CORE_LEVEL_TREE_H
#define CLT_CORE_LEVEL_TREE_H

#include "gpu/core/pair_change.h"

/// The largest number of levels: enough for 2^31 leaves.
#define CLT_MAX_LEVELS 32u

/// The shape of a tree. Without leaves it has no nodes, and its top level is empty.
typedef struct cltLevels
{
    uint32_t starts[CLT_MAX_LEVELS + 1u]; ///< first node of each level; from top + 1 on, the number of all nodes
    uint32_t top;                         ///< level of the root
} cltLevels;

/// Fills half a cache line; its alignment prevents that it spans two.
typedef struct cltLevelNode
{
    CLT_ALIGNED( 32 ) cltAabb box; ///< bounds everything below
    cltFilter filter;              ///< the union of all filters below; all bits set if nothing is filtered
} cltLevelNode;

/// A view of a tree, finished or under construction. Its arrays are indexed by node.
typedef struct cltLevelTree
{
    cltLevels levels;
    cltLevelNode* nodes;
    uint8_t* moves; ///< 1 if a leaf below is not still, otherwise 0. NULL if not needed
} cltLevelTree;

/// \param leafCount  at most 2^31
CLT_HD cltLevels cltLevels_Make( uint32_t leafCount )
{
    cltLevels levels;
    uint32_t count = leafCount;
    uint32_t start = 0;
    levels.top = 0;
    for ( uint32_t level = 0; level < CLT_MAX_LEVELS; ++level )
    {
        levels.starts[level] = start;
        start += count;
        const bool isTop = count <= 1u;
        levels.top += isTop ? 0u : 1u;
        count = isTop ? 0u : ( count + 1u ) / 2u;
    }
    levels.starts[CLT_MAX_LEVELS] = start;
    return levels;
}

/// The number of nodes of a level. `level` must not be above the top.
CLT_HD uint32_t cltLevels_Count( const cltLevels* levels, uint32_t level )
{
    return levels->starts[level + 1u] - levels->starts[level];
}

CLT_HD uint32_t cltLevels_LeafCount( const cltLevels* levels )
{
    return levels->starts[1];
}

CLT_HD uint32_t cltLevels_NodeCount( const cltLevels* levels )
{
    return levels->starts[CLT_MAX_LEVELS];
}

/// The level of a node. Half of all nodes are leaves, so the search begins at level 0.
CLT_HD uint32_t cltLevels_LevelOf( const cltLevels* levels, uint32_t node )
{
    uint32_t level = 0;
    while ( node >= levels->starts[level + 1u] )
    {
        ++level;
    }
    return level;
}

/// `count` adjacent nodes from `first` on.
typedef struct cltNodeRun
{
    uint32_t first;
    uint32_t count;
} cltNodeRun;

/// The descendants of a node of level `level`, `depth` levels below; at least one. With depth = level, its leaves.
CLT_HD cltNodeRun cltLevels_Below( const cltLevels* levels, uint32_t level, uint32_t node, uint32_t depth )
{
    const uint32_t lower = level - depth;
    const uint32_t first = ( node - levels->starts[level] ) << depth;
    const uint32_t rest = cltLevels_Count( levels, lower ) - first;
    cltNodeRun run;
    run.first = levels->starts[lower] + first;
    run.count = rest >> depth != 0u ? 1u << depth : rest;
    return run;
}

/// The parent of a node of a level below the top.
CLT_HD uint32_t cltLevels_Parent( const cltLevels* levels, uint32_t level, uint32_t node )
{
    return levels->starts[level + 1u] + ( node - levels->starts[level] ) / 2u;
}

/// An empty node: it meets nothing, and a union with it changes nothing. For spare leaves.
CLT_HD cltLevelNode cltLevelNode_Empty( void )
{
    cltLevelNode node;
    for ( int axis = 0; axis < 3; ++axis )
    {
        node.box.lower[axis] = cltFloatOfBits( 0x7f800000u ); // infinity
        node.box.upper[axis] = cltFloatOfBits( 0xff800000u );
    }
    node.filter.group = 0;
    node.filter.mask = 0;
    return node;
}

/// Whether some leaf below `a` may be a pair with some leaf below `b`. Boxes and filters of nodes are unions. So if the
/// result is true for two leaves, it is true for all their ancestors, also if boxes are inverted, or if the ancestors
/// of both are one node.
CLT_HD bool cltLevelNode_Meets( const cltLevelNode* a, const cltLevelNode* b )
{
    const int overlap =
        cltAabb_Overlaps( &a->box, &b->box ); // bitwise &, so that both sides are evaluated without a branch
    return ( overlap & cltFilter_Allows( &a->filter, &b->filter ) ) != 0;
}

/// Step: computes a node of level 1 or above from its one or two children.
CLT_HD void cltLevelTree_JoinStep( const cltLevelTree* tree, uint32_t level, uint32_t node )
{
    const cltNodeRun below = cltLevels_Below( &tree->levels, level, node, 1u );
    const uint32_t left = below.first;
    const uint32_t right = below.first + below.count - 1u;
    CLT_READ( cltLevelNode, a, tree->nodes + left );
    CLT_READ( cltLevelNode, b, tree->nodes + right );
    cltLevelNode both;
    both.box = cltAabb_Union( &a->box, &b->box );
    both.filter = cltFilter_Union( &a->filter, &b->filter );
    tree->nodes[node] = both;
    if ( tree->moves != NULL )
    {
        tree->moves[node] = (uint8_t)( tree->moves[left] | tree->moves[right] );
    }
}

#endif
