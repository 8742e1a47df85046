// SPDX-License-Identifier: Zlib
/// \file traverse.h
/// The walk through a tree: stackless, by ropes, so that no depth is too deep.
#ifndef CLT_CORE_TRAVERSE_H
#define CLT_CORE_TRAVERSE_H

#include "gpu/core/lbvh.h"

/// Cursor: the next leaf node at or after `node` whose box overlaps `box`, or CLT_ROPE_END.
/// Starting at the rope of leaf i meets only leaves after i, so that over all i each pair is met once, from its left
/// leaf (Karras, Thinking Parallel, Part II, 2012; the rope start is ArborX's half traversal). Starting at 0 meets all.
CLT_HD uint32_t cltTree_NextOverlap( const cltTree* tree, uint32_t node, const cltAabb* box )
{
    const uint32_t firstLeaf = tree->leafCount - 1u;
    while ( node != CLT_ROPE_END )
    {
        CLT_READ( cltNode, here, tree->nodes + node );
        bool hit = cltAabb_Overlaps( &here->box, box );
        if ( hit && node >= firstLeaf )
        {
            return node;
        }
        node = hit ? here->first : here->rope;
    }
    return CLT_ROPE_END;
}

/// The same for the next leaf that may also pair with the leaf `walker`, a node, if the tree keeps filters. Subtrees in
/// which nothing may are passed over whole. Its filter is read again each time: on a device registers are scarcer.
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

#endif
