// SPDX-License-Identifier: Zlib
/// \file traverse.h Stackless traversal of a tree of leaves by ropes, so that depth is unlimited; and a step that
/// inserts a leaf.
#ifndef CLT_CORE_TRAVERSE_H
#define CLT_CORE_TRAVERSE_H

#include "gpu/core/lbvh.h"
#include "gpu/core/leaf.h"

/// If fewer than one slot in this many changed, only leaves of changed slots search, each from the root. A walk from
/// the root reads 46 nodes, a walk from a leaf's rope 36 (a million bodies with three pairs each, counted on a
/// processor). The margin allows for successive walks from leaves that are no neighbours. Not measured on a device.
#define CLT_FEW_MOVERS_RATIO 2u

/// Writes the node of leaf i with its box and filter. An outlier gets an empty box, so that no walk finds it.
CLT_HD void cltTree_WriteLeaf( const cltTree* tree, const cltLeaves* leaves, uint32_t i )
{
    if ( tree->filters != NULL )
    {
        tree->filters[cltTree_NodeOfLeaf( tree, i )] = cltLeaves_Filter( leaves, i );
    }
    const cltAabb box = cltLeaves_IsOutlier( leaves, i ) ? cltAabb_Empty() : cltLeaves_Cover( leaves, i );
    cltTree_WriteLeafNode( tree, i, &box );
}

/// Step: writes leaf i and climbs.
CLT_HD void cltTree_AddLeafStep( const cltTree* tree, const cltLeaves* leaves, uint32_t i )
{
    cltTree_WriteLeaf( tree, leaves, i );
    cltTree_ClimbFromLeaf( tree, i );
}

/// Cursor: the next leaf node at or after `node` that overlaps `box` and may pair with the leaf node
/// `walker`, or CLT_ROPE_END. Subtrees that filters reject are skipped. The walker's filter is read again each time,
/// because registers are scarce on a device.
CLT_HD uint32_t cltTree_NextPartner( const cltTree* tree, uint32_t node, const cltAabb* box, uint32_t walker )
{
    const uint32_t firstLeaf = tree->leafCount - 1u;
    while ( node != CLT_ROPE_END )
    {
        CLT_READ( cltNode, here, tree->nodes + node );
        bool hit = cltAabb_Overlaps( &here->box, box ) &&
                   ( tree->filters == NULL || cltFilter_Allows( tree->filters + node, tree->filters + walker ) );
        if ( hit && node >= firstLeaf )
        {
            return node;
        }
        node = hit ? here->first : here->rope;
    }
    return CLT_ROPE_END;
}

/// The state of a leaf's walk.
typedef struct cltTreeWalk
{
    cltAabb box;
    uint32_t own; ///< the walking leaf's node
    uint32_t node;
} cltTreeWalk;

/// Starts a walk over the leaves after leaf i. Over all i, each pair is found once, from its left leaf (Karras,
/// Thinking Parallel, Part II, 2012; the rope start is ArborX's half traversal). A leaf that filters reject against the
/// root, such as debris that pairs only with an outlier, ends its walk at once.
CLT_HD cltTreeWalk cltTreeWalk_FromLeaf( const cltTree* tree, uint32_t i )
{
    cltTreeWalk walk;
    walk.own = cltTree_NodeOfLeaf( tree, i );
    walk.box = tree->nodes[walk.own].box;
    walk.node = tree->nodes[walk.own].rope;
    if ( tree->filters != NULL && !cltFilter_Allows( tree->filters, tree->filters + walk.own ) )
    {
        walk.node = CLT_ROPE_END;
    }
    return walk;
}

/// Starts a walk over all leaves, including leaf i.
CLT_HD cltTreeWalk cltTreeWalk_FromRoot( const cltTree* tree, uint32_t i )
{
    cltTreeWalk walk = cltTreeWalk_FromLeaf( tree, i );
    walk.node = 0u;
    return walk;
}

/// Cursor: the index of the next leaf that the walking leaf may pair with, or CLT_ROPE_END.
CLT_HD uint32_t cltTreeWalk_Next( cltTreeWalk* walk, const cltTree* tree )
{
    const uint32_t node = cltTree_NextPartner( tree, walk->node, &walk->box, walk->own );
    if ( node == CLT_ROPE_END )
    {
        return CLT_ROPE_END;
    }
    walk->node = tree->nodes[node].rope;
    return cltTree_LeafOfNode( tree, node );
}

#endif
