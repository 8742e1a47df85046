// SPDX-License-Identifier: Zlib
// A rebuild: when it pays, and what it does. Lanes get current boxes alone, and the backend compares the pairs.

#include "gpu/host/wide/gather.h"
#include "gpu/host/wide/wide.h"

/// If more than one in this many bodies jumped or appeared, a rebuild costs less than searching two lanes for each of
/// them. Measured times of a rebuild, relative to no rebuild, if 1, 3, 10, 30 and 100 % of the bodies jump: 1.3, 0.8,
/// 0.7, 0.5 and 0.25 with brownian; up to 30 %, 1.0, 0.8, 0.6 and 0.4 with teams, and 1.5, 1.3, 0.8 and 0.4 with cloth,
/// in which neighbours mostly stay pairs.
#define REBUILD_RATIO 20u

/// There is no rebuild if there are more than this many slots for each lane, because a rebuild reads all slots.
#define SPARSE_RATIO 4u

/// The order is kept if its spread is less than this much of its spread after the sort.
#define MAX_SPREAD 1.1f

bool cltWide_ShouldRebuild( const cltHostAlgorithm* algorithm, const cltUpload* upload )
{
    const cltWide* wide = (const cltWide*)algorithm;
    const cltLanes* lanes = &wide->lanes;
    if ( lanes->blockCount == 0 )
    {
        return true; // the first update
    }
    if ( cltWide_IsBegun( wide ) )
    {
        return wide->isFresh; // repeats a failed update: if it was a rebuild, lanes have no previous boxes
    }
    const uint64_t bodyCount = (uint64_t)lanes->end + upload->appearedCount;
    if ( cltWide_MovedFew( wide, upload ) || upload->slotCount / SPARSE_RATIO > bodyCount )
    {
        return false;
    }
    cltWorkerPool_Wake( wide->activePool ); // as chosen in the last update: this update will take about as much work
    const cltGather gather = { .lanes = (cltLanes*)lanes, .kernels = wide->kernels, .upload = upload };
    uint32_t seenCount;
    const uint32_t seenJumped = cltGather_CountJumped( &gather, &seenCount );
    const uint64_t jumpedCount = seenCount > 0 ? (uint64_t)lanes->end * seenJumped / seenCount : 0u;
    return jumpedCount + upload->appearedCount > bodyCount / REBUILD_RATIO;
}

/// True if bodies jumped together, so that those which followed each other in the order are still near each other.
static bool MayKeepOrder( const cltWide* wide, const cltUpload* upload )
{
    const cltGather gather = { .lanes = (cltLanes*)&wide->lanes, .kernels = wide->kernels, .upload = upload };
    return upload->appearedCount + upload->destroyedCount + upload->refilteredCount == 0 &&
           !cltOrder_Pays( &wide->order, &wide->lanes ) &&
           cltGather_Spread( &gather ) < MAX_SPREAD * wide->tree.freshSpread;
}

/// Sorts all slots into lanes.
static cltStatus SortAnew( cltWide* wide, const cltUpload* upload )
{
    cltLanes* lanes = &wide->lanes;
    cltLanePlan plan = { .gapShift = CLT_NO_GAPS };
    cltWide_GiveBackBlocks( wide );
    CLT_TRY( cltLanes_EnsureSlotCapacity( lanes, wide->memory, upload->slotCount ) );
    CLT_TRY( cltOrder_SortSlots( &wide->order, upload, lanes->isDouble, wide->activePool, wide->memory, &plan ) );
    CLT_TRY( cltWide_ReserveBlocks( wide, cltLanes_BlocksToRearrange( plan.orderedCount, plan.gapShift ) ) );
    cltLanes_Fill( lanes, &plan, upload, wide->activePool );
    cltWideTree_ResetAfterSort( &wide->tree, lanes->blockCount );
    return clt_ok;
}

/// Copies all boxes into the lanes that their bodies have.
static void FillInOrder( cltWide* wide, const cltUpload* upload )
{
    cltGather gather = { .lanes = &wide->lanes, .upload = upload, .pool = wide->activePool };
    cltGather_Refresh( &gather );
    wide->order.freeLanes.blockCount = 0; // the codes noted there are of other boxes
}

cltStatus cltWide_Rebuild( cltWide* wide, const cltUpload* upload )
{
    cltLanes* lanes = &wide->lanes;
    const bool keepsOrder = MayKeepOrder( wide, upload );
    wide->isFresh = true;
    wide->phase = clt_wideAllBegun;
    cltWide_WakePool( wide, upload->slotCount );
    if ( keepsOrder )
    {
        FillInOrder( wide, upload );
    }
    else
    {
        CLT_TRY( SortAnew( wide, upload ) );
    }
    cltRest_TurnOff( wide->rest );
    cltMovers_ClearAll( &wide->movers, lanes->blockCount );
    cltWideTree_FitToCurrent( &wide->tree, lanes, wide->activePool );
    return clt_ok;
}
