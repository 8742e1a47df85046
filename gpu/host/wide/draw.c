// SPDX-License-Identifier: Zlib
// The debug drawing of `wide`: outliers, then the tree with its ordered and unsorted bodies.

#include "gpu/host/tree_drawing.h"
#include "gpu/host/wide/wide.h"

typedef struct WideDrawing
{
    const cltWide* wide;
    const cltDrawing* drawing;
} WideDrawing;

/// A lane without a body has a NaN in place of a current box, and is not drawn.
static void DrawLane( const WideDrawing* drawn, uint32_t lane, cltDebugPlace place )
{
    const cltLanes* lanes = &drawn->wide->lanes;
    const cltAabb box = cltLane_Get( cltLanes_Current( lanes ), lane );
    cltDrawing_Body( drawn->drawing, cltLeafRef_Slot( cltLanes_Refs( lanes )[lane] ), &box, place );
}

static void DrawTreeLane( uint32_t i, void* context )
{
    const WideDrawing* drawn = context;
    const uint32_t lane = i + CLT_OUTLIER_LANES;
    const bool isOrdered = lane / CLT_LANE_COUNT < drawn->wide->lanes.orderedEnd;
    DrawLane( drawn, lane, isOrdered ? clt_debugOrdered : clt_debugUnsorted );
}

void cltWide_Draw( const cltHostAlgorithm* algorithm, const cltDrawing* drawing )
{
    const cltWide* wide = (const cltWide*)algorithm;
    WideDrawing drawn = { wide, drawing };
    if ( cltWide_IsBegun( wide ) || wide->lanes.blockCount == 0 )
    {
        return;
    }
    for ( uint32_t lane = 0; lane < wide->lanes.outlierCount; ++lane )
    {
        DrawLane( &drawn, lane, clt_debugOutlier );
    }
    const cltTreeDrawing trees = {
        .tree = &wide->tree.levels, .drawing = drawing, .drawEntry = DrawTreeLane, .context = &drawn };
    cltTreeDrawing_Run( &trees );
}
