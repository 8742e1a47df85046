// SPDX-License-Identifier: Zlib
// Rebalances a window of the order: lists the lanes of its bodies and of unsorted ones in their new order, moves the
// bodies, and notes the codes with which the window's blocks begin now.

#include "gpu/host/wide/rebalance.h"

#include <string.h>

/// Blocks of a window. If bodies are replaced at random, the number of bodies in a window varies by about its square
/// root, here 32. With gaps (lanes.h), 64 lanes are free: windows without a free lane are rare.
#define WINDOW_BLOCKS 64u

/// The cost of rebalancing a window, about 150 microseconds, in visits of a block, about 10 ns each.
#define WINDOW_COST 15000u

/// Some blocks of the order.
typedef struct Window
{
    cltOrder* order; ///< its keys have the bodies' codes, and lanes as places
    cltLanes* lanes;
    const cltUpload* upload;
    uint32_t first; ///< block
    uint32_t blockCount;
    uint32_t bodyCount;
} Window;

static bool IsFree( const cltLanes* lanes, uint32_t lane )
{
    return cltLanes_Refs( lanes )[lane] == CLT_FREE_LANE;
}

static uint32_t FirstLane( const Window* window )
{
    return window->first * CLT_LANE_COUNT;
}

static uint32_t LaneCount( const Window* window )
{
    return window->blockCount * CLT_LANE_COUNT;
}

static uint32_t FirstUnsorted( const cltLanes* lanes )
{
    return lanes->orderedEnd * CLT_LANE_COUNT;
}

// ------------------------------------------------------------------------------------------------------- choosing

static uint64_t CodeInWindow( const Window* window, uint32_t lane, const cltAabb* box )
{
    const uint32_t slot = cltLeafRef_Slot( cltLanes_Refs( window->lanes )[lane] );
    return cltFreeLanes_CodeOf( &window->order->freeLanes, window->upload, slot, box );
}

/// Chooses the window around a block.
static void Choose( Window* window, uint32_t middle )
{
    const uint32_t orderedEnd = window->lanes->orderedEnd;
    window->first = middle > CLT_OUTLIER_BLOCKS + WINDOW_BLOCKS / 2u ? middle - WINDOW_BLOCKS / 2u : CLT_OUTLIER_BLOCKS;
    window->blockCount = orderedEnd - window->first < WINDOW_BLOCKS ? orderedEnd - window->first : WINDOW_BLOCKS;
}

/// Chooses the window around the most grown block, if growth has cost as much as to rebalance it.
static bool ChooseGrown( Window* window )
{
    cltOrder* order = window->order;
    if ( order->growthCost < WINDOW_COST )
    {
        return false;
    }
    order->growthCost = 0;
    Choose( window, order->grownBlock );
    return true;
}

/// Chooses the window in which an unsorted body belongs, if unsorted bodies have cost as much. Takes another body each
/// time, because there may be no free lane.
static bool ChooseUnsorted( Window* window )
{
    cltOrder* order = window->order;
    const cltLanes* lanes = window->lanes;
    const uint32_t count = lanes->end - FirstUnsorted( lanes );
    if ( order->unsortedCost < WINDOW_COST || count == 0 || !order->isSpaced )
    {
        return false;
    }
    const uint32_t lane = FirstUnsorted( lanes ) + order->triedCount++ % count;
    if ( IsFree( lanes, lane ) )
    {
        return false;
    }
    order->unsortedCost = 0;
    const cltAabb box = cltLane_Get( cltLanes_Current( lanes ), lane );
    Choose( window, cltFreeLanes_BlockOf( &order->freeLanes, CodeInWindow( window, lane, &box ) ) );
    return true;
}

// -------------------------------------------------------------------------------------------------------- listing

static void AddKey( Window* window, uint64_t code, uint32_t lane )
{
    uint64_t* keys = window->order->keys.data;
    keys[window->bodyCount++] = code << CLT_PLACE_BITS | lane;
}

/// Lists the window's bodies, and unsorted bodies that belong there as far as there is room.
static void ListBodies( Window* window )
{
    const cltLanes* lanes = window->lanes;
    const cltFreeLanes* free = &window->order->freeLanes;
    cltAabb bounds = cltAabb_Empty();
    window->bodyCount = 0;
    for ( uint32_t lane = FirstLane( window ); lane < FirstLane( window ) + LaneCount( window ); ++lane )
    {
        if ( !IsFree( lanes, lane ) )
        {
            const cltAabb box = cltLane_Get( cltLanes_Current( lanes ), lane );
            bounds = cltAabb_Union( &bounds, &box );
            AddKey( window, CodeInWindow( window, lane, &box ), lane );
        }
    }
    for ( uint32_t lane = FirstUnsorted( lanes ); lane < lanes->end && window->bodyCount < LaneCount( window ); ++lane )
    {
        const cltAabb box = cltLane_Get( cltLanes_Current( lanes ), lane ); // NaN if it is free: overlaps nothing
        if ( cltAabb_Overlaps( &bounds, &box ) )                            // cheaper than the code
        {
            const uint64_t code = CodeInWindow( window, lane, &box );
            if ( cltFreeLanes_BlockOf( free, code ) - window->first < window->blockCount )
            {
                AddKey( window, code, lane );
            }
        }
    }
}

// --------------------------------------------------------------------------------------------------------- moving

static void SetLane( cltLanes* lanes, uint32_t lane, const cltAabb* box, cltLeafRef ref )
{
    cltLane_Set( cltLanes_Current( lanes ), lane, box );
    cltLanes_Refs( lanes )[lane] = ref;
    cltLanes_OfSlots( lanes )[cltLeafRef_Slot( ref )] = lane;
}

static void FreeLanes( cltLanes* lanes, uint32_t first, uint32_t end )
{
    for ( uint32_t lane = first; lane < end; ++lane )
    {
        cltLane_Clear( cltLanes_Current( lanes ), lane );
        cltLanes_Refs( lanes )[lane] = CLT_FREE_LANE;
    }
}

/// The lane of a body: bodies lie evenly.
static uint32_t LaneOf( const Window* window, uint32_t body )
{
    return FirstLane( window ) + body * LaneCount( window ) / window->bodyCount;
}

static cltStatus CopyToScratch( const Window* window, cltMemory* memory )
{
    cltLanes* lanes = window->lanes;
    const size_t count = window->blockCount;
    CLT_TRY( cltBuffer_Reserve( &lanes->scratchBoxes, memory, count, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Reserve( &lanes->scratchRefs, memory, LaneCount( window ), sizeof( cltLeafRef ) ) );
    memcpy( lanes->scratchBoxes.data, cltLanes_Current( lanes ) + window->first, count * sizeof( cltBoxLanes ) );
    memcpy( lanes->scratchRefs.data, cltLanes_Refs( lanes ) + FirstLane( window ),
            LaneCount( window ) * sizeof( cltLeafRef ) );
    return clt_ok;
}

static void MoveBody( const Window* window, uint32_t from, uint32_t to )
{
    cltLanes* lanes = window->lanes;
    const bool isUnsorted = from >= FirstUnsorted( lanes );
    const cltBoxLanes* boxes = isUnsorted ? cltLanes_Current( lanes ) : lanes->scratchBoxes.data;
    const cltLeafRef* refs = isUnsorted ? cltLanes_Refs( lanes ) : lanes->scratchRefs.data;
    const uint32_t place = isUnsorted ? from : from - FirstLane( window );
    const cltAabb box = cltLane_Get( boxes, place );
    SetLane( lanes, to, &box, refs[place] );
    if ( isUnsorted )
    {
        FreeLanes( lanes, from, from + 1u );
    }
}

static void MoveBodies( const Window* window )
{
    const uint64_t* keys = window->order->keys.data;
    uint32_t next = FirstLane( window );
    for ( uint32_t body = 0; body < window->bodyCount; ++body )
    {
        const uint32_t to = LaneOf( window, body );
        FreeLanes( window->lanes, next, to );
        MoveBody( window, cltPlaceKey_Place( keys[body] ), to );
        next = to + 1u;
    }
    FreeLanes( window->lanes, next, FirstLane( window ) + LaneCount( window ) );
}

/// Notes the code of each block's first body. Codes stay ascending: a body may lie some blocks off its own.
static void NoteCodes( const Window* window )
{
    const uint64_t* keys = window->order->keys.data;
    const uint32_t end = window->first + window->blockCount;
    uint64_t* codes = (uint64_t*)window->order->freeLanes.blockCodes.data - CLT_OUTLIER_BLOCKS;
    const uint64_t last = end < window->lanes->orderedEnd ? codes[end] : UINT64_MAX;
    uint32_t body = 0;
    for ( uint32_t block = window->first + 1u; block < end; ++block )
    {
        while ( body + 1u < window->bodyCount && LaneOf( window, body ) < block * CLT_LANE_COUNT )
        {
            ++body;
        }
        const uint64_t code = keys[body] >> CLT_PLACE_BITS;
        const uint64_t bounded = code < last ? code : last;
        codes[block] = bounded > codes[block - 1u] ? bounded : codes[block - 1u];
    }
}

/// Closes the holes among unsorted lanes.
static void CompactUnsorted( cltLanes* lanes )
{
    uint32_t to = FirstUnsorted( lanes );
    for ( uint32_t lane = to; lane < lanes->end; ++lane )
    {
        if ( !IsFree( lanes, lane ) )
        {
            const cltAabb box = cltLane_Get( cltLanes_Current( lanes ), lane );
            SetLane( lanes, to++, &box, cltLanes_Refs( lanes )[lane] );
        }
    }
    FreeLanes( lanes, to, lanes->end );
    lanes->freeCount -= lanes->end - to; // holes, and a free lane of the window for each body that came
    lanes->end = to;
}

/// Computes what else depends on the bodies of some blocks.
static void FinishBlocks( cltLanes* lanes, const cltUpload* upload, uint32_t first, uint32_t end )
{
    memcpy( cltLanes_Previous( lanes ) + first, cltLanes_Current( lanes ) + first,
            ( end - first ) * sizeof( cltBoxLanes ) );
    if ( upload->filters != NULL )
    {
        cltLanes_UniteFiltersOf( lanes, upload, first, end );
    }
}

static bool Rebalance( Window* window, cltMemory* memory )
{
    cltOrder* order = window->order;
    if ( cltBuffer_Reserve( &order->keys, memory, LaneCount( window ), sizeof( uint64_t ) ) != clt_ok )
    {
        return false;
    }
    ListBodies( window );
    if ( window->bodyCount == 0 ||
         cltRadixSort_Run( &order->sort, NULL, memory, &order->keys, window->bodyCount, CLT_PLACE_BITS, 64u ) !=
             clt_ok ||
         CopyToScratch( window, memory ) != clt_ok )
    {
        return false;
    }
    MoveBodies( window );
    NoteCodes( window );
    CompactUnsorted( window->lanes );
    FinishBlocks( window->lanes, window->upload, window->first, window->first + window->blockCount );
    FinishBlocks( window->lanes, window->upload, window->lanes->orderedEnd, window->lanes->blockCount );
    return true;
}

cltBlockRange cltOrder_RebalanceIfItPays( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltMemory* memory )
{
    Window window = { .order = order, .lanes = lanes, .upload = upload };
    if ( cltFreeLanes_AreNoted( &order->freeLanes, lanes ) && ( ChooseGrown( &window ) || ChooseUnsorted( &window ) ) &&
         Rebalance( &window, memory ) )
    {
        return ( cltBlockRange ){ window.first, window.first + window.blockCount };
    }
    return ( cltBlockRange ){ 0, 0 };
}
