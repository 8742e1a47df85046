// SPDX-License-Identifier: Zlib
/// \file vicinity.h
/// If all blocks search, the sixteen blocks below a node of level 1 are neighbours and would visit the same nodes of
/// the tree. So one walk with the box around all sixteen finds their vicinity: the nodes at which their walks begin.
#ifndef CLT_HOST_WIDE_VICINITY_H
#define CLT_HOST_WIDE_VICINITY_H

#include "gpu/host/wide/walk.h"

/// With fewer levels, a walk from the root is short enough.
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

/// Finds the nodes that the sixteen blocks below node `own` of level 1 may meet, from `own` on in the order of the
/// curve.
/// \return false if there are too many nodes or too few levels: then walks begin at the root
CLT_APART bool FindVicinity( const cltWideSearch* search, uint32_t own, Vicinity* vicinity )
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
        const uint32_t shift = CLT_LANE_BITS * ( level - 2u ); // of the index in level 1
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
            AddToVicinity( vicinity, search, node * CLT_LANE_COUNT + (uint32_t)__builtin_ctz( near ) );
        }
    }
    for ( uint32_t lane = vicinity->count; lane % CLT_LANE_COUNT != 0; ++lane )
    {
        cltLane_Clear( vicinity->boxes, lane );
    }
    return true;
}

#endif
