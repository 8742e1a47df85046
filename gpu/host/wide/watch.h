// SPDX-License-Identifier: Zlib
/// \file watch.h
/// Pairs of bodies that tremble so near to touching, or to parting, that their slack would be too small to be of use:
/// they are looked at in each update, where their boxes are, in place of being searched for. So bodies that rest on
/// each other have slack against all others (slack.h), though this pair may begin and end in every step.
///
/// A search takes bodies that have an anchor to be where their anchors are, so a watched pair may be one thing to a
/// search and another in truth. What an update tells of it:
///
///     both bodies keep their anchors   no search meets the pair: it begins or ends as their boxes say
///     else                             up to three changes, whose sum is what happened:
///                                      before: in truth -> to a search   told here (cltWatch_Look)
///                                      to a search: before -> now        found by the search itself
///                                      now: to a search -> in truth      told here, if it is watched again
///                                                                        (cltWatch_Take)
///
/// A change and its opposite cancel out when keys are in order (cltPairSink_DropKept).
#ifndef CLT_HOST_WIDE_WATCH_H
#define CLT_HOST_WIDE_WATCH_H

#include "gpu/host/host_algorithm.h"

/// A change that no search finds.
typedef struct cltWatchFlip
{
    uint32_t slotA;
    uint32_t slotB;
    uint32_t change; ///< CLT_PAIR_BEGAN or CLT_PAIR_ENDED
} cltWatchFlip;

typedef struct cltWatch
{
    cltBuffer pairs; ///< cltWatchedPair, as of the last committed update
    cltBuffer next;  ///< the same of the update in progress
    cltBuffer flips; ///< cltWatchFlip, of the update in progress
    uint32_t count;
    uint32_t keptCount; ///< so many of the next ones were watched before
    uint64_t nextCount; ///< more than there is room for: some were lost
    uint32_t flipCount;
} cltWatch;

/// Looks at all watched pairs. Those stay of which no body changed, unless all are to go.
cltStatus cltWatch_Look( cltWatch* watch, const cltSlots* slots, bool isOver, cltMemory* memory );

/// Another pair to watch, if filters allow it; the rest of it is for cltWatch_Take to find out. From any thread.
/// \param byAnchors  their anchors overlap
void cltWatch_Add( cltWatch* watch, const cltSearchInput* input, uint32_t slotA, uint32_t slotB, bool byAnchors );

/// None was added.
static inline void cltWatch_DropAdded( cltWatch* watch )
{
    watch->nextCount = watch->keptCount;
}

/// Nothing is watched next: all pairs are found anew.
static inline void cltWatch_Forget( cltWatch* watch )
{
    watch->keptCount = 0;
    watch->nextCount = 0;
    watch->flipCount = 0;
}

/// True if pairs were lost for want of room, for which there is room now: all are to be added again.
cltStatus cltWatch_MakeRoom( cltWatch* watch, cltMemory* memory, bool* isAgain );

/// Looks at those that were added.
cltStatus cltWatch_Take( cltWatch* watch, const cltSlots* slots, cltMemory* memory );

/// What is watched next is watched now.
void cltWatch_Commit( cltWatch* watch );

/// Adds what no search finds to its keys: with clt_findPairs to those of all pairs as of the last committed update.
/// Some may then be there twice for good.
cltStatus cltWatch_Report( const cltWatch* watch, cltFind find, const cltSlots* slots, cltPairSink* sink,
                           cltMemory* memory );

/// Gives back all but room for what is watched. Before an update looks at it.
void cltWatch_Shrink( cltWatch* watch, cltMemory* memory );

void cltWatch_Release( cltWatch* watch, cltMemory* memory );

#endif
