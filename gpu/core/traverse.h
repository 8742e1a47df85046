// SPDX-License-Identifier: Zlib
/// \file traverse.h
/// The walk through a tree of leaves: stackless, by ropes, so that no depth is too deep; and its twin step, which puts
/// a leaf into the tree.
#ifndef CLT_CORE_TRAVERSE_H
#define CLT_CORE_TRAVERSE_H

#include "gpu/core/lbvh.h"
#include "gpu/core/leaf.h"

/// Slots for each one that changed, from which on those that changed walk alone. From the root they meet everything
/// around them: a walk reads 46 nodes where one from a leaf's rope reads 36 (a million bodies with three pairs each,
/// counted on a processor). The rest is left for walks of leaves that are no neighbours. Not measured on a device.
#define CLT_FEW_MOVERS_RATIO 2u

/// Writes the node of leaf i, by its box and what it may pair by. One that is no searchable leaf for now keeps its
/// place.
CLT_HD void cltTree_PutLeaf( const cltTree* tree, const cltLeaves* leaves, uint32_t i )
{
    if ( tree->filters != NULL )
    {
        tree->filters[cltTree_NodeOfLeaf( tree, i )] = cltLeaves_Filter( leaves, i );
    }
    const cltAabb box = cltLeaves_IsOutlier( leaves, i ) ? cltAabb_Nothing() : cltLeaves_Cover( leaves, i );
    cltTree_PlaceLeaf( tree, i, &box );
}

/// Step: the same, and climbs.
CLT_HD void cltTree_AddLeafStep( const cltTree* tree, const cltLeaves* leaves, uint32_t i )
{
    cltTree_PutLeaf( tree, leaves, i );
    cltTree_ClimbFromLeaf( tree, i );
}

/// Cursor: the next leaf node at or after `node` whose box overlaps `box` and which may pair with the leaf node
/// `walker`, or CLT_ROPE_END. Subtrees in which nothing may are passed over whole. The walker's filter is read again
/// each time: on a device registers are scarcer.
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

/// A leaf's walk, and where it is.
typedef struct cltTreeWalk
{
    cltAabb box;
    uint32_t own; ///< the leaf's node
    uint32_t node;
} cltTreeWalk;

/// Meets the leaves after leaf i only, so that over all i each pair is met once, from its left leaf (Karras, Thinking
/// Parallel, Part II, 2012; the rope start is ArborX's half traversal). Who may pair with nobody in the tree, as debris
/// that lies on an outlier, need not go from rope to rope to learn it: the root knows.
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

/// Meets all leaves, leaf i among them.
CLT_HD cltTreeWalk cltTreeWalk_FromRoot( const cltTree* tree, uint32_t i )
{
    cltTreeWalk walk = cltTreeWalk_FromLeaf( tree, i );
    walk.node = 0u;
    return walk;
}

/// Cursor: the next leaf that the walk meets, or CLT_ROPE_END.
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
