// SPDX-License-Identifier: Zlib
/// \file level_tree.h
/// A binary tree without pointers: its shape is a function of the number of leaves alone. Level 0 are the leaves, in
/// the order of a curve; node i of a level has the nodes 2i and 2i+1 of the level below under it, or, where the lower
/// level ends first, 2i alone. All nodes lie in one array, level by level, from the leaves up:
///
///     level 3                 13
///     level 2         11              12              7 leaves: levels of 7, 4, 2 and 1 nodes
///     level 1      7       8       9      10
///     level 0    0   1   2   3   4   5   6
///
/// It is the tree of Chitalu, Dubach, Komura, Bulk-synchronous Parallel Simultaneous BVH Traversal for Collision
/// Detection on GPUs, 2018, turned upside down and without its padding to a power of two. Because boxes do not shape
/// it, what is remembered by node stays true when leaves are sorted anew.
#ifndef CLT_CORE_LEVEL_TREE_H
#define CLT_CORE_LEVEL_TREE_H

#include "gpu/core/pair_change.h"

/// Levels that a tree may have: enough for 2^31 leaves.
#define CLT_MAX_LEVELS 32u

/// The shape of a tree. Without leaves it has no nodes, and its top level is empty.
typedef struct cltLevels
{
    uint32_t starts[CLT_MAX_LEVELS + 1u]; ///< the first node of each level; from top + 1 on the number of nodes
    uint32_t top;                         ///< the level of the root
} cltLevels;

/// Half a cache line, and never in two.
typedef struct cltLevelNode
{
    CLT_ALIGNED( 32 ) cltAabb box; ///< around everything below
    cltFilter filter;              ///< the union of all below; all bits where nothing is filtered
} cltLevelNode;

/// View of a tree under construction or finished. Its arrays are indexed by node.
typedef struct cltLevelTree
{
    cltLevels levels;
    cltLevelNode* nodes;
    uint8_t* moves; ///< 1 where a leaf below is not still, else 0. NULL: nobody asks
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

/// Of a level up to the top.
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

/// Half of all nodes are leaves, so the search begins there.
CLT_HD uint32_t cltLevels_LevelOf( const cltLevels* levels, uint32_t node )
{
    uint32_t level = 0;
    while ( node >= levels->starts[level + 1u] )
    {
        ++level;
    }
    return level;
}

/// So many nodes beside each other, from `first` on.
typedef struct cltNodeRun
{
    uint32_t first;
    uint32_t count;
} cltNodeRun;

/// The nodes below `node` of level `level`, `depth` levels down; never none. With depth = level, its leaves.
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

/// Of a node of level `level`, which is not the top.
CLT_HD uint32_t cltLevels_Parent( const cltLevels* levels, uint32_t level, uint32_t node )
{
    return levels->starts[level + 1u] + ( node - levels->starts[level] ) / 2u;
}

/// A node around nothing: it meets nobody, and in a union changes nothing. For leaves that are kept in reserve.
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

/// True if something below `a` may be a pair with something below `b`. Boxes and filters of nodes are unions, so that
/// what is true of two leaves is true of all that is above them; also of inverted boxes, and of a node and itself.
CLT_HD bool cltLevelNode_Meets( const cltLevelNode* a, const cltLevelNode* b )
{
    const int overlap = cltAabb_Overlaps( &a->box, &b->box ); // both asked, without a branch
    return ( overlap & cltFilter_Allows( &a->filter, &b->filter ) ) != 0;
}

/// Step: node `node` of level `level`, at least 1, from the one or two below it.
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
