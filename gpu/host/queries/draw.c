// SPDX-License-Identifier: Zlib
// Draws the nodes that a query visits, and the bodies that it tests.

#include "gpu/host/queries/draw.h"

#include "gpu/host/tree_drawing.h"

typedef struct QueryDrawing
{
    const cltQuestion* question;
    const cltDrawing* drawing;
    const cltBoxTree* tree;
    uint32_t number; ///< of the tree, see cltQuestion_IsCurrent
} QueryDrawing;

/// Always returns true, because the walk must not end.
static bool DrawTested( uint32_t slot, void* context )
{
    const QueryDrawing* drawn = context;
    const cltQueryView* view = drawn->question->view;
    const cltAabb box = cltCoverBox( view->boxes, view->isDouble, slot );
    if ( !cltAabb_HasNan( &box ) )
    {
        drawn->drawing->drawSlot( slot, &box, clt_debugTested, drawn->drawing->context );
    }
    return true;
}

static void DrawTestedEntry( uint32_t i, void* context )
{
    const QueryDrawing* drawn = context;
    const cltLeafRef ref = drawn->tree->refs[i];
    if ( cltQuestion_IsCurrent( drawn->question, ref, drawn->number ) )
    {
        DrawTested( cltLeafRef_Slot( ref ), context );
    }
}

static void DrawVisited( QueryDrawing drawn, cltQueryShape shape )
{
    const cltTreeDrawing trees = { .tree = drawn.tree,
                                   .drawing = drawn.drawing,
                                   .touches = shape.touches,
                                   .shape = shape.context,
                                   .drawEntry = DrawTestedEntry,
                                   .context = &drawn };
    cltTreeDrawing_Run( &trees );
}

void cltDraw_BaseTree( const cltQuestion* question, const cltDrawing* drawing )
{
    DrawVisited( ( QueryDrawing ){ question, drawing, question->view->base->tree, CLT_BASE_TREE },
                 cltQuestion_BaseShape( question ) );
}

void cltDraw_Overview( const cltQuestion* question, const cltBoxTree* overview, const cltDrawing* drawing )
{
    DrawVisited( ( QueryDrawing ){ question, drawing, overview, CLT_OVERVIEW_TREE }, question->shape );
}

void cltDraw_Forest( const cltQuestion* question, const cltDrawing* drawing )
{
    for ( uint32_t number = 1; number <= question->forest->treeCount; ++number )
    {
        DrawVisited( ( QueryDrawing ){ question, drawing, question->forest->trees + number - 1u, number },
                     question->shape );
    }
}

/// With this shape, a query visits every body that it tests.
static uint32_t TouchAllLanes( const cltBoxLanes* boxes, void* context )
{
    (void)boxes;
    (void)context;
    return ( 1u << CLT_LANE_COUNT ) - 1u;
}

void cltDraw_OutsideTrees( const cltQuestion* question, bool withOutliers, bool withLoose, const cltDrawing* drawing )
{
    QueryDrawing drawn = { .question = question, .drawing = drawing };
    cltQuestion tested = *question;
    tested.shape = ( cltQueryShape ){ TouchAllLanes, NULL };
    tested.visit = DrawTested;
    tested.context = &drawn;
    cltAsk_OutsideTrees( &tested, withOutliers, withLoose );
}
