// SPDX-License-Identifier: Zlib
// A new order: a key for every lane that holds a box, one sort, and both boxes of each lane to their new place.

#include "gpu/host/wide.h"

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
    uint32_t aside[CLT_ASIDE_LIMIT]; ///< old lanes
    uint64_t asideCount;
    uint64_t leftOutCount;
    uint32_t keptCount;
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
        ordering->aside[cltClaim( &ordering->asideCount, 1u )] = lane; // there are no more than that: cltSurvey_Run
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

static void CopyLane( const Ordering* ordering, uint32_t from, uint32_t to )
{
    const cltWide* wide = ordering->wide;
    cltBoxLanes* now = (cltBoxLanes*)wide->spareNow.data + to / CLT_LANE_COUNT;
    cltBoxLanes* before = (cltBoxLanes*)wide->spareBefore.data + to / CLT_LANE_COUNT;
    const cltAabb is = cltBoxLanes_Get( cltWide_Now( wide ) + from / CLT_LANE_COUNT, from % CLT_LANE_COUNT );
    const cltAabb was = cltBoxLanes_Get( cltWide_Before( wide ) + from / CLT_LANE_COUNT, from % CLT_LANE_COUNT );
    cltBoxLanes_Set( now, to % CLT_LANE_COUNT, &is );
    cltBoxLanes_Set( before, to % CLT_LANE_COUNT, &was );
    const cltLeafRef ref = cltWide_Refs( wide )[from];
    ( (cltLeafRef*)wide->spareRefs.data )[to] = ref;
    if ( cltLeafRef_Kind( ref ) != CLT_LEAF_BEFORE )
    {
        cltWide_LaneOf( wide )[cltLeafRef_Slot( ref )] = to;
    }
}

static void LeaveFree( const Ordering* ordering, uint32_t lane )
{
    const cltWide* wide = ordering->wide;
    cltBoxLanes_Clear( (cltBoxLanes*)wide->spareNow.data + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
    cltBoxLanes_Clear( (cltBoxLanes*)wide->spareBefore.data + lane / CLT_LANE_COUNT, lane % CLT_LANE_COUNT );
    ( (cltLeafRef*)wide->spareRefs.data )[lane] = CLT_FREE_LANE;
}

static void PrefetchLane( const cltWide* wide, uint32_t lane )
{
    const cltBoxLanes* now = cltWide_Now( wide ) + lane / CLT_LANE_COUNT;
    const cltBoxLanes* before = cltWide_Before( wide ) + lane / CLT_LANE_COUNT;
    for ( int axis = 0; axis < 3; ++axis )
    {
        __builtin_prefetch( now->lower[axis] );
        __builtin_prefetch( now->upper[axis] );
        __builtin_prefetch( before->lower[axis] );
        __builtin_prefetch( before->upper[axis] );
    }
}

static void CopyBlocks( uint32_t first, uint32_t last, void* context )
{
    const Ordering* ordering = context;
    const uint64_t* keys = ordering->wide->keys.data;
    for ( uint32_t i = first * CLT_LANE_COUNT; i < last * CLT_LANE_COUNT; ++i )
    {
        if ( i + LANES_AHEAD < ordering->keptCount )
        {
            PrefetchLane( ordering->wide, (uint32_t)keys[i + LANES_AHEAD] );
        }
        const uint32_t lane = i + CLT_ASIDE_BLOCKS * CLT_LANE_COUNT;
        if ( i < ordering->keptCount )
        {
            CopyLane( ordering, (uint32_t)keys[i], lane );
        }
        else
        {
            LeaveFree( ordering, lane );
        }
    }
}

static void CopyAside( const Ordering* ordering )
{
    for ( uint32_t lane = 0; lane < CLT_ASIDE_LIMIT; ++lane )
    {
        if ( lane < ordering->asideCount )
        {
            CopyLane( ordering, ordering->aside[lane], lane );
        }
        else
        {
            LeaveFree( ordering, lane );
        }
    }
}

/// Room for everything, before anything changes.
static cltStatus Reserve( cltWide* wide )
{
    CLT_TRY( cltWide_MakeRoom( wide, cltWide_BlocksToSort( wide->laneEnd ) ) );
    CLT_TRY( cltBuffer_Reserve( &wide->keys, wide->memory, wide->laneEnd, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Reserve( &wide->spareNow, wide->memory, wide->capacity, sizeof( cltBoxLanes ) ) );
    CLT_TRY( cltBuffer_Reserve( &wide->spareBefore, wide->memory, wide->capacity, sizeof( cltBoxLanes ) ) );
    return cltBuffer_Reserve( &wide->spareRefs, wide->memory, wide->capacity * CLT_LANE_COUNT, sizeof( cltLeafRef ) );
}

static void Swap( cltBuffer* a, cltBuffer* b )
{
    const cltBuffer other = *a;
    *a = *b;
    *b = other;
}

/// What is as large as the smallest box set aside joins it, when it comes or grows.
static float LargestOf( uint32_t asideBin )
{
    return asideBin < CLT_SIZE_BIN_COUNT ? cltNextBelow( cltFloatOfBits( asideBin << 23 ) ) : INFINITY;
}

static void TakeOver( cltWide* wide, const Ordering* ordering )
{
    Swap( &wide->now, &wide->spareNow );
    Swap( &wide->before, &wide->spareBefore );
    Swap( &wide->refs, &wide->spareRefs );
    const uint32_t blockCount = ( ordering->keptCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT + CLT_ASIDE_BLOCKS;
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
    CLT_TRY( cltSurvey_Run( &wide->survey, &slots, wide->pool, wide->memory ) );
    Ordering ordering = { .wide = wide, .asideBin = wide->survey.asideBin };
    wide->curve = cltCurve_Make( wide->survey.lower, wide->survey.upper );
    cltWorkerPool_Run( wide->crew, WriteKeys, wide->laneEnd, LANE_GRAIN, &ordering );
    CLT_TRY( cltRadixSort_Run( &wide->sort, wide->pool, wide->memory, &wide->keys, wide->laneEnd, 32u,
                               32u + CLT_CURVE_BITS + 1u ) );
    ordering.keptCount = wide->laneEnd - (uint32_t)ordering.leftOutCount;
    CLT_TRY( cltWide_OrderCrowds( wide, wide->keys.data, ordering.keptCount ) );
    const uint32_t blockCount = ( ordering.keptCount + CLT_LANE_COUNT - 1u ) / CLT_LANE_COUNT;
    cltWorkerPool_Run( wide->crew, CopyBlocks, blockCount, BLOCK_GRAIN, &ordering );
    CopyAside( &ordering );
    TakeOver( wide, &ordering );
    return clt_ok;
}
