// SPDX-License-Identifier: Zlib
/// \file rest.h
/// Bodies at rest are seldom still: a solver makes them tremble by a fraction of their size in each step. Moves within
/// a rest margin cannot change a pair, so they are not changes, and the body is not searched. The scheme is an exact
/// relative of Verlet's neighbour lists (Verlet 1967) and of the fat boxes of Bullet's btDbvt.
///
///     measure           compute a proxy's rest box and rest margin
///     rest box          a proxy's box when it was last measured; in float, rounded outward
///     rest margin       a proxy is at rest while no bound of its box is further than this from its rest box
///     maxRestMargin     the largest rest margin. Queries inflate rest boxes by it
///     near pair         two proxies so close to touching, or to parting, that their rest margins would be too small.
///                       Margins ignore such a pair, and each update tests it exactly (near_pairs.h)
///
/// The gap of two boxes is their largest distance along an axis, negative where they overlap. For any two rest boxes
/// the gap's size is larger than the sum of the rest margins, unless they are a near pair. So two proxies at rest are a
/// pair exactly if their rest boxes overlap. A proxy that leaves its margin is a changed proxy: the algorithm searches
/// its pairs, and measures it again. Its margin follows from the gaps:
///
///     to another proxy that is measured     each gets half of the gap
///     to a proxy at rest                    the gap less the other's rest margin
///     if either margin is too small         a near pair
///
/// Boxes of doubles are measured as floats, rounded outward by 2^-23 of their distance from the origin. So a box gets
/// a rest box only if all its finite bounds lie within `furthest`: Bullet's plane, which ends at 10^18, gets none, and
/// is searched when it moves. A distance to a box with a rest box is known to 2^-20 of `furthest`, unless the other box
/// ends more than four times as far out as `furthest`; the gap is then larger than any margin. As `furthest` only
/// grows, older margins stay valid.
///
/// An algorithm decides whether proxies can be at rest, by measuring them (gpu/host/wide/keep_rest.c). If the algorithm
/// measures none, every function in this file says that no proxy is at rest.
#ifndef CLT_REST_REST_H
#define CLT_REST_REST_H

#include "gpu/core/aabb.h"
#include "gpu/rest/near_pair_index.h"
#include "gpu/rest/near_pairs.h"

#include <math.h>

/// In place of a rest margin: the proxy has no rest box.
#define CLT_NO_REST_BOX -1.0f

typedef struct cltRestBox
{
    cltAabb box;
    float margin;          ///< 0: at rest only while its box equals `box`; CLT_NO_REST_BOX: never at rest
    uint32_t hasNearPairs; ///< 0: the proxy has no near pair; else it may have some
} cltRestBox;

/// Valid if zero-initialised: no proxy is at rest.
typedef struct cltRest
{
    cltBuffer boxes;      ///< cltRestBox, by slot
    uint32_t boxCount;    ///< slots that have an entry in `boxes`
    uint32_t activeCount; ///< slots below this may be at rest: boxCount between updates, 0 during an update
    uint32_t keptCount;   ///< moves since the last committed update that stayed within a rest margin
    cltNearPairs nearPairs;
    cltNearPairIndex nearPairIndex;
    float minMargin;      ///< two proxies with a gap too small for this margin are a near pair
    float maxMargin;      ///< maxRestMargin
    float furthest;       ///< no finite bound of a rest box is further from the origin than this; infinite for floats
    uint32_t updatesLeft; ///< updates until cltRest_IsDue returns true
    uint32_t pause;       ///< updates to wait after rest boxes did not pay
    uint32_t failures;    ///< updates in a row in which rest boxes did not pay
    bool isOn;            ///< rest boxes are kept
    bool isEnding;        ///< rest boxes are on, but the next update must copy all boxes and turn rest boxes off
} cltRest;

// ------------------------------------------------------------------------------------- for moves, updates and queries

/// Whether each bound of the box differs from that of the rest box by at most the margin. False for a NaN, and where
/// both bounds are infinite: doubles beyond the range of float are, and may differ.
static inline bool cltRestBox_Contains( const cltRestBox* rest, const cltAabb* box )
{
#if defined( CLT_SSE2 )
    const __m128 sign = _mm_set1_ps( -0.0f );
    const __m128 margin = _mm_set1_ps( rest->margin );
    const __m128 head = _mm_sub_ps( _mm_loadu_ps( box->lower ), _mm_loadu_ps( rest->box.lower ) );
    const __m128 tail = _mm_sub_ps( cltAabb_Tail( box ), cltAabb_Tail( &rest->box ) );
    const __m128 isHeadIn = _mm_cmple_ps( _mm_andnot_ps( sign, head ), margin );
    const __m128 isTailIn = _mm_cmple_ps( _mm_andnot_ps( sign, tail ), margin );
    return _mm_movemask_ps( _mm_and_ps( isHeadIn, isTailIn ) ) == 15; // a maximum of both would lose a NaN
#else
    bool contains = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        contains &= fabsf( box->lower[axis] - rest->box.lower[axis] ) <= rest->margin;
        contains &= fabsf( box->upper[axis] - rest->box.upper[axis] ) <= rest->margin;
    }
    return contains;
#endif
}

/// Whether any proxy may be at rest: if not, every move to another box is a change.
static inline bool cltRest_IsAnyAtRest( const cltRest* rest )
{
    return rest->activeCount > 0;
}

/// Whether a proxy at rest stays at rest when it moves to `box`, which has no NaN; the move is then no change. The
/// proxy must not have changed since the last committed update.
static inline bool cltRest_Keeps( cltRest* rest, uint32_t slot, const cltAabb* box )
{
    if ( slot >= rest->activeCount || !cltRestBox_Contains( (const cltRestBox*)rest->boxes.data + slot, box ) )
    {
        return false;
    }
    ++rest->keptCount;
    return true;
}

/// Whether pairs may have changed although no proxy did: near pairs of proxies that moved within their margin.
static inline bool cltRest_MayChangePairs( const cltRest* rest )
{
    return rest->keptCount > 0 && rest->nearPairs.count > 0;
}

/// Finds the proxies at rest that may have begun to overlap `slot` since the last committed update. `slot` is at rest.
/// \param[out] near  empty if there are no such proxies
/// \return false if only a search can tell
bool cltRest_FindNew( cltRest* rest, uint32_t slot, cltMemory* memory, cltNearProxies* near );

/// Frees all memory; afterwards no proxy is at rest.
void cltRest_Release( cltRest* rest, cltMemory* memory );

// ------------------------------------------------------ for algorithms; `rest` is NULL if no proxy may be at rest

static inline bool cltRest_IsOn( const cltRest* rest )
{
    return rest != NULL && rest->isOn;
}

/// From this call on, no proxy is at rest until the update is committed.
static inline void cltRest_BeginUpdate( cltRest* rest )
{
    if ( rest != NULL )
    {
        rest->activeCount = 0;
    }
}

/// Whether it is time for cltRest_TurnOnIfStepsAreSmall. Must be called in each update while rest boxes are off.
bool cltRest_IsDue( cltRest* rest );

#define CLT_STEP_SAMPLE_SIZE 256u

/// A sample of the boxes that moved, with their displacements in the last step.
typedef struct cltStepSample
{
    uint32_t count;
    float inverseEdges; ///< sum of 1 / edge, for the harmonic mean of the edges, which is close to the small edges
    float steps[CLT_STEP_SAMPLE_SIZE];
} cltStepSample;

/// Adds a box if it moved.
void cltStepSample_Add( cltStepSample* sample, const cltAabb* current, const cltAabb* previous );

/// Turns rest boxes on if most steps are small. No proxy is at rest yet: the caller must measure those that moved.
void cltRest_TurnOnIfStepsAreSmall( cltRest* rest, const cltStepSample* sample, bool isDouble );

/// Raises `furthest` of the rest boxes to the argument, a distance from the origin that some box reaches, but not above
/// the distance at which rounding takes half of the largest margin. For double boxes only.
void cltRest_NoteFurthest( cltRest* rest, float furthest );

/// Makes `slotCount` entries; new entries have no rest box.
cltStatus cltRest_SetSlotCount( cltRest* rest, uint32_t slotCount, cltMemory* memory );

/// The largest error of a distance between rest boxes.
float cltRest_Tolerance( const cltRest* rest );

/// The margin of a slot; 0 without a rest box.
static inline float cltRest_Margin( const cltRest* rest, uint32_t slot )
{
    const float margin = ( (const cltRestBox*)rest->boxes.data )[slot].margin;
    return margin > 0.0f ? margin : 0.0f;
}

/// Sets a proxy's rest box and margin. Several threads may call it, each for other slots.
/// \param gap  the largest margin that the gaps to other proxies allow, near pairs excepted
void cltRest_SetBox( cltRest* rest, uint32_t slot, const cltAabb* box, float gap );

/// Sets hasNearPairs of the proxies of the added near pairs.
void cltRest_MarkNear( cltRest* rest );

/// Sets isEnding if rest boxes have not paid for some updates.
/// \param leftCount  proxies that moved out of their margin, or have no rest box
void cltRest_CheckBenefit( cltRest* rest, uint32_t leftCount, uint32_t bodyCount );

/// Turns rest boxes off for a while, because too many boxes leave their margin. The caller must copy the boxes of all
/// proxies again.
void cltRest_TurnOff( cltRest* rest );

/// maxRestMargin, with rounding: no bound of a proxy at rest is further from its rest box. 0 while rest boxes are off.
float cltRest_MaxMargin( const cltRest* rest );

/// Called at a commit: rest boxes and margins of this update take effect.
void cltRest_Commit( cltRest* rest, cltMemory* memory );

/// Frees unused memory. Must be called at the beginning of an update.
void cltRest_Shrink( cltRest* rest, cltMemory* memory );

#endif
