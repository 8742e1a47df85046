// SPDX-License-Identifier: Zlib
// The story of an update of `wide`: whose boxes to look at, lanes for those without one, a new order when the old one has
// gone stale, bounds.

#include "gpu/host/wide/wide.h"

#include <math.h>
#include <string.h>

/// Movers search on their own, and against everything, when they are fewer than this share of the lanes.
#define FEW_MOVERS_RATIO 4u

/// Free lanes are dead weight, so lanes are sorted anew when there are too many.
#define FREE_RATIO 4u

/// Waking other threads costs as much as looking at so many lanes in order, and a mover as much as so many lanes: about
/// 150 microseconds, 50 and 200 nanoseconds.
#define LANES_TO_SHARE 3000u
#define LANES_PER_MOVER 4u

/// What sorting costs, a lane, in visits of a block: 60 ns in one of about 4.
#define SORT_COST 16u

// ---------------------------------------------------------------------------------------------------------- room

static void ClearBlocks( cltWide* wide, uint32_t first, uint32_t last )
{
    for ( uint32_t block = first; block < last; ++block )
    {
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            cltBoxLanes_Clear( cltWide_Now( wide ) + block, lane );
            cltBoxLanes_Clear( cltWide_Before( wide ) + block, lane );
            cltWide_Refs( wide )[block * CLT_LANE_COUNT + lane] = CLT_FREE_LANE;
        }
        ( (uint16_t*)wide->movers.data )[block] = 0;
        ( (uint32_t*)wide->growths.data )[block] = 0;
    }
}

static cltStatus GrowLists( cltWide* wide, uint32_t capacity )
{
    CLT_TRY( cltBuffer_Grow( &wide->moved.blocks, wide->memory, capacity, sizeof( uint32_t ) ) );
    return cltBuffer_Grow( &wide->movedBefore.blocks, wide->memory, capacity, sizeof( uint32_t ) );
}

cltStatus cltWide_MakeRoom( cltWide* wide, uint32_t blockCount )
{
    if ( blockCount <= wide->capacity )
    {
        return clt_ok;
    }
    if ( blockCount > CLT_WIDE_WAS / CLT_LANE_COUNT )
    {
        return clt_hostMemory; // lanes are numbers below CLT_WIDE_WAS: as many as if all CLT_MAX_PROXIES jumped at once
    }
    const uint32_t capacity = blockCount + wide->capacity / 2u;
    cltMemory* memory = wide->memory;
    CLT_TRY( cltWide_LayOutLevels( wide, capacity ) );
    CLT_TRY( cltBuffer_Grow( &wide->now, memory, capacity, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->before, memory, capacity, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->refs, memory, capacity * CLT_LANE_COUNT, sizeof( cltLeafRef ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->movers, memory, capacity, sizeof( uint16_t ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->freshEdges, memory, capacity, sizeof( float ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->growths, memory, capacity, sizeof( uint32_t ) ) );
    CLT_TRY( GrowLists( wide, capacity ) );
    wide->capacity = capacity;
    return clt_ok;
}

cltStatus cltWide_AddBlocks( cltWide* wide, uint32_t blockCount )
{
    if ( blockCount > wide->blockCount )
    {
        CLT_TRY( cltWide_MakeRoom( wide, cltWide_BlocksToSort( blockCount * CLT_LANE_COUNT ) ) );
        ClearBlocks( wide, wide->blockCount, blockCount );
        cltWide_SetBlockCount( wide, blockCount );
    }
    return clt_ok;
}

/// Room for the slots, and the blocks for what is set aside, which are always there.
static cltStatus Prepare( cltWide* wide, uint32_t slotCount )
{
    CLT_TRY( cltBuffer_Reserve( &wide->strays, wide->memory, slotCount, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Grow( &wide->laneOf, wide->memory, slotCount, sizeof( uint32_t ) ) );
    for ( ; wide->slotCount < slotCount; ++wide->slotCount )
    {
        cltWide_LaneOf( wide )[wide->slotCount] = CLT_NO_LANE;
    }
    if ( wide->blockCount == 0 )
    {
        CLT_TRY( cltWide_MakeRoom( wide, CLT_ASIDE_BLOCKS + 1u ) );
        ClearBlocks( wide, 0, CLT_ASIDE_BLOCKS );
        cltWide_SetBlockCount( wide, CLT_ASIDE_BLOCKS );
        wide->orderedEnd = CLT_ASIDE_BLOCKS;
        wide->laneEnd = CLT_ASIDE_BLOCKS * CLT_LANE_COUNT;
        wide->largest = INFINITY;
    }
    return clt_ok;
}

// --------------------------------------------------------------------------------------------------------- update

void cltWide_CallCrew( cltWide* wide, uint64_t lanes )
{
    wide->crew = lanes < LANES_TO_SHARE ? NULL : wide->pool;
    cltWorkerPool_Rouse( wide->crew );
}

/// What the last update called present becomes the previous boxes.
static void BeginUpdate( cltWide* wide, const cltUpload* upload )
{
    const cltBlockList recycled = wide->movedBefore;
    wide->movedBefore = wide->moved;
    wide->moved = recycled;
    wide->moved.count = 0;
    if ( wide->oneByOne )
    {
        cltWide_Settle( wide, upload );
    }
    else if ( !wide->unfinished )
    {
        cltBuffer_Swap( &wide->now, &wide->before );
    }
    wide->split = wide->split && wide->unfinished;
    // strays, and what moved in the last update, have marks that nobody takes away otherwise
    uint16_t* movers = wide->movers.data;
    const uint32_t first = wide->oneByOne ? wide->orderedEnd : 0u;
    memset( movers + first, 0, ( wide->blockCount - first ) * sizeof *movers );
    wide->unfinished = true;
    wide->strayCount = 0;
    cltWide_SetBlockCount( wide, wide->blockCount );
}

/// Strays are few and may be anywhere, so a block of them mostly spans the scene, and every search goes through it.
static void NoteStrayCost( cltWide* wide )
{
    const uint64_t strayBlocks = wide->blockCount - wide->orderedEnd;
    wide->strayCost += strayBlocks * ( wide->oneByOne ? wide->moved.count : wide->orderedEnd );
}

/// As for skis that one may rent or buy: the strays have cost by now what having none costs.
static bool WantsSorting( const cltWide* wide )
{
    const uint32_t orderedLanes = wide->orderedEnd * CLT_LANE_COUNT;
    return wide->isStale || cltWide_HasManyStrays( wide, wide->laneEnd ) ||
           wide->strayCost > (uint64_t)SORT_COST * wide->laneEnd ||
           wide->freeCount > orderedLanes / FREE_RATIO + CLT_LANE_COUNT;
}

cltStatus cltWide_Build( cltWide* wide, const cltUpload* upload, uint32_t liveChangeCount )
{
    CLT_TRY( Prepare( wide, upload->slotCount ) );
    const bool again = wide->unfinished;
    wide->oneByOne = !again && liveChangeCount < wide->laneEnd / FEW_MOVERS_RATIO;
    cltWide_CallCrew( wide, wide->oneByOne ? (uint64_t)LANES_PER_MOVER * liveChangeCount
                                           : (uint64_t)wide->laneEnd + upload->appearedCount );
    BeginUpdate( wide, upload );
    if ( upload->appearedCount + upload->destroyedCount > 0 )
    {
        cltWide_ComeAndGo( wide, upload );
    }
    if ( wide->oneByOne )
    {
        cltWide_GatherChanged( wide, upload );
    }
    else
    {
        wide->allDiffer = true;
        cltWide_GatherAll( wide, upload );
    }
    if ( again )
    {
        cltWide_ListLaneless( wide, upload );
    }
    CLT_TRY( cltWide_PlaceStrays( wide, upload ) );
    NoteStrayCost( wide );
    const bool sort = WantsSorting( wide );
    if ( sort )
    {
        cltWide_CallCrew( wide, wide->laneEnd );
        CLT_TRY( cltWide_Sort( wide, upload ) );
        wide->oneByOne = false; // who moved is forgotten with the old lanes
        wide->allDiffer = true;
    }
    return cltWide_Refit( wide, sort );
}

void cltWide_Commit( cltWide* wide )
{
    wide->unfinished = false;
}

void cltWide_Restore( cltWide* wide )
{
    if ( wide->blockCount > 0 )
    {
        if ( wide->unfinished )
        {
            memcpy( wide->now.data, wide->before.data, wide->blockCount * sizeof( cltBoxLanes ) );
        }
        cltWide_CallCrew( wide, wide->laneEnd );
        cltWide_SetBlockCount( wide, wide->blockCount );
        cltWide_FitAll( wide );
    }
}

void cltWide_Release( cltWide* wide )
{
    cltBuffer* const buffers[] = { &wide->now,
                                   &wide->before,
                                   &wide->refs,
                                   &wide->movers,
                                   &wide->freshEdges,
                                   &wide->growths,
                                   &wide->laneOf,
                                   &wide->branches,
                                   &wide->strays,
                                   &wide->keys,
                                   &wide->crowd,
                                   &wide->scratch,
                                   &wide->spareBoxes,
                                   &wide->spareRefs,
                                   &wide->marks,
                                   &wide->moved.blocks,
                                   &wide->statistics.chunks,
                                   &wide->movedBefore.blocks };
    for ( size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i )
    {
        cltBuffer_Release( buffers[i], wide->memory );
    }
    cltRadixSort_Release( &wide->sort, wide->memory );
}
