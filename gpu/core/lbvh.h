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

/// Where a walk ends, and what an untouched meeting place holds.
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
    uint32_t* meetings;   ///< leafCount - 1 places, all CLT_ROPE_END before the build and after it
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

/// Step: place leaf i, whose box is `box`, then climb for as long as this thread is the second to arrive.
CLT_HD void cltTree_ClimbStep( const cltTree* tree, uint32_t i, const cltAabb* box )
{
    uint32_t node = cltTree_NodeOfLeaf( tree, i );
    tree->nodes[node].box = *box;
    tree->nodes[node].rope = cltTree_RopeAfter( tree, i );
    tree->nodes[node].first = CLT_ROPE_END;

    uint32_t first = i;
    uint32_t last = i;
    while ( first != 0u || last != tree->leafCount - 1u )
    {
        // The parent joins this range with its closer neighbour; the gap between the two is where they meet.
        bool isLeftChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, first - 1u );
        uint32_t split = isLeftChild ? last : first - 1u;
        uint32_t otherEnd = cltMeet( tree->meetings + split, isLeftChild ? first : last );
        if ( otherEnd == CLT_ROPE_END )
        {
            return; // first to arrive: the sibling will do the rest
        }
        tree->meetings[split] = CLT_ROPE_END; // nobody else comes here, and the next build finds it untouched
        last = isLeftChild ? otherEnd : last;
        first = isLeftChild ? first : otherEnd;
        cltTree_JoinChildren( tree, first, split, last );
    }
}

#endif
