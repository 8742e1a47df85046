// SPDX-License-Identifier: Zlib
/// \file slack.h
/// Bodies that tremble: how far each may move before any pair can begin or end. While they stay within that, nobody
/// hears of them: the bridge compares their boxes with anchors as they are set. An exact relative of Verlet's lists
/// (Verlet 1967) and of the fat boxes of Bullet's btDbvt.
///
/// While slacks are kept, the lane of a body holds its box as of when it was measured, its anchor, and not its box now.
/// Of any two anchors the gap (measure.h) is larger than both slacks together, so two bodies within their slacks are a
/// pair exactly if their anchors are. Who leaves its slack has changed, searches as a mover, and is measured there:
///
///     between two that are measured     each gets half of the gap
///     against one that is not           the gap without the other's slack
///     either, if that is too little     the pair is watched (watch.h), and both have slack as if it were not there
///
/// Where boxes are double, those in lanes are rounded outward, by 2^-23 of how far from the origin they end. What ends
/// no further than `furthest` has an anchor, and nothing else, unless it has no end: Bullet's plane, which ends at
/// 10^18, and whoever fell out of the world are searched when they move. Of two boxes at least one of which has an
/// anchor the distance along an axis is known to 2^-20 of `furthest`, where the ends are no more than four times as
/// far; and where one is further, it is larger than any slack. As `furthest` only grows, that holds for all who were
/// measured before.
///
/// To stop, the boxes of all are taken again. While they are not kept, a few blocks are looked at now and then to see
/// whether it would pay.
#ifndef CLT_HOST_WIDE_SLACK_H
#define CLT_HOST_WIDE_SLACK_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/lanes.h"
#include "gpu/host/wide/movers.h"
#include "gpu/host/wide/watch.h"

typedef struct cltSlack
{
    cltBuffer anchors; ///< cltAnchor, by slot
    cltBuffer slacks;  ///< float, by lane
    cltWatch watch;
    uint32_t anchorCount; ///< slots that have all this
    uint32_t blockCount;  ///< and blocks
    uint32_t updatesLeft; ///< until blocks are looked at
    uint32_t pause;       ///< updates to wait if it does not pay
    uint32_t failures;    ///< updates in a row in which it did not pay
    float least;          ///< pairs that leave less slack than this are watched
    float reach;          ///< the largest slack
    float furthest;       ///< from the origin that a box may end and have an anchor, infinite where boxes are float
    bool isOn;
    bool isOver; ///< on, but the next update has to take the boxes of all
} cltSlack;

/// Sees now and then whether most of those that move tremble; then slacks are on, and nobody has any.
/// \param moved  blocks that did; NULL: all may have
void cltSlack_Consider( cltSlack* slack, const cltLanes* lanes, const cltBlockList* moved );

/// What is under the tree ends so far from the origin. Anchors may, too, unless they would be rounded by more than half
/// the reach. Only where boxes are double.
void cltSlack_NoteFurthest( cltSlack* slack, float furthest );

/// Room for what there is.
cltStatus cltSlack_MakeRoom( cltSlack* slack, const cltLanes* lanes, cltMemory* memory );

/// No bound of a body that is held is further from its anchor's: 0 while slacks are not kept.
static inline float cltSlack_Reach( const cltSlack* slack )
{
    return slack->isOn ? slack->reach * ( 1.0f + 0x1p-20f ) : 0.0f; // distances are compared rounded
}

/// Off, because the boxes of all are taken. Not on again for a while.
void cltSlack_End( cltSlack* slack );

/// What measures movers, and how.
typedef struct cltMeasuring
{
    const cltWideKernels* kernels;
    cltWideSearch search; ///< with clt_wideSlack
    cltWorkerPool* pool;
    cltMemory* memory;
} cltMeasuring;

/// Measures the movers, and watches pairs that leave no slack.
cltStatus cltSlack_Measure( cltSlack* slack, const cltMovers* movers, const cltMeasuring* measuring );

/// Ends it with the next update if it has not paid for some.
void cltSlack_Judge( cltSlack* slack, const cltUpload* upload, uint32_t laneCount );

void cltSlack_Release( cltSlack* slack, cltMemory* memory );

#endif
