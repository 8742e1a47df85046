// SPDX-License-Identifier: Zlib
// The debug drawings of `lbvh`, `frontier`, `grid` and `bruteForce`: the nodes or cells of the last search, each
// followed by its bodies, then outliers.

#include "gpu/drawing.h"
#include "gpu/host/reference/reference.h"

/// Returns the slot of leaf i, or UINT32_MAX if the leaf has no current box: leaves for previous boxes have no body.
static uint32_t SlotOfBody( const cltLeaves* leaves, uint32_t i )
{
    const cltLeafRef ref = cltLeaves_Ref( leaves, i );
    return cltLeafRef_Kind( ref ) == CLT_LEAF_PREVIOUS ? UINT32_MAX : cltLeafRef_Slot( ref );
}

static void DrawBodies( const cltReference* reference, const cltDrawing* drawing, uint32_t first, uint32_t end,
                        cltDebugPlace place )
{
    const cltLeaves* leaves = &reference->table.leaves;
    for ( uint32_t i = first; i < end; ++i )
    {
        const cltAabb box = cltLeaves_Current( leaves, i );
        cltDrawing_Body( drawing, SlotOfBody( leaves, i ), &box, place );
    }
}

static void DrawLeaf( const cltReference* reference, const cltDrawing* drawing, uint32_t i )
{
    DrawBodies( reference, drawing, i, i + 1u, clt_debugOrdered );
}

// ------------------------------------------------------------------------------------------------------------ lbvh

/// Levels below the root. The highest bit of the largest gap between two leaves of a node (cltTree_Gap) is higher than
/// in its children, and there are 64 bits.
#define DEEPEST_LEVEL 64u

/// The level of the node that `rope` leads to from a node of level `level`: the sibling of the highest node on the path
/// with this rope.
static uint32_t LevelAfter( const uint32_t* ropes, uint32_t level, uint32_t rope )
{
    while ( level > 0 && ropes[level - 1u] == rope )
    {
        --level;
    }
    return level;
}

/// Draws the nodes in preorder.
static void DrawRadixTree( const cltReference* reference, const cltDrawing* drawing )
{
    const cltTree* tree = &reference->tree.tree;
    uint32_t ropes[DEEPEST_LEVEL + 1u]; // by level, of the nodes on the path from the root
    uint32_t level = 0;
    uint32_t node = tree->leafCount > 0 ? 0 : CLT_ROPE_END;
    while ( node != CLT_ROPE_END )
    {
        const cltNode* here = tree->nodes + node;
        const bool isLeaf = here->first == CLT_ROPE_END;
        cltDrawing_Node( drawing, &here->box, level, isLeaf );
        if ( isLeaf )
        {
            DrawLeaf( reference, drawing, cltTree_LeafOfNode( tree, node ) );
        }
        ropes[level] = here->rope;
        node = isLeaf ? here->rope : here->first;
        level = isLeaf ? LevelAfter( ropes, level, here->rope ) : level + 1u;
    }
}

// -------------------------------------------------------------------------------------------------------- frontier

/// Draws the nodes level by level. Leaves beyond the searchable leaves are empty.
static void DrawLevelTree( const cltReference* reference, const cltDrawing* drawing )
{
    const cltLevelTree* tree = &reference->frontier.tree;
    const uint32_t leafCount = reference->table.searchableCount;
    for ( uint32_t depth = 0; leafCount > 0 && depth <= tree->levels.top; ++depth )
    {
        const uint32_t level = tree->levels.top - depth;
        const uint32_t filledCount = ( ( leafCount - 1u ) >> level ) + 1u;
        for ( uint32_t i = 0; i < filledCount; ++i )
        {
            cltDrawing_Node( drawing, &tree->nodes[tree->levels.starts[level] + i].box, depth, level == 0 );
            if ( level == 0 )
            {
                DrawLeaf( reference, drawing, i );
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ grid

static uint32_t CountBodies( const cltReference* reference, const cltDrawing* drawing, uint32_t first, uint32_t end )
{
    uint32_t count = 0;
    for ( uint32_t i = first; i < end; ++i )
    {
        count += cltDrawing_HasProxy( drawing, SlotOfBody( &reference->table.leaves, i ) );
    }
    return count;
}

static cltAabb CellBox( const cltGrid* grid, uint32_t cell )
{
    const uint32_t place[3] = { cell % grid->cells[0], cell / grid->cells[0] % grid->cells[1],
                                cell / grid->cells[0] / grid->cells[1] };
    cltAabbD box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const double lower = (double)grid->lower[axis];
        const double perUnit = (double)grid->cellsPerUnit[axis]; // 0 for a single cell of infinite width
        box.lower[axis] = place[axis] > 0 ? lower + place[axis] / perUnit : lower;
        box.upper[axis] = lower + ( place[axis] + 1u ) / perUnit;
    }
    return cltAabb_FromDouble( &box );
}

static void DrawCells( const cltReference* reference, const cltDrawing* drawing )
{
    const cltCells* cells = &reference->cells.view;
    const uint32_t cellCount = cltGrid_CellCount( &cells->grid );
    for ( uint32_t cell = 0; cell < cellCount; ++cell )
    {
        const uint32_t first = cells->starts[cell];
        const uint32_t end = cells->starts[cell + 1u];
        const uint32_t bodyCount = CountBodies( reference, drawing, first, end );
        if ( bodyCount > 0 )
        {
            const cltAabb box = CellBox( &cells->grid, cell );
            cltDrawing_Cell( drawing, &box, bodyCount );
            DrawBodies( reference, drawing, first, end, clt_debugOrdered );
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- all

/// Draws nothing if the structure is not that of the last committed update. `bruteForce` has no outliers: it tests all
/// pairs of leaves.
void cltReference_Draw( const cltHostAlgorithm* algorithm, const cltDrawing* drawing )
{
    const cltReference* reference = (const cltReference*)algorithm;
    const cltLeafTable* table = &reference->table;
    if ( !reference->isCurrent )
    {
        return;
    }
    switch ( reference->running )
    {
    case clt_algorithmLbvh:
        DrawRadixTree( reference, drawing );
        break;
    case clt_algorithmFrontier:
        DrawLevelTree( reference, drawing );
        break;
    case clt_algorithmGrid:
        DrawCells( reference, drawing );
        break;
    default:
        DrawBodies( reference, drawing, 0, table->leaves.count, clt_debugOrdered );
        return;
    }
    DrawBodies( reference, drawing, table->searchableCount, table->leaves.count, clt_debugOutlier );
}
