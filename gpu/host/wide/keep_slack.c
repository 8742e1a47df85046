// SPDX-License-Identifier: Zlib
// The last step of an update: watched pairs, and slacks for those who moved, if slacks are kept.

#include "gpu/host/wide/gather.h"
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

static float FurthestFinite( const cltAabb* box, float furthest )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = fabsf( box->lower[axis] );
        const float upper = fabsf( box->upper[axis] );
        furthest = isfinite( lower ) ? fmaxf( lower, furthest ) : furthest;
        furthest = isfinite( upper ) ? fmaxf( upper, furthest ) : furthest;
    }
    return furthest;
}

/// How far boxes in lanes may be from true ones, so far from the origin as these are. What is infinite is so in both;
/// but where something under the tree is, who knows how far the others are: infinitely. So it is where they may be off
/// by more than a slack, as beside Bullet's plane, which reaches to 10^18: each would be too near to all others.
static float RoundingOf( const cltWide* wide )
{
    const cltBoxTree* tree = &wide->tree.levels;
    if ( !wide->lanes.isDouble )
    {
        return 0.0f;
    }
    const cltAabb all = wide->kernels->bound( tree->levels[tree->levelCount - 1u], NULL );
    float furthest = FurthestFinite( &all, 0.0f );
    for ( int axis = 0; axis < 3; ++axis )
    {
        furthest = isfinite( all.lower[axis] ) && isfinite( all.upper[axis] ) ? furthest : INFINITY;
    }
    for ( uint32_t lane = 0; lane < wide->lanes.outlierCount; ++lane )
    {
        const cltAabb box = cltLane_Get( cltLanes_Now( &wide->lanes ), lane );
        furthest = FurthestFinite( &box, furthest );
    }
    const float rounding = furthest * 0x1p-20f;
    return rounding <= wide->slack.reach ? rounding : INFINITY;
}

/// The boxes of all are taken after all, where nobody can tell any more how far they may move, and all are searched.
static void StopAtOnce( cltWide* wide, const cltUpload* upload )
{
    cltGather gather = { .lanes = &wide->lanes, .upload = upload, .pool = wide->activePool };
    cltGather_Refresh( &gather );
    cltSlack_End( &wide->slack );
    wide->base.anchors = ( cltAnchors ){ .count = 0 };
    wide->phase = clt_wideAllBegun;
    cltWide_FitTree( wide );
}

/// Measures who moved.
/// \param rounding  see RoundingOf
static cltStatus MeasureMoved( cltWide* wide, const cltSearchInput* input, float rounding )
{
    cltSlack* slack = &wide->slack;
    const cltMeasuring measuring = { .kernels = wide->kernels,
                                     .search = cltWide_SearchOf( wide, clt_wideSlack, input, NULL ),
                                     .rounding = rounding,
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
    const float rounding = wide->slack.isOn ? RoundingOf( wide ) : 0.0f;
    if ( wide->slack.isOn && ( isinf( rounding ) || MeasureMoved( wide, input, rounding ) != clt_ok ) )
    {
        cltWatch_DropAdded( &wide->slack.watch );
        cltSlack_End( &wide->slack );
    }
}

cltStatus cltWide_KeepSlack( cltWide* wide, const cltUpload* upload, const cltSearchInput* input )
{
    cltSlack* slack = &wide->slack;
    const float rounding = slack->isOn ? RoundingOf( wide ) : 0.0f;
    if ( isinf( rounding ) )
    {
        StopAtOnce( wide, upload );
    }
    CLT_TRY( cltWatch_Look( &slack->watch, &input->slots, !slack->isOn, wide->memory ) );
    if ( slack->isOn )
    {
        cltSlack_Judge( slack, upload, wide->lanes.end );
        return MeasureMoved( wide, input, rounding );
    }
    ConsiderSlack( wide, input );
    return clt_ok;
}
