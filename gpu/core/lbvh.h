// SPDX-License-Identifier: Zlib
/// \file lbvh.h Linear bounding volume hierarchy: a binary radix tree over sorted keys, built bottom-up in one pass.
///
/// Nodes are numbered as in Karras, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012,
/// section 3. With n leaves, inner nodes are 0 .. n-2, the root is 0, and leaf i is node n-1+i. An inner node that
/// covers the leaves l .. r has index r if it is a left child and l if it is a right child. The build follows Apetrei,
/// Fast and Simple Agglomerative LBVH Construction, 2014: a thread climbs from every leaf, and at each node only the
/// second of two threads continues. A node's rope is a link to the next node in preorder after its subtree. Ropes
/// follow Prokopenko and Lebrun-Grandie, Revising Apetrei's bounding volume hierarchy construction algorithm to allow
/// stackless traversal, 2024.
#ifndef CLT_CORE_LBVH_H
#define CLT_CORE_LBVH_H

#include "gpu/core/atomic.h"
#include "gpu/core/pair_change.h"

/// The rope of a node after which a walk ends.
#define CLT_ROPE_END UINT32_MAX

/// Fills half a cache line; its alignment prevents that it spans two.
typedef struct cltNode
{
    CLT_ALIGNED( 32 ) cltAabb box; ///< bounds everything below
    uint32_t rope;                 ///< next node after this subtree: the next subtree to the right, or CLT_ROPE_END
    uint32_t first;                ///< left child; its rope is the right child. CLT_ROPE_END in a leaf
} cltNode;

/// A view of a tree, finished or under construction. A single leaf is the root.
typedef struct cltTree
{
    cltNode* nodes;       ///< 2 * leafCount - 1
    const uint64_t* keys; ///< of the leaves, ascending; the curve code is the upper half
    /// leafCount - 1 locations for cltExchangeWithPartner; all hold CLT_NO_PARTNER before and after the build
    uint32_t* meetings;
    uint32_t leafCount;
    /// by node, the union of all filters below; NULL if all filters accept all pairs. A leaf's filter must be set
    /// before the climb from this leaf
    cltFilter* filters;
} cltTree;

CLT_HD uint32_t cltTree_NodeOfLeaf( const cltTree* tree, uint32_t leaf )
{
    return tree->leafCount - 1u + leaf;
}

CLT_HD uint32_t cltTree_LeafOfNode( const cltTree* tree, uint32_t node )
{
    return node - ( tree->leafCount - 1u );
}

/// How much the keys of leaves i and i+1 differ; larger means further apart. Leaves with equal codes differ by their
/// indices, as in Karras' section 4. The gaps before the first leaf (i = -1) and after the last are infinite. Only the
/// highest differing bit matters. Two gaps that the build compares never have the same highest bit: the keys ascend, so
/// this bit changes from 0 to 1 twice only if a higher bit changes in between.
CLT_HD uint64_t cltTree_Gap( const cltTree* tree, uint32_t i )
{
    if ( i >= tree->leafCount - 1u ) // the last leaf, or -1, wrapped around
    {
        return UINT64_MAX;
    }
    uint64_t codes = ( tree->keys[i] ^ tree->keys[i + 1u] ) & 0xffffffff00000000u;
    return codes | ( i ^ ( i + 1u ) );
}

/// The rope of a node that ends with leaf `last`: the root of the largest subtree that begins with leaf last + 1.
CLT_HD uint32_t cltTree_RopeAfter( const cltTree* tree, uint32_t last )
{
    if ( last == tree->leafCount - 1u )
    {
        return CLT_ROPE_END;
    }
    bool nextIsRightChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, last + 1u );
    return nextIsRightChild ? cltTree_NodeOfLeaf( tree, last + 1u ) : last + 1u;
}

/// Writes the node of leaves first .. last from its two finished children; the left one ends with leaf `split`.
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

/// Memory locations at which the threads of two siblings meet (cltExchangeWithPartner), one for each gap between two
/// leaves, from `firstGap` on. All hold CLT_NO_PARTNER before and after a build.
typedef struct cltExchangeLocations
{
    uint32_t* places;
    uint32_t firstGap; ///< the gap of places[0]; gap i lies between the leaves i and i+1
    bool inBlock;      ///< `places` is in a block's shared memory, so only its threads access them
} cltExchangeLocations;

/// Climbs from the finished node of leaves first .. last. Stops at the first node with an unfinished sibling; the
/// sibling's thread then continues.
CLT_HD void cltTree_Climb( const cltTree* tree, const cltExchangeLocations* meetings, uint32_t first, uint32_t last )
{
    while ( first != 0u || last != tree->leafCount - 1u )
    {
        // The parent joins this range with the closer neighbour; threads meet at the gap between the two.
        bool isLeftChild = cltTree_Gap( tree, last ) < cltTree_Gap( tree, first - 1u );
        uint32_t split = isLeftChild ? last : first - 1u;
        uint32_t* place = meetings->places + ( split - meetings->firstGap );
        uint32_t end = isLeftChild ? first : last;
        uint32_t otherEnd =
            meetings->inBlock ? cltExchangeWithPartnerInBlock( place, end ) : cltExchangeWithPartner( place, end );
        if ( otherEnd == CLT_NO_PARTNER )
        {
            return; // first to arrive: the sibling's thread continues
        }
        last = isLeftChild ? otherEnd : last;
        first = isLeftChild ? first : otherEnd;
        cltTree_JoinChildren( tree, first, split, last );
    }
}

/// Climbs from leaf i after its node is written: one step of a build without blocks.
CLT_HD void cltTree_ClimbFromLeaf( const cltTree* tree, uint32_t i )
{
    const cltExchangeLocations ofAll = { tree->meetings, 0u, false };
    cltTree_Climb( tree, &ofAll, i, i );
}

/// Continues the climb that stopped at location `place` of a block, if any. To be called after all threads of the block
/// have stopped. A location other than CLT_NO_PARTNER then belongs to a climb that waits for a sibling with leaves of
/// other blocks. This climb continues with the locations of the whole tree.
CLT_HD void cltTree_ContinueClimb( const cltTree* tree, const cltExchangeLocations* ofBlock, uint32_t place )
{
    const cltExchangeLocations ofAll = { tree->meetings, 0u, false };
    const uint32_t split = ofBlock->firstGap + place;
    const uint32_t end = ofBlock->places[place];
    if ( end != CLT_NO_PARTNER )
    {
        const bool isLeftChild = end <= split;
        cltTree_Climb( tree, &ofAll, isLeftChild ? end : split + 1u, isLeftChild ? split : end );
    }
}

/// Writes the node of leaf i with the given box.
CLT_HD void cltTree_WriteLeafNode( const cltTree* tree, uint32_t i, const cltAabb* box )
{
    uint32_t node = cltTree_NodeOfLeaf( tree, i );
    tree->nodes[node].box = *box;
    tree->nodes[node].rope = cltTree_RopeAfter( tree, i );
    tree->nodes[node].first = CLT_ROPE_END;
}

/// Step: writes leaf i and climbs.
CLT_HD void cltTree_ClimbStep( const cltTree* tree, uint32_t i, const cltAabb* box )
{
    cltTree_WriteLeafNode( tree, i, box );
    cltTree_ClimbFromLeaf( tree, i );
}

#endif
