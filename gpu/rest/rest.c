// SPDX-License-Identifier: Zlib
// When rest boxes are kept, and how large margins are.

#include "gpu/rest/rest.h"

/// Updates from one decision whether to keep rest boxes to the next.
#define DECISION_INTERVAL 8u

/// Boxes tremble if they move by less than this share of their length in a step.
#define LONGEST_STEP ( 1.0f / 16.0f )

/// The smallest useful margin, as a multiple of a step that three quarters of the boxes stay below. A body that
/// trembles about one place is at most two steps away from where it was measured.
#define MIN_MARGIN 2.0f

/// The largest margin is MAX_MARGIN times the smallest, but at most LONGEST_MARGIN times the boxes' mean length; the
/// smallest, if that is longer.
/// Solvers let bodies creep, so that they often leave small margins. Large margins reach many other boxes, and queries
/// inflate rest boxes by them. One margin for all bodies, as in Verlet's lists, costs the same if boxes only tremble.
/// If they creep, it is slow: in a random walk of 100,000 bodies in steps of a five-hundredth of their size, updates
/// took 4.0 times as long with one margin of two steps, 3.3 with four and 1.9 with sixteen. One margin saved less than
/// a tenth of the code.
#define MAX_MARGIN 8.0f
#define LONGEST_MARGIN ( 1.0f / 32.0f )

/// DOUBLE_ROUNDING: the rounding of distances between double boxes, as a share of the boxes' distance from the origin.
/// LONGEST_ROUNDING: the limit of this rounding, as a share of the largest margin.
#define DOUBLE_ROUNDING 0x1p-20f
#define LONGEST_ROUNDING 0.5f

/// The rounding of distances between bounds when they are compared, as a share of the largest margin.
#define MARGIN_ROUNDING 0x1p-20f

/// Costs in units of 20 nanoseconds. COST_LEFT: a box that left its margin is searched and measured. Without rest
/// boxes, a box is searched as one of few movers (COST_MOVER) or as one of all bodies (COST_BODY).
#define COST_LEFT 20u
#define COST_MOVER 5u
#define COST_BODY 1u
#define NEAR_PAIRS_PER_COST 4u

/// Rest boxes that do not pay in MAX_FAILURES updates in a row are turned off, for twice as many updates each time.
#define MAX_FAILURES 4u
#define FIRST_PAUSE 64u
#define LONGEST_PAUSE 1024u

bool cltRest_FindNew( cltRest* rest, uint32_t slot, cltMemory* memory, cltNearProxies* near )
{
    if ( slot >= rest->activeCount )
    {
        return false;
    }
    *near = ( cltNearProxies ){ NULL, CLT_NEAR_PROXIES_END };
    return !( (const cltRestBox*)rest->boxes.data )[slot].hasNearPairs ||
           cltNearPairIndex_Find( &rest->nearPairIndex, &rest->nearPairs, slot, rest->activeCount, memory, near );
}

// ------------------------------------------------------------------------------------------------- whether it pays

void cltStepSample_Add( cltStepSample* sample, const cltAabb* current, const cltAabb* previous )
{
    float step = 0.0f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        step = fmaxf( step, fabsf( current->lower[axis] - previous->lower[axis] ) );
        step = fmaxf( step, fabsf( current->upper[axis] - previous->upper[axis] ) );
    }
    const float edge = cltAabb_LongestEdge( current );
    if ( step > 0.0f && edge > 0.0f && edge < INFINITY ) // false for a NaN
    {
        sample->inverseEdges += 1.0f / edge;
        sample->steps[sample->count++] = step;
    }
}

/// True if three quarters of the sampled steps are smaller than `step`.
static bool MostAreBelow( const cltStepSample* sample, float step )
{
    uint32_t count = 0;
    for ( uint32_t i = 0; i < sample->count; ++i )
    {
        count += sample->steps[i] < step;
    }
    return 4u * count >= 3u * sample->count;
}

/// Halves `step` as long as three quarters of the sampled steps are smaller than its half.
static float StepBound( const cltStepSample* sample, float step )
{
    while ( MostAreBelow( sample, 0.5f * step ) )
    {
        step *= 0.5f;
    }
    return step;
}

bool cltRest_IsDue( cltRest* rest )
{
    if ( rest->updatesLeft == 0 )
    {
        return true;
    }
    --rest->updatesLeft;
    return false;
}

void cltRest_TurnOnIfStepsAreSmall( cltRest* rest, const cltStepSample* sample, bool isDouble )
{
    const float length = sample->count > 0 ? (float)sample->count / sample->inverseEdges : 0.0f;
    const bool isFinite = length < INFINITY; // not if the inverses of huge edges are rounded to 0
    rest->isOn = sample->count > 0 && isFinite && MostAreBelow( sample, LONGEST_STEP * length );
    rest->minMargin = rest->isOn ? MIN_MARGIN * StepBound( sample, LONGEST_STEP * length ) : 0.0f;
    rest->maxMargin = fmaxf( fminf( MAX_MARGIN * rest->minMargin, LONGEST_MARGIN * length ), rest->minMargin );
    rest->furthest = isDouble ? 0.0f : INFINITY;
    rest->isEnding = false;
    rest->updatesLeft = DECISION_INTERVAL;
    rest->boxCount = 0;
}

void cltRest_NoteFurthest( cltRest* rest, float furthest )
{
    rest->furthest = fmaxf( rest->furthest, fminf( furthest, LONGEST_ROUNDING * rest->maxMargin / DOUBLE_ROUNDING ) );
}

float cltRest_Tolerance( const cltRest* rest )
{
    return MARGIN_ROUNDING * rest->maxMargin + ( isinf( rest->furthest ) ? 0.0f : DOUBLE_ROUNDING * rest->furthest );
}

float cltRest_MaxMargin( const cltRest* rest )
{
    return cltRest_IsOn( rest ) ? rest->maxMargin * ( 1.0f + MARGIN_ROUNDING ) : 0.0f;
}

void cltRest_CheckBenefit( cltRest* rest, uint32_t leftCount, uint32_t bodyCount )
{
    const uint64_t alone = COST_MOVER * ( (uint64_t)leftCount + rest->keptCount );
    const uint64_t all = (uint64_t)COST_BODY * bodyCount;
    const uint64_t spent = (uint64_t)COST_LEFT * leftCount + rest->nearPairs.count / NEAR_PAIRS_PER_COST;
    const bool pays = spent <= ( alone < all ? alone : all );
    rest->pause -= pays && rest->pause > 0;
    rest->failures = pays ? 0u : rest->failures + 1u;
    rest->isEnding = rest->failures >= MAX_FAILURES;
}

void cltRest_TurnOff( cltRest* rest )
{
    if ( !cltRest_IsOn( rest ) )
    {
        return;
    }
    const uint32_t longer = rest->pause < FIRST_PAUSE ? FIRST_PAUSE : 2u * rest->pause;
    rest->pause = longer < LONGEST_PAUSE ? longer : LONGEST_PAUSE;
    rest->updatesLeft = rest->pause;
    rest->failures = 0;
    rest->isOn = false;
    rest->isEnding = false;
}

// ------------------------------------------------------------------------------------------------------- rest boxes

cltStatus cltRest_SetSlotCount( cltRest* rest, uint32_t slotCount, cltMemory* memory )
{
    if ( rest->boxCount > slotCount ) // without delay: the proxy table has already waited before it gave slots back
    {
        cltBuffer_Shrink( &rest->boxes, memory, slotCount, cltShrinkPolicy_Capacity( slotCount ),
                          sizeof( cltRestBox ) );
        rest->boxCount = slotCount;
    }
    CLT_TRY( cltBuffer_Grow( &rest->boxes, memory, slotCount, sizeof( cltRestBox ) ) );
    for ( ; rest->boxCount < slotCount; ++rest->boxCount )
    {
        ( (cltRestBox*)rest->boxes.data )[rest->boxCount] = ( cltRestBox ){ .margin = CLT_NO_REST_BOX };
    }
    return clt_ok;
}

/// Whether a finite bound of the box is further from the origin than `furthest`. Infinite bounds are not rounded.
static bool EndsBeyond( const cltAabb* box, float furthest )
{
    bool beyond = false;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float lower = fabsf( box->lower[axis] );
        const float upper = fabsf( box->upper[axis] );
        beyond = beyond || ( lower > furthest && lower < INFINITY ) || ( upper > furthest && upper < INFINITY );
    }
    return beyond;
}

void cltRest_SetBox( cltRest* rest, uint32_t slot, const cltAabb* box, float gap )
{
    const float most = fminf( gap - cltRest_Tolerance( rest ), rest->maxMargin );
    const float margin = EndsBeyond( box, rest->furthest ) ? CLT_NO_REST_BOX : fmaxf( most, 0.0f );
    ( (cltRestBox*)rest->boxes.data )[slot] = ( cltRestBox ){ .box = *box, .margin = margin };
}

void cltRest_MarkNear( cltRest* rest )
{
    cltRestBox* boxes = rest->boxes.data;
    for ( uint64_t i = 0; i < rest->nearPairs.addedCount; ++i )
    {
        const cltNearPair pair = cltNearPairs_Added( &rest->nearPairs )[i];
        boxes[pair.slotA].hasNearPairs = 1u;
        boxes[pair.slotB].hasNearPairs = 1u;
    }
}

void cltRest_Commit( cltRest* rest, cltMemory* memory )
{
    if ( rest == NULL )
    {
        return;
    }
    cltNearPairs_Commit( &rest->nearPairs );
    cltNearPairIndex_Commit( &rest->nearPairIndex, memory );
    rest->activeCount = rest->isOn ? rest->boxCount : 0u;
    rest->keptCount = 0;
}

void cltRest_Shrink( cltRest* rest, cltMemory* memory )
{
    if ( rest == NULL )
    {
        return;
    }
    if ( !rest->isOn && rest->nearPairs.count == 0 )
    {
        cltBuffer_Release( &rest->boxes, memory );
        rest->boxCount = 0;
    }
    cltNearPairs_Shrink( &rest->nearPairs, memory );
    cltNearPairIndex_Release( &rest->nearPairIndex, memory );
}

void cltRest_Release( cltRest* rest, cltMemory* memory )
{
    cltBuffer_Release( &rest->boxes, memory );
    cltNearPairs_Release( &rest->nearPairs, memory );
    cltNearPairIndex_Release( &rest->nearPairIndex, memory );
    *rest = ( cltRest ){ 0 };
}
