// SPDX-License-Identifier: Zlib
// Draws the blocks of a box tree as nodes: block b of level 0 is a leaf, and lane b of level 1 has its bounds.

#include "gpu/host/tree_drawing.h"

#include <math.h>

/// At most the children of one node on each level.
#define DRAWING_STACK_SIZE ( CLT_BOX_TREE_LEVELS * CLT_LANE_COUNT )

typedef struct DrawnNode
{
    uint32_t level; ///< of the tree: 0 for leaves
    uint32_t block;
} DrawnNode;

/// The bounds of a block's lanes, for the root, which no lane bounds.
static cltAabb BoundDrawnBlock( const cltBoxTree* tree, DrawnNode node )
{
    const uint32_t first = node.block * CLT_LANE_COUNT;
    cltAabb bounds = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for ( uint32_t lane = first; lane < first + CLT_LANE_COUNT && lane < tree->counts[node.level]; ++lane )
    {
        const cltAabb box = cltLane_Get( tree->levels[node.level], lane );
        bounds = cltAabb_Union( &box, &bounds ); // a NaN in the first argument is ignored
    }
    return bounds;
}

static bool IsEmpty( const cltAabb* bounds )
{
    return cltAabb_HasNan( bounds ) || ( bounds->lower[0] == INFINITY && bounds->upper[0] == -INFINITY );
}

static void DrawEntries( const cltTreeDrawing* trees, uint32_t block )
{
    const uint32_t first = block * CLT_LANE_COUNT;
    for ( uint32_t i = first; i < first + CLT_LANE_COUNT && i < trees->tree->counts[0]; ++i )
    {
        trees->drawEntry( i, trees->context );
    }
}

/// The children of a node that the walk visits, as bits.
static uint32_t VisitedChildren( const cltTreeDrawing* trees, DrawnNode node )
{
    const cltBoxTree* tree = trees->tree;
    const uint32_t here = tree->counts[node.level] - node.block * CLT_LANE_COUNT;
    const uint32_t used = here < CLT_LANE_COUNT ? ( 1u << here ) - 1u : ( 1u << CLT_LANE_COUNT ) - 1u;
    return trees->touches == NULL ? used : used & trees->touches( tree->levels[node.level] + node.block, trees->shape );
}

/// Draws a node and, if it is a leaf, its entries. Returns the children to visit, as bits.
static uint32_t DrawNode( const cltTreeDrawing* trees, DrawnNode node )
{
    const cltBoxTree* tree = trees->tree;
    const uint32_t top = tree->levelCount - 1u;
    const cltAabb bounds =
        node.level == top ? BoundDrawnBlock( tree, node ) : cltLane_Get( tree->levels[node.level + 1u], node.block );
    if ( IsEmpty( &bounds ) )
    {
        return 0;
    }
    cltDrawing_Node( trees->drawing, &bounds, top - node.level, node.level == 0 );
    if ( node.level == 0 )
    {
        DrawEntries( trees, node.block );
        return 0;
    }
    return VisitedChildren( trees, node );
}

/// Adds the children to the stack, so that the first is on top. Returns the new size.
static uint32_t PushChildren( DrawnNode* stack, uint32_t size, DrawnNode node, uint32_t children )
{
    for ( uint32_t lane = CLT_LANE_COUNT; lane-- > 0; )
    {
        if ( ( children >> lane & 1u ) != 0 )
        {
            stack[size++] = ( DrawnNode ){ node.level - 1u, node.block * CLT_LANE_COUNT + lane };
        }
    }
    return size;
}

void cltTreeDrawing_Run( const cltTreeDrawing* trees )
{
    DrawnNode stack[DRAWING_STACK_SIZE];
    uint32_t size = 0;
    if ( trees->tree->counts[0] > 0 )
    {
        stack[size++] = ( DrawnNode ){ trees->tree->levelCount - 1u, 0 };
    }
    while ( size > 0 )
    {
        const DrawnNode node = stack[--size];
        size = PushChildren( stack, size, node, DrawNode( trees, node ) );
    }
}
