// SPDX-License-Identifier: Zlib
/// \file lbvh.h
/// The linear bounding volume hierarchy: a binary radix tree over sorted keys, built bottom-up in one pass.
///
/// Nodes are numbered as in Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012,
/// section 3: with n leaves, inner nodes are 0 .. n-2, the root is 0, and leaf i is node n-1+i. An inner node that
/// covers the leaves l .. r has index r if it is a left child and l if it is a right one. They are found in the order
/// of Apetrei, Fast and Simple Agglomerative LBVH Construction, 2014: every leaf climbs, and at each node only the
/// second of two children goes on. Ropes follow Prokopenko and Lebrun-Grandie, Revising Apetrei's bounding volume
/// hierarchy construction algorithm to allow stackless traversal, 2024.
#ifndef CLT_CORE_LBVH_H
#define CLT_CORE_LBVH_H

#include "gpu/core/atomic.h"
#include "gpu/core/pair_change.h"

/// Where a walk ends.
#define CLT_ROPE_END UINT32_MAX

/// Half a cache line, and never in two.
typedef struct cltNode
{
    CLT_ALIGNED( 32 ) cltAabb box; ///< around everything below
    uint32_t rope;  ///< where to go when this subtree is done: the next subtree to the right, or CLT_ROPE_END
    uint32_t first; ///< left child; its rope is the right child. Leaves have none and hold CLT_ROPE_END
} cltNode;

/// View of a tree under construction or finished. With a single leaf, that leaf is the root.
typedef struct cltTree
{
    cltNode* nodes;       ///< 2 * leafCount - 1
    const uint64_t* keys; ///< of the leaves, sorted, curve code in the upper half
    uint32_t* meetings;   ///< leafCount - 1 places, all CLT_NOBODY before the build and after it
    uint32_t leafCount;
    cltFilter* filters; ///< for each node the union of all below; a leaf's is there before it climbs. NULL: none
} cltTree;

CLT_HD uint32_t cltTree_NodeOfLeaf( const cltTree* tree, uint32_t leaf )
{
    return tree->leafCount - 1u + leaf;
}

CLT_HD uint32_t cltTree_LeafOfNode( const cltTree* tree, uint32_t node )
{
    return node - ( tree->leafCount - 1u );
}

/// How different leaves i and i+1 are; larger is further apart. The index below the code makes equal codes differ, as
/// Karras' section 4 asks for. Both ends of the array are infinitely far from what is not there; i may be -1.
/// Only the highest differing bit matters, and two gaps that the build compares never share it: at the highest bit of
/// a gap the keys go from 0 to 1, which cannot happen twice without a higher bit changing between.
CLT_HD uint64_t cltTree_Gap( const cltTree* tree, uint32_t i )
{
    if ( i >= tree->leafCount - 1u ) // the last leaf, or -1 wrapped around
    {
        return UINT64_MAX;
    }
    uint64_t codes = ( tree->keys[i] ^ tree->keys[i + 1u] ) & 0xffffffff00000000u;
    return codes | ( i ^ ( i + 1u ) );
}

/// Where a walk goes after the leaves up to `last` are done: the largest subtree that begins with the next leaf.
CLT_HD uint32_t cltTree_RopeAfter( const cltTree* tree, uint32_t last )
{
    if ( last == tree->leafCount - 1u )
    {
        return CLT_ROPE_END;
    }
    bool nextIsRightChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, last + 1u );
    return nextIsRightChild ? cltTree_NodeOfLeaf( tree, last + 1u ) : last + 1u;
}

/// Writes the node that covers the leaves first .. last and parts after `split`, from its two finished children.
CLT_HD void cltTree_JoinChildren( const cltTree* tree, uint32_t first, uint32_t split, uint32_t last )
{
    uint32_t left = first == split ? cltTree_NodeOfLeaf( tree, split ) : split;
    uint32_t right = split + 1u == last ? cltTree_NodeOfLeaf( tree, last ) : split + 1u;
    bool isRoot = first == 0u && last == tree->leafCount - 1u;
    bool isLeftChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, first - 1u );
    uint32_t node = isRoot ? 0u : isLeftChild ? last : first;

    tree->nodes[node].box = cltAabb_Union( &tree->nodes[left].box, &tree->nodes[right].box );
    tree->nodes[node].rope = cltTree_RopeAfter( tree, last );
    tree->nodes[node].first = left;
    if ( tree->filters != NULL )
    {
        tree->filters[node] = cltFilter_Union( tree->filters + left, tree->filters + right );
    }
}

/// Where climbs meet: a place for each gap between two leaves, from some gap on. All hold CLT_NOBODY before and after.
typedef struct cltMeetings
{
    uint32_t* places;
    uint32_t firstGap; ///< that places[0] is for; gap i lies between the leaves i and i+1
    bool inBlock;      ///< in the memory that a block of a device's threads shares, so that no others come there
} cltMeetings;

/// Climbs from the node of the leaves first .. last, which is finished, for as long as this thread is the second to
/// arrive.
CLT_HD void cltTree_Climb( const cltTree* tree, const cltMeetings* meetings, uint32_t first, uint32_t last )
{
    while ( first != 0u || last != tree->leafCount - 1u )
    {
        // The parent joins this range with its closer neighbour; the gap between the two is where they meet.
        bool isLeftChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, first - 1u );
        uint32_t split = isLeftChild ? last : first - 1u;
        uint32_t* place = meetings->places + ( split - meetings->firstGap );
        uint32_t end = isLeftChild ? first : last;
        uint32_t otherEnd = meetings->inBlock ? cltMeetInBlock( place, end ) : cltMeet( place, end );
        if ( otherEnd == CLT_NOBODY )
        {
            return; // first to arrive: the sibling will do the rest
        }
        last = isLeftChild ? otherEnd : last;
        first = isLeftChild ? first : otherEnd;
        cltTree_JoinChildren( tree, first, split, last );
    }
}

/// Climbs from leaf i, whose node is written; one step of the build where there are no blocks.
CLT_HD void cltTree_ClimbFromLeaf( const cltTree* tree, uint32_t i )
{
    const cltMeetings ofAll = { tree->meetings, 0u, false };
    cltTree_Climb( tree, &ofAll, i, i );
}

/// Climbs on, where the whole tree meets, from the node that waits at a place of a block's, if one does when all of the
/// block have stopped: its sibling has leaves of other blocks.
CLT_HD void cltTree_ClimbOn( const cltTree* tree, const cltMeetings* ofBlock, uint32_t place )
{
    const cltMeetings ofAll = { tree->meetings, 0u, false };
    const uint32_t split = ofBlock->firstGap + place;
    const uint32_t end = ofBlock->places[place];
    if ( end != CLT_NOBODY )
    {
        const bool isLeftChild = end <= split;
        cltTree_Climb( tree, &ofAll, isLeftChild ? end : split + 1u, isLeftChild ? split : end );
    }
}

/// Writes the node of leaf i, whose box is `box`.
CLT_HD void cltTree_PlaceLeaf( const cltTree* tree, uint32_t i, const cltAabb* box )
{
    uint32_t node = cltTree_NodeOfLeaf( tree, i );
    tree->nodes[node].box = *box;
    tree->nodes[node].rope = cltTree_RopeAfter( tree, i );
    tree->nodes[node].first = CLT_ROPE_END;
}

/// Step: place leaf i and climb.
CLT_HD void cltTree_ClimbStep( const cltTree* tree, uint32_t i, const cltAabb* box )
{
    cltTree_PlaceLeaf( tree, i, box );
    cltTree_ClimbFromLeaf( tree, i );
}

#endif
