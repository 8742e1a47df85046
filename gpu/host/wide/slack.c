// SPDX-License-Identifier: Zlib
// When slacks are kept, and what is measured.

#include "gpu/host/wide/slack.h"

#include <math.h>
#include <string.h>

#define MEASURE_GRAIN 16u

/// Blocks are looked at in one of so many updates, and so many of them.
#define LOOK_INTERVAL 8u
#define LOOK_BLOCKS 16u

/// Bodies in no more lanes than these are searched before anything is known of them, and need little memory.
#define FEW_LANES 32u

/// Who moves less than so many of its lengths a step trembles.
#define LONGEST_STEP ( 1.0f / 64.0f )

/// The least slack, in steps that three quarters of the bodies stay below, and the reach, in least slacks, but not far
/// beyond a share of a body. A body that is shaken about its place moves by two steps at most; solvers let bodies creep
/// besides. What has little slack leaves often, and what has much is near many: pairs nearer than twice the least slack
/// are watched, queries look by the reach further.
#define LEAST_SLACK 2.0f
#define REACH 8.0f
#define LONGEST_REACH ( 1.0f / 32.0f )

/// Where boxes are double, what their distances are rounded by, of how far from the origin they end, and what of the
/// reach that may be.
#define DOUBLE_ROUNDING 0x1p-20f
#define LONGEST_ROUNDING 0.5f

/// Costs in units of 20 nanoseconds: who left its slack is searched for and measured; who has none is searched for, as
/// one of few or of all.
#define COST_LEFT 20u
#define COST_MOVER 5u
#define COST_LANE 1u
#define WATCHED_PER_COST 4u

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

/// True if three quarters of the steps are smaller.
static bool MostAreBelow( const Look* look, float step )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < look->moved; ++i )
    {
        count += look->steps[i] < step;
    }
    return 4u * count >= 3u * look->moved;
}

/// Something that they are below, less than twice what would do, when they are below `step`.
static float StepBound( const Look* look, float step )
{
    while ( MostAreBelow( look, 0.5f * step ) )
    {
        step *= 0.5f;
    }
    return step;
}

void cltSlack_Consider( cltSlack* slack, const cltLanes* lanes, const cltBlockList* moved )
{
    if ( lanes->end - CLT_OUTLIER_LANES + lanes->outlierCount <= FEW_LANES )
    {
        return;
    }
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
    const float length = look.moved > 0 ? (float)look.moved / look.inverseEdges : 0.0f;
    slack->isOn = look.moved > 0 && MostAreBelow( &look, LONGEST_STEP * length );
    slack->least = slack->isOn ? LEAST_SLACK * StepBound( &look, LONGEST_STEP * length ) : 0.0f;
    slack->reach = fmaxf( fminf( REACH * slack->least, LONGEST_REACH * length ), slack->least );
    slack->furthest = lanes->isDouble ? 0.0f : INFINITY;
    slack->isOver = false;
    slack->updatesLeft = LOOK_INTERVAL;
    slack->anchorCount = 0;
    slack->blockCount = 0;
}

void cltSlack_NoteFurthest( cltSlack* slack, float furthest )
{
    slack->furthest = fmaxf( slack->furthest, fminf( furthest, LONGEST_ROUNDING * slack->reach / DOUBLE_ROUNDING ) );
}

void cltSlack_Judge( cltSlack* slack, const cltUpload* upload, uint32_t laneCount )
{
    const uint64_t left = upload->changedCount;
    const uint64_t movers = left + upload->heldCount;
    const uint64_t alone = COST_MOVER * movers;
    const uint64_t without = alone < COST_LANE * (uint64_t)laneCount ? alone : COST_LANE * (uint64_t)laneCount;
    const bool pays = COST_LEFT * left + slack->watch.count / WATCHED_PER_COST <= without;
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

/// As in lanes.c: the proxy table was patient before it gave slots back.
static void ForgetAnchors( cltSlack* slack, cltMemory* memory, uint32_t slotCount )
{
    cltBuffer_Shrink( &slack->anchors, memory, slotCount, cltShrinkPolicy_Capacity( slotCount ), sizeof( cltAnchor ) );
    slack->anchorCount = slotCount;
}

cltStatus cltSlack_MakeRoom( cltSlack* slack, const cltLanes* lanes, cltMemory* memory )
{
    if ( slack->anchorCount > lanes->slotCount )
    {
        ForgetAnchors( slack, memory, lanes->slotCount );
    }
    const size_t laneRoom = (size_t)lanes->blockRoom * CLT_LANE_COUNT;
    CLT_TRY( cltBuffer_Grow( &slack->anchors, memory, lanes->slotCount, sizeof( cltAnchor ) ) );
    CLT_TRY( cltBuffer_Grow( &slack->slacks, memory, laneRoom, sizeof( float ) ) );
    const cltAnchor none = { .slack = CLT_NO_ANCHOR };
    for ( ; slack->anchorCount < lanes->slotCount; ++slack->anchorCount )
    {
        ( (cltAnchor*)slack->anchors.data )[slack->anchorCount] = none;
    }
    if ( slack->blockCount < lanes->blockCount )
    {
        const uint32_t newBlocks = lanes->blockCount - slack->blockCount;
        memset( (float*)slack->slacks.data + slack->blockCount * CLT_LANE_COUNT, 0,
                (size_t)newBlocks * CLT_LANE_COUNT * sizeof( float ) );
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

/// Who is measured next is marked anew: of a body that did not change all watched pairs are kept.
static void MarkWatched( cltAnchor* anchors, const cltWatch* watch )
{
    const cltWatchedPair* pairs = watch->next.data;
    for ( uint64_t i = watch->keptCount; i < watch->nextCount; ++i )
    {
        anchors[pairs[i].slotA].isWatched = 1u;
        anchors[pairs[i].slotB].isWatched = 1u;
    }
}

/// What a distance between boxes in lanes may be off by.
static float RoundingOf( const cltSlack* slack )
{
    return isinf( slack->furthest ) ? 0.0f : DOUBLE_ROUNDING * slack->furthest;
}

cltStatus cltSlack_Measure( cltSlack* slack, const cltMovers* movers, const cltMeasuring* measuring )
{
    const cltSlackSearch slackSearch = { .slacks = slack->slacks.data,
                                         .anchors = slack->anchors.data,
                                         .watch = &slack->watch,
                                         .reach = slack->reach,
                                         .least = slack->least,
                                         .tolerance = slack->reach * 0x1p-20f + RoundingOf( slack ),
                                         .furthest = slack->furthest };
    cltWideSearch search = measuring->search;
    search.slack = &slackSearch;
    Job job = { measuring->kernels, &search, movers->now.blocks.data };
    bool isAgain = true;
    while ( isAgain )
    {
        cltWorkerPool_Run( measuring->pool, MeasureListed, movers->now.count, MEASURE_GRAIN, &job );
        CLT_TRY( cltWatch_MakeRoom( &slack->watch, measuring->memory, &isAgain ) );
    }
    CLT_TRY( cltWatch_Take( &slack->watch, &search.input->slots, measuring->memory ) );
    MarkWatched( slack->anchors.data, &slack->watch );
    return clt_ok;
}

void cltSlack_Release( cltSlack* slack, cltMemory* memory )
{
    cltBuffer_Release( &slack->anchors, memory );
    cltBuffer_Release( &slack->slacks, memory );
    cltWatch_Release( &slack->watch, memory );
}
