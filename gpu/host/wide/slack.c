// SPDX-License-Identifier: Zlib
// When slacks are kept, what is measured, and who is spoilt.

#include "gpu/host/wide/slack.h"

#include <math.h>
#include <string.h>

#define MEASURE_GRAIN 16u

/// Blocks are looked at in one of so many updates, and so many of them.
#define LOOK_INTERVAL 8u
#define LOOK_BLOCKS 16u

/// The reach, in lengths of a body; who moves less than so much of it a step trembles.
#define REACH ( 1.0f / 64.0f )
#define TREMBLING ( 1.0f / 24.0f )

/// Costs in units of 20 nanoseconds: who left its slack is searched for and measured; who has none is searched for, as
/// one of few or of all.
#define COST_LEFT 20u
#define COST_MOVER 5u
#define COST_LANE 1u

/// Updates in a row in which it may fail to pay, and how long it rests then, at first and at most.
#define FAILURES 4u
#define FIRST_PAUSE 64u
#define LONGEST_PAUSE 1024u

// ------------------------------------------------------------------------------------------------- whether it pays

/// What those lanes do whose box is another now than before.
typedef struct Look
{
    uint32_t moved;
    float inverseEdges; ///< summed: the mean size is the harmonic one, near that of the small
    float steps[LOOK_BLOCKS * CLT_LANE_COUNT];
} Look;

static void LookAt( Look* look, const cltAabb* now, const cltAabb* before )
{
    float step = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        step = fmaxf( step, fabsf( now->lower[axis] - before->lower[axis] ) );
        step = fmaxf( step, fabsf( now->upper[axis] - before->upper[axis] ) );
    }
    const float edge = cltAabb_LongestEdge( now );
    if ( step > 0.0f && edge > 0.0f && edge < INFINITY ) // false for a NaN
    {
        look->inverseEdges += 1.0f / edge;
        look->steps[look->moved++] = step;
    }
}

static uint32_t CountBelow( const Look* look, float step )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < look->moved; ++i )
    {
        count += look->steps[i] < step;
    }
    return count;
}

void cltSlack_Consider( cltSlack* slack, const cltLanes* lanes, const cltBlockList* moved )
{
    if ( slack->updatesLeft > 0 )
    {
        --slack->updatesLeft;
        return;
    }
    Look look;
    look.moved = 0;
    look.inverseEdges = 0.0f;
    const uint32_t blockCount = moved != NULL ? moved->count : lanes->blockCount;
    const uint32_t lookCount = blockCount < LOOK_BLOCKS ? blockCount : LOOK_BLOCKS;
    for ( uint32_t i = 0; i < lookCount; ++i )
    {
        const uint32_t place = (uint32_t)( (uint64_t)i * blockCount / lookCount );
        const uint32_t block = moved != NULL ? ( (const uint32_t*)moved->blocks.data )[place] : place;
        for ( uint32_t lane = 0; lane < CLT_LANE_COUNT; ++lane )
        {
            const cltAabb now = cltBoxLanes_Get( cltLanes_Now( lanes ) + block, lane );
            const cltAabb before = cltBoxLanes_Get( cltLanes_Before( lanes ) + block, lane );
            LookAt( &look, &now, &before );
        }
    }
    slack->reach = look.moved > 0 ? REACH * (float)look.moved / look.inverseEdges : 0.0f;
    slack->isOn = look.moved > 0 && 4u * CountBelow( &look, TREMBLING * slack->reach ) >= 3u * look.moved;
    slack->isOver = false;
    slack->updatesLeft = LOOK_INTERVAL;
    slack->anchorCount = 0;
    slack->blockCount = 0;
}

void cltSlack_Judge( cltSlack* slack, const cltUpload* upload, uint32_t laneCount )
{
    const uint64_t left = upload->changedCount;
    const uint64_t movers = left + upload->heldCount;
    const uint64_t alone = COST_MOVER * movers;
    const uint64_t without = alone < COST_LANE * (uint64_t)laneCount ? alone : COST_LANE * (uint64_t)laneCount;
    const bool pays = COST_LEFT * left <= without;
    slack->pause -= pays && slack->pause > 0;
    slack->failures = pays ? 0u : slack->failures + 1u;
    slack->isOver = slack->failures >= FAILURES;
}

void cltSlack_End( cltSlack* slack )
{
    const uint32_t longer = slack->pause < FIRST_PAUSE ? FIRST_PAUSE : 2u * slack->pause;
    slack->pause = longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
    slack->updatesLeft = slack->pause;
    slack->failures = 0;
    slack->isOn = false;
    slack->isOver = false;
}

// ------------------------------------------------------------------------------------------------------------ room

cltStatus cltSlack_MakeRoom( cltSlack* slack, const cltLanes* lanes, cltMemory* memory )
{
    const size_t laneRoom = (size_t)lanes->blockRoom * CLT_LANE_COUNT;
    CLT_TRY( cltBuffer_Grow( &slack->anchors, memory, lanes->slotCount, sizeof( cltAnchor ) ) );
    CLT_TRY( cltBuffer_Grow( &slack->slacks, memory, laneRoom, sizeof( float ) ) );
    CLT_TRY( cltBuffer_Grow( &slack->spoilt, memory, lanes->blockRoom, sizeof( uint16_t ) ) );
    CLT_TRY( cltBuffer_Grow( &slack->spoiltLanes, memory, laneRoom, sizeof( uint32_t ) ) );
    const float nan = cltNan();
    const cltAnchor none = { .box = { { nan, nan, nan }, { nan, nan, nan } } };
    for ( ; slack->anchorCount < lanes->slotCount; ++slack->anchorCount )
    {
        ( (cltAnchor*)slack->anchors.data )[slack->anchorCount] = none;
    }
    if ( slack->blockCount < lanes->blockCount )
    {
        const uint32_t newBlocks = lanes->blockCount - slack->blockCount;
        memset( (float*)slack->slacks.data + slack->blockCount * CLT_LANE_COUNT, 0,
                (size_t)newBlocks * CLT_LANE_COUNT * sizeof( float ) );
        memset( (uint16_t*)slack->spoilt.data + slack->blockCount, 0, newBlocks * sizeof( uint16_t ) );
        slack->blockCount = lanes->blockCount;
    }
    return clt_ok;
}

// ------------------------------------------------------------------------------------------------------- measuring

typedef struct Job
{
    const cltWideKernels* kernels;
    const cltWideSearch* search;
    const uint32_t* blocks;
} Job;

static void MeasureListed( uint32_t first, uint32_t last, void* context )
{
    const Job* job = context;
    job->kernels->measureMovers( job->search, job->blocks + first, last - first );
}

void cltSlack_Measure( cltSlack* slack, const cltMovers* movers, cltWideSearch search, float rounding,
                       const cltWideKernels* kernels, cltWorkerPool* pool )
{
    slack->spoiltCount = 0;
    const cltSlackSearch slackSearch = { .slacks = slack->slacks.data,
                                         .anchors = slack->anchors.data,
                                         .spoilt = slack->spoilt.data,
                                         .spoiltLanes = slack->spoiltLanes.data,
                                         .spoiltCount = &slack->spoiltCount,
                                         .reach = slack->reach,
                                         .tolerance = slack->reach * 0x1p-20f + rounding };
    search.slack = &slackSearch;
    Job job = { kernels, &search, movers->now.blocks.data };
    cltWorkerPool_Run( pool, MeasureListed, movers->now.count, MEASURE_GRAIN, &job );
}

void cltSlack_TakeSpoilt( cltSlack* slack, cltLanes* lanes, cltMovers* movers, const cltUpload* upload )
{
    for ( uint32_t i = 0; i < slack->spoiltCount; ++i )
    {
        const uint32_t lane = ( (const uint32_t*)slack->spoiltLanes.data )[i];
        const uint32_t slot = cltLeafRef_Slot( cltLanes_Refs( lanes )[lane] );
        const cltAabb box = cltCoverBox( upload->boxes, lanes->isDouble, slot );
        cltLane_Set( cltLanes_Now( lanes ), lane, &box );
        cltMovers_Add( movers, lane );
        ( (float*)slack->slacks.data )[lane] = 0.0f;
        ( (cltAnchor*)slack->anchors.data )[slot] = ( cltAnchor ){ .box = box };
        ( (uint16_t*)slack->spoilt.data )[lane / CLT_LANE_COUNT] = 0;
    }
}

void cltSlack_Release( cltSlack* slack, cltMemory* memory )
{
    cltBuffer_Release( &slack->anchors, memory );
    cltBuffer_Release( &slack->slacks, memory );
    cltBuffer_Release( &slack->spoilt, memory );
    cltBuffer_Release( &slack->spoiltLanes, memory );
}
