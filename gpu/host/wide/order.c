// SPDX-License-Identifier: Zlib
// A new order: a key for every lane that holds a box, one sort, and everything in the lanes to its new place.

#include "gpu/host/wide/wide.h"

#include <math.h>
#include <string.h>

#define LANE_GRAIN 4096u
#define BLOCK_GRAIN 256u
#define LANES_AHEAD 16u

/// Sorts behind all codes: lanes that go nowhere, or aside.
#define LEFT_OUT ( 1u << CLT_CURVE_BITS )

typedef struct Ordering
{
    cltWide* wide;
    uint32_t asideBin;
    uint32_t aside[CLT_OUTLIER_LIMIT]; ///< old lanes
    uint64_t asideCount;
    uint64_t leftOutCount;
    uint32_t keptCount;
    const cltBoxLanes* boxes; ///< that are being moved
} Ordering;

/// The code of a lane, by its present box if it has one.
static uint32_t Code( Ordering* ordering, uint32_t lane )
{
    const cltWide* wide = ordering->wide;
    cltAabb box = cltBoxLanes_Get( cltWide_Now( wide ) + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
    if ( cltAabb_HasNan( &box ) )
    {
        box = cltBoxLanes_Get( cltWide_Before( wide ) + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
        return cltAabb_HasNan( &box ) ? LEFT_OUT : cltCurve_Key( &wide->curve, &box );
    }
    if ( cltSizeBin_Of( &box ) >= ordering->asideBin )
    {
        ordering->aside[cltClaim( &ordering->asideCount, 1u )] =
            lane; // there are no more than that: cltSceneStatistics_Gather
        return LEFT_OUT;
    }
    return cltCurve_Key( &wide->curve, &box );
}

static void WriteKeys( uint32_t first, uint32_t last, void* context )
{
    Ordering* ordering = context;
    uint64_t* keys = ordering->wide->keys.data;
    uint64_t leftOutCount = 0;
    for ( uint32_t lane = first; lane < last; ++lane )
    {
        const uint32_t code = Code( ordering, lane );
        leftOutCount += code == LEFT_OUT;
        keys[lane] = (uint64_t)code << 32 | lane;
    }
    cltClaim( &ordering->leftOutCount, leftOutCount );
}

/// One box of the lane, from where it was. `from` is CLT_NO_LANE for a lane that is free.
static void PutBox( const Ordering* ordering, uint32_t from, uint32_t to )
{
    cltBoxLanes* block = (cltBoxLanes*)ordering->wide->spareBoxes.data + to / CLT_LANE_COUNT;
    if ( from == CLT_NO_LANE )
    {
        cltBoxLanes_Clear( block, to % CLT_LANE_COUNT );
        return;
    }
    const cltAabb box = cltBoxLanes_Get( ordering->boxes + from / CLT_LANE_COUNT, from % CLT_LANE_COUNT );
    cltBoxLanes_Set( block, to % CLT_LANE_COUNT, &box );
}

static void PutRef( const Ordering* ordering, uint32_t from, uint32_t to )
{
    const cltWide* wide = ordering->wide;
    const cltLeafRef ref = from == CLT_NO_LANE ? CLT_FREE_LANE : cltWide_Refs( wide )[from];
    ( (cltLeafRef*)wide->spareRefs.data )[to] = ref;
    if ( from != CLT_NO_LANE && cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE )
    {
        cltWide_LaneOf( wide )[cltLeafRef_Slot( ref )] = to;
    }
}

/// Where what goes to a lane was; CLT_NO_LANE if nothing goes there.
static uint32_t OldLane( const Ordering* ordering, uint32_t lane )
{
    const uint32_t asideLanes = CLT_ASIDE_BLOCKS * CLT_LANE_COUNT;
    if ( lane < asideLanes )
    {
        return lane < ordering->asideCount ? ordering->aside[lane] : CLT_NO_LANE;
    }
    const uint64_t* keys = ordering->wide->keys.data;
    return lane - asideLanes < ordering->keptCount ? (uint32_t)keys[lane - asideLanes] : CLT_NO_LANE;
}

static void PrefetchBox( const Ordering* ordering, uint32_t lane )
{
    if ( lane != CLT_NO_LANE )
    {
        const cltBoxLanes* block = ordering->boxes + lane / CLT_LANE_COUNT;
        for ( int axis = 0; axis < 3; ++axis )
        {
            __builtin_prefetch( block->lower[axis] );
            __builtin_prefetch( block->upper[axis] );
        }
    }
}

static void MoveBoxes( uint32_t first, uint32_t last, void* context )
{
    const Ordering* ordering = context;
    for ( uint32_t lane = first * CLT_LANE_COUNT; lane < last * CLT_LANE_COUNT; ++lane )
    {
        PrefetchBox( ordering, OldLane( ordering, lane + LANES_AHEAD ) );
        PutBox( ordering, OldLane( ordering, lane ), lane );
    }
}

static void MoveRefs( uint32_t first, uint32_t last, void* context )
{
    const Ordering* ordering = context;
    for ( uint32_t lane = first * CLT_LANE_COUNT; lane < last * CLT_LANE_COUNT; ++lane )
    {
        PutRef( ordering, OldLane( ordering, lane ), lane );
    }
}

/// Room for everything, before anything changes.
static cltStatus Reserve( cltWide* wide )
{
    CLT_TRY( cltWide_MakeRoom( wide, cltWide_BlocksToSort( wide->laneEnd ) ) );
    CLT_TRY( cltBuffer_Reserve( &wide->keys, wide->memory, wide->laneEnd, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &wide->spareBoxes, wide->memory, wide->capacity, sizeof( cltBoxLanes ) ) );
    return cltBuffer_Reserve( &wide->spareRefs, wide->memory, wide->capacity * CLT_LANE_COUNT, sizeof( cltLeafRef ) );
}

/// What is as large as the smallest box set aside joins it, when it comes or grows.
static float LargestOf( uint32_t asideBin )
{
    return asideBin < CLT_SIZE_BIN_COUNT ? cltNextBelow( cltFloatOfBits( asideBin << 23 ) ) : INFINITY;
}

/// One array after the other, each into the memory that the last one has left.
static void MoveLanes( cltWide* wide, Ordering* ordering, uint32_t blockCount )
{
    cltBuffer* const boxes[2] = { &wide->now, &wide->before };
    for ( int i = 0; i < 2; ++i )
    {
        ordering->boxes = boxes[i]->data;
        cltWorkerPool_Run( wide->crew, MoveBoxes, blockCount, BLOCK_GRAIN, ordering );
        cltBuffer_Swap( boxes[i], &wide->spareBoxes );
    }
    cltWorkerPool_Run( wide->crew, MoveRefs, blockCount, BLOCK_GRAIN, ordering );
    cltBuffer_Swap( &wide->refs, &wide->spareRefs );
}

static void StartAnew( cltWide* wide, const Ordering* ordering, uint32_t blockCount )
{
    cltWide_SetBlockCount( wide, blockCount );
    memset( wide->movers.data, 0, blockCount * sizeof( uint16_t ) );
    memset( wide->growths.data, 0, blockCount * sizeof( uint32_t ) );
    wide->moved.count = 0;
    wide->movedBefore.count = 0;
    wide->orderedEnd = blockCount;
    wide->laneEnd = blockCount * CLT_LANE_COUNT;
    wide->asideCount = (uint32_t)ordering->asideCount;
    wide->freeCount = 0;
    wide->growthSum = 0;
    wide->strayCost = 0;
    wide->largest = LargestOf( ordering->asideBin );
}

cltStatus cltWide_Sort( cltWide* wide, const cltUpload* upload )
{
    const cltSlots slots = {
        .now = upload->boxes, .before = upload->boxes, .isDouble = wide->isDouble, .count = upload->slotCount };
    CLT_TRY( Reserve( wide ) );
    CLT_TRY( cltSceneStatistics_Gather( &wide->statistics, &slots, NULL, wide->pool, wide->memory ) );
    Ordering ordering = { .wide = wide, .asideBin = wide->statistics.outlierBin };
    wide->curve = cltCurve_Make( wide->statistics.lower, wide->statistics.upper );
    cltWorkerPool_Run( wide->crew, WriteKeys, wide->laneEnd, LANE_GRAIN, &ordering );
    CLT_TRY( cltRadixSort_Run( &wide->sort, wide->pool, wide->memory, &wide->keys, wide->laneEnd, 32u,
                               32u + CLT_CURVE_BITS + 1u ) );
    ordering.keptCount = wide->laneEnd - (uint32_t)ordering.leftOutCount;
    CLT_TRY( cltWide_OrderCrowds( wide, wide->keys.data, ordering.keptCount ) );
    const uint32_t blockCount = ( ordering.keptCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT + CLT_ASIDE_BLOCKS;
    MoveLanes( wide, &ordering, blockCount );
    StartAnew( wide, &ordering, blockCount );
    return clt_ok;
}
