// SPDX-License-Identifier: Zlib
// The last step of an update: watched pairs, and slacks for those who moved, if slacks are kept.

#include "gpu/host/wide/wide.h"

#include <math.h>

/// Blocks to look at for who moved: some 20 microseconds.
#define MARK_GRAIN 1024u

static void MarkMoved( uint32_t first, uint32_t last, void* context )
{
    const cltWide* wide = context;
    for ( uint32_t block = first; block < last; ++block )
    {
        cltMovers_Masks( &wide->movers )[block] = (uint16_t)wide->kernels->findMoved(
            cltLanes_Now( &wide->lanes ) + block, cltLanes_Before( &wide->lanes ) + block );
    }
}

/// How far from the origin what is under the tree ends, at most; infinite, if something has no end.
static float FurthestUnderTree( const cltWide* wide )
{
    const cltBoxTree* tree = &wide->tree.levels;
    const cltAabb all = wide->kernels->bound( tree->levels[tree->levelCount - 1u], NULL );
    float furthest = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        furthest = fmaxf( furthest, fmaxf( fabsf( all.lower[axis] ), fabsf( all.upper[axis] ) ) );
    }
    return furthest;
}

/// Measures who moved.
static cltStatus MeasureMoved( cltWide* wide, const cltSearchInput* input )
{
    cltSlack* slack = &wide->slack;
    if ( wide->lanes.isDouble )
    {
        cltSlack_NoteFurthest( slack, FurthestUnderTree( wide ) );
    }
    const cltMeasuring measuring = { .kernels = wide->kernels,
                                     .search = cltWide_SearchOf( wide, clt_wideSlack, input, NULL ),
                                     .pool = wide->activePool,
                                     .memory = wide->memory };
    CLT_TRY( cltSlack_MakeRoom( slack, &wide->lanes, wide->memory ) );
    CLT_TRY( cltSlack_Measure( slack, &wide->movers, &measuring ) );
    wide->base.anchors = ( cltAnchors ){ .of = slack->anchors.data,
                                         .count = slack->anchorCount,
                                         .watched = slack->watch.next.data, // which is kept when the update is
                                         .watchedCount = slack->watch.nextCount };
    return clt_ok;
}

/// Slacks may be kept from now on: then the movers have to be known, if all were searched, too. Where there is no
/// memory for it, all stays as it is.
static void ConsiderSlack( cltWide* wide, const cltSearchInput* input )
{
    const bool few = cltWide_IsFew( wide );
    cltSlack_Consider( &wide->slack, &wide->lanes, few ? &wide->movers.now : NULL );
    if ( wide->slack.isOn && !few )
    {
        cltWorkerPool_Run( wide->activePool, MarkMoved, wide->lanes.blockCount, MARK_GRAIN, wide );
        cltMovers_ListMarked( &wide->movers, wide->lanes.blockCount );
    }
    if ( wide->slack.isOn && MeasureMoved( wide, input ) != clt_ok )
    {
        cltWatch_DropAdded( &wide->slack.watch );
        cltSlack_End( &wide->slack );
    }
}

cltStatus cltWide_KeepSlack( cltWide* wide, const cltUpload* upload, const cltSearchInput* input )
{
    cltSlack* slack = &wide->slack;
    CLT_TRY( cltWatch_Look( &slack->watch, &input->slots, !slack->isOn, wide->memory ) );
    if ( slack->isOn )
    {
        cltSlack_Judge( slack, upload, wide->lanes.end );
        return MeasureMoved( wide, input );
    }
    ConsiderSlack( wide, input );
    return clt_ok;
}
