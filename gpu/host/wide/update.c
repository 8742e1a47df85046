// SPDX-License-Identifier: Zlib
// An update of `wide`, step by step: copies boxes into lanes, gives lanes to new bodies, sorts if that pays, fits the
// bounds.

#include "gpu/host/wide/gather.h"
#include "gpu/host/wide/rebalance.h"
#include "gpu/host/wide/wide.h"

#include <math.h>

/// If fewer than one in this many lanes are movers, only movers are searched, each against all lanes.
#define FEW_MOVERS_RATIO 4u

/// From this many lanes on, two threads are faster than one. With fewer lanes, the work is done before the second
/// thread is awake. Measured over brownian, mixed, clustered and column, with all or a fifth of the bodies moving, two
/// threads take 1.05 times as long as one with 3,500 lanes, 0.7 to 1.05 with 4,500, and 0.65 to 0.8 with 6,000. A mover
/// costs as much as LANES_PER_MOVER lanes searched in order: with 1,000 movers two threads take 0.7 times as long as
/// one.
#define LANES_TO_SHARE 4500u
#define LANES_PER_MOVER 6u

/// A block visited more, for how much growth (1/256) of movers that are searched together. Measured: with a quarter or
/// four times of this, worlds of 5,000 and 60,000 bodies with 400 movers are slower.
#define GROWTH_PER_VISIT 512u

/// From this many lanes on, a sort takes so long (0.1 ms) that it should happen once, when the first body appears, and
/// leave gaps for those that follow.
#define LANES_TO_SPACE 1500u

void cltWide_WakePool( cltWide* wide, uint64_t laneCount )
{
    wide->activePool = laneCount < LANES_TO_SHARE ? NULL : wide->pool;
    cltWorkerPool_Wake( wide->activePool );
}

// ------------------------------------------------------------------------------------------------------- capacity

cltStatus cltWide_ReserveBlocks( cltWide* wide, uint32_t blockCount )
{
    if ( blockCount <= wide->lanes.blockCapacity )
    {
        return clt_ok;
    }
    if ( blockCount > CLT_LANE_LIMIT / CLT_LANE_COUNT )
    {
        return clt_hostMemory;
    }
    const uint32_t blockCapacity = blockCount + wide->lanes.blockCapacity / 2u;
    CLT_TRY( cltWideTree_Reserve( &wide->tree, wide->memory, blockCapacity ) );
    CLT_TRY( cltMovers_Reserve( &wide->movers, wide->memory, blockCapacity ) );
    return cltLanes_Reserve( &wide->lanes, wide->memory, blockCapacity );
}

void cltWide_GiveBackBlocks( cltWide* wide )
{
    const uint32_t blockCount = wide->lanes.blockCount;
    const size_t laneCount = (size_t)blockCount * CLT_LANE_COUNT;
    if ( cltShrinkPolicy_IsDue( &wide->shrinkPolicy, laneCount, (size_t)wide->lanes.blockCapacity * CLT_LANE_COUNT ) )
    {
        const uint32_t blockCapacity = (uint32_t)( cltShrinkPolicy_Capacity( laneCount ) / CLT_LANE_COUNT );
        if ( cltLanes_Shrink( &wide->lanes, wide->memory, blockCapacity ) )
        {
            cltMovers_Shrink( &wide->movers, wide->memory, blockCount, blockCapacity );
            cltWideTree_Shrink( &wide->tree, wide->memory, blockCount, blockCapacity );
            cltOrder_Release( &wide->order, wide->memory );
            cltBuffer_Release( &wide->tasks, wide->memory );
            cltRest_Shrink( wide->rest, wide->memory );
        }
    }
}

/// Adds blocks until there are `blockCount`, with the capacity to sort them.
static cltStatus AddBlocks( cltWide* wide, uint32_t blockCount )
{
    const uint32_t previousCount = wide->lanes.blockCount;
    if ( blockCount > previousCount )
    {
        CLT_TRY( cltWide_ReserveBlocks( wide, blockCount + cltBlocksFor( wide->lanes.outlierCount ) ) );
        cltLanes_AddBlocks( &wide->lanes, blockCount );
        cltMovers_Clear( &wide->movers, previousCount, blockCount );
        cltWideTree_SetBlockCount( &wide->tree, blockCount );
    }
    return clt_ok;
}

// ---------------------------------------------------------------------------------------------------------- update

/// Makes the current boxes the previous ones.
static void BeginUpdate( cltWide* wide, cltGather* gather, bool few )
{
    cltLanes* lanes = &wide->lanes;
    const bool again = cltWide_IsBegun( wide );
    cltMovers_NextUpdate( &wide->movers );
    if ( few )
    {
        cltGather_CurrentToPrevious( gather, !cltWide_IsFew( wide ) );
    }
    else if ( !again )
    {
        cltBuffer_Swap( &lanes->current, &lanes->previous );
    }
    // clears movers: unsorted lanes, and lanes that moved in the previous update
    cltMovers_Clear( &wide->movers, few ? lanes->orderedEnd : 0u, lanes->blockCount );
    lanes->split = lanes->split && again;
    lanes->unplacedCount = 0;
    wide->phase = few ? clt_wideFewBegun : clt_wideAllBegun;
}

/// Rebalances a part of the order if that pays. Current and previous boxes are equal, and no lane is a mover.
static void RebalanceOrder( cltWide* wide, const cltUpload* upload )
{
    const cltBlockRange window = cltOrder_RebalanceIfItPays( &wide->order, &wide->lanes, upload, wide->memory );
    if ( window.first < window.end )
    {
        for ( uint32_t block = window.first; block < window.end; ++block )
        {
            cltWideTree_RenewBlock( &wide->tree, block );
        }
        cltMovers_AddPrevious( &wide->movers, window.first, window.end );
        cltMovers_AddPrevious( &wide->movers, wide->lanes.orderedEnd, wide->lanes.blockCount );
    }
}

/// Gives unplaced bodies free lanes near their neighbours, as far as there are some. The bodies become movers.
static void AssignFreeLanes( cltWide* wide, const cltUpload* upload )
{
    cltLanes* lanes = &wide->lanes;
    uint32_t* slots = lanes->unplaced.data;
    uint32_t leftCount = 0;
    for ( uint32_t i = 0; i < lanes->unplacedCount; ++i )
    {
        const cltAabb box = cltCoverBox( upload->boxes, lanes->isDouble, slots[i] );
        const bool isOrdinary = !cltAabb_HasNan( &box ) && cltAabb_LongestEdge( &box ) <= lanes->largestEdge;
        const uint32_t lane =
            isOrdinary ? cltFreeLanes_Find( &wide->order.freeLanes, lanes, upload, slots[i], &box ) : CLT_NO_LANE;
        if ( lane == CLT_NO_LANE )
        {
            slots[leftCount++] = slots[i];
            continue;
        }
        cltLanes_Place( lanes, lane, slots[i], &box, upload );
        --lanes->freeCount;
        cltMovers_Add( &wide->movers, lane );
        cltWideTree_RenewBlock( &wide->tree, lane / CLT_LANE_COUNT );
    }
    lanes->unplacedCount = leftCount;
}

/// Gives lanes to unplaced bodies, which become movers.
static cltStatus AssignUnsortedLanes( cltWide* wide, const cltUpload* upload )
{
    cltLanes* lanes = &wide->lanes;
    const uint32_t endBefore = lanes->end;
    const uint32_t outliersBefore = lanes->outlierCount;
    const uint32_t mostLanes = lanes->end + (uint32_t)lanes->unplacedCount;
    if ( lanes->unplacedCount == 0 )
    {
        return clt_ok;
    }
    CLT_TRY( AddBlocks( wide, cltBlocksFor( mostLanes ) ) );
    if ( !cltOrder_HasManyUnsorted( lanes, mostLanes ) ) // else SortIfItPays sorts all lanes
    {
        CLT_TRY( cltOrder_SortUnplaced( &wide->order, lanes, upload, wide->activePool, wide->memory ) );
    }
    cltLanes_AssignLanes( lanes, upload );
    for ( uint32_t lane = outliersBefore; lane < lanes->outlierCount; ++lane )
    {
        cltMovers_Add( &wide->movers, lane );
    }
    for ( uint32_t lane = endBefore; lane < lanes->end; ++lane )
    {
        cltMovers_Add( &wide->movers, lane );
    }
    return clt_ok;
}

/// Sorts all lanes. Clears the list of movers, because lane numbers change.
static cltStatus SortAll( cltWide* wide, const cltUpload* upload )
{
    cltLanes* lanes = &wide->lanes;
    const bool isSpaced = cltWide_IsFew( wide ) && lanes->blockCount > lanes->orderedEnd;
    cltLanePlan plan = { .gapShift = isSpaced ? CLT_GAP_SHIFT : CLT_NO_GAPS };
    const uint32_t bodyCount = lanes->end - CLT_OUTLIER_LANES + lanes->outlierCount;
    cltWide_WakePool( wide, lanes->end );
    CLT_TRY( cltWide_ReserveBlocks( wide, cltLanes_BlocksToRearrange( bodyCount, plan.gapShift ) ) );
    CLT_TRY( cltLanes_ReserveScratch( lanes, wide->memory ) );
    CLT_TRY( cltOrder_SortLanes( &wide->order, lanes, upload, wide->activePool, wide->memory, &plan ) );
    cltLanes_Rearrange( lanes, &plan, wide->activePool );
    cltLanes_UniteFilters( lanes, upload, wide->activePool );
    cltMovers_ClearAll( &wide->movers, lanes->blockCount );
    cltWideTree_ResetAfterSort( &wide->tree, lanes->blockCount );
    wide->phase = clt_wideAllBegun;
    return clt_ok;
}

/// True if bodies appeared or jumped while few move, and the order has no gaps for them. Small worlds need none.
static bool NeedsGaps( const cltWide* wide )
{
    const cltLanes* lanes = &wide->lanes;
    return cltWide_IsFew( wide ) && !wide->order.isSpaced && lanes->blockCount > lanes->orderedEnd &&
           lanes->end > LANES_TO_SPACE;
}

/// Sorts all lanes if that pays.
static cltStatus SortIfItPays( cltWide* wide, cltGather* gather )
{
    const cltLanes* lanes = &wide->lanes;
    // There are few unsorted lanes, and they may be anywhere. A block of them mostly spans the scene, so that every
    // search visits it.
    wide->order.unsortedCost += (uint64_t)( cltBlocksFor( lanes->end ) - lanes->orderedEnd ) *
                                ( cltWide_IsFew( wide ) ? wide->movers.now.count : lanes->orderedEnd );
    if ( !cltWideTree_IsStale( &wide->tree, lanes->orderedEnd ) && !cltOrder_Pays( &wide->order, lanes ) &&
         !NeedsGaps( wide ) )
    {
        return clt_ok;
    }
    if ( cltRest_IsOn( wide->rest ) )
    {
        cltGather_Refresh( gather );
        wide->rest->isOn = false;
    }
    return SortAll( wide, gather->upload );
}

void cltWide_FitTree( cltWide* wide )
{
    const bool mayReject = cltBlockFilters_MayReject( &wide->lanes.filters );
    if ( wide->phase == clt_wideFewBegun && wide->tree.isFitted && wide->tree.hasFilters == mayReject )
    {
        const cltBlockList* moved = cltMovers_ListCurrentAndPrevious( &wide->movers );
        cltWideTree_FitListed( &wide->tree, &wide->lanes, moved->blocks.data, moved->count, wide->activePool );
    }
    else
    {
        cltWideTree_FitAll( &wide->tree, &wide->lanes, wide->activePool );
    }
}

/// Adds to the order's costs what the growth of blocks costs their movers. The lanes of a block are searched together:
/// as they move apart, the box around them grows, and the search visits more blocks. A single mover does not.
static void NoteGrowthOfMovers( cltWide* wide )
{
    cltOrder* order = &wide->order;
    const uint32_t* blocks = wide->movers.now.blocks.data;
    uint64_t cost = 0;
    uint64_t most = 0;
    for ( uint32_t i = 0; i < wide->movers.now.count; ++i )
    {
        const uint32_t growth = cltWideTree_GrowthOf( &wide->tree, &wide->lanes, blocks[i] );
        const uint32_t moverCount = cltBitCount( cltMovers_Masks( &wide->movers )[blocks[i]] );
        const uint64_t more = growth > 256u ? ( growth - 256u ) * (uint64_t)( moverCount - 1u ) : 0u;
        cost += more;
        order->grownBlock = more > most ? blocks[i] : order->grownBlock;
        most = more > most ? more : most;
    }
    order->growthCost += cost / GROWTH_PER_VISIT;
}

bool cltWide_MovedFew( const cltWide* wide, const cltUpload* upload )
{
    const uint32_t liveChangeCount = upload->changedCount - upload->destroyedCount;
    return !cltWide_IsBegun( wide ) && liveChangeCount < wide->lanes.end / FEW_MOVERS_RATIO &&
           !( cltRest_IsOn( wide->rest ) && wide->rest->isEnding );
}

cltStatus cltWide_ApplyChanges( cltWide* wide, const cltUpload* upload )
{
    wide->isFresh = false;
    CLT_TRY( cltLanes_EnsureSlotCapacity( &wide->lanes, wide->memory, upload->slotCount ) );
    const bool again = cltWide_IsBegun( wide );
    const bool few = cltWide_MovedFew( wide, upload );
    cltWide_WakePool( wide, few ? (uint64_t)LANES_PER_MOVER * ( upload->changedCount - upload->destroyedCount )
                                : (uint64_t)wide->lanes.end + upload->appearedCount );
    cltGather gather = { .lanes = &wide->lanes,
                         .movers = &wide->movers,
                         .tree = &wide->tree,
                         .kernels = wide->kernels,
                         .upload = upload,
                         .pool = wide->activePool };
    BeginUpdate( wide, &gather, few );
    if ( !few )
    {
        cltRest_TurnOff( wide->rest );
    }
    cltWide_GiveBackBlocks( wide );
    if ( few )
    {
        RebalanceOrder( wide, upload );
    }
    if ( upload->appearedCount + upload->destroyedCount > 0 )
    {
        cltGather_ApplyCreatedAndDestroyed( &gather );
    }
    if ( few )
    {
        cltGather_Changed( &gather );
    }
    else
    {
        cltGather_All( &gather );
        cltGather_DetachJumped( &gather );
    }
    if ( upload->filters != NULL && upload->refilteredCount > 0 )
    {
        cltLanes_Refilter( &wide->lanes, upload );
    }
    if ( again )
    {
        cltLanes_ListUnplaced( &wide->lanes, upload );
    }
    if ( few )
    {
        AssignFreeLanes( wide, upload );
    }
    CLT_TRY( AssignUnsortedLanes( wide, upload ) );
    CLT_TRY( SortIfItPays( wide, &gather ) );
    cltWide_FitTree( wide );
    if ( cltWide_IsFew( wide ) )
    {
        NoteGrowthOfMovers( wide );
    }
    return clt_ok;
}
