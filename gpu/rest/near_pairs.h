// SPDX-License-Identifier: Zlib
/// \file near_pairs.h
/// Near pairs of proxies at rest (rest.h): each update tests their current boxes, instead of searching for these pairs.
/// So boxes that rest on each other have margins against all other boxes, though their own pair may begin or end in
/// every step.
///
/// A search uses the rest boxes of proxies at rest. So a near pair may be a pair by its rest boxes, but not by its
/// boxes, or the reverse. Its changes:
///
///     both proxies stay at rest     no search tests the pair: its boxes decide whether it begins or ends
///     else                          up to three changes; their sum is the real change:
///                                   previous state: by boxes -> by rest boxes     found here (cltNearPairs_Test)
///                                   by rest boxes: previous -> current            found by the search
///                                   current state: by rest boxes -> by boxes      found here, if the pair is near
///                                                                                 again (cltNearPairs_TestAdded)
///
/// A change and its opposite cancel out when keys are in order (cltPairSink_DropPersistingPairs).
#ifndef CLT_REST_NEAR_PAIRS_H
#define CLT_REST_NEAR_PAIRS_H

#include "gpu/core/pair_change.h"
#include "gpu/core/slots.h"
#include "gpu/platform/memory.h"
#include "gpu/platform/worker_pool.h"

typedef struct cltNearPair
{
    uint32_t slotA : 31;
    uint32_t restBoxesOverlap : 1;
    uint32_t slotB : 31;
    uint32_t isPair : 1; ///< the boxes of both proxies overlap
} cltNearPair;

/// A change of a near pair. No search finds this change.
typedef struct cltNearPairChange
{
    uint32_t slotA;
    uint32_t slotB;
    uint32_t change; ///< CLT_PAIR_BEGAN or CLT_PAIR_ENDED
} cltNearPairChange;

/// What a commit does with one of the near pairs.
typedef struct cltNearPairRevision
{
    uint32_t place;     ///< in `pairs`
    uint32_t isRemoved; ///< 0: its isPair is inverted
} cltNearPairRevision;

typedef struct cltNearPairs
{
    cltBuffer pairs;     ///< cltNearPair: `count` as of the last committed update, then those that this update adds
    cltBuffer revisions; ///< cltNearPairRevision, of the update in progress; ascending by place
    cltBuffer changes;   ///< cltNearPairChange, of the update in progress
    uint32_t count;
    uint32_t revisionCount;
    uint64_t addedCount; ///< near pairs found; if more than the capacity of `pairs`, some were lost
    uint32_t changeCount;
    bool keepsNone; ///< a commit removes all of `pairs`
} cltNearPairs;

/// Tests all near pairs. A near pair is kept if neither proxy changed.
/// \param endsAll  keeps no near pair, even if neither proxy changed
/// \param pool     NULL: the calling thread tests all pairs
cltStatus cltNearPairs_Test( cltNearPairs* near, const cltSlots* slots, bool endsAll, cltWorkerPool* pool,
                             cltMemory* memory );

/// Adds a near pair if filters allow it; cltNearPairs_TestAdded sets its isPair. May be called from any thread.
void cltNearPairs_Add( cltNearPairs* near, const cltPairFilters* filters, uint32_t slotA, uint32_t slotB,
                       bool restBoxesOverlap );

/// The near pairs that were added in this update, of which there must be some.
static inline cltNearPair* cltNearPairs_Added( const cltNearPairs* near )
{
    return (cltNearPair*)near->pairs.data + near->count;
}

/// Removes the near pairs that were added in this update.
static inline void cltNearPairs_DropAdded( cltNearPairs* near )
{
    near->addedCount = 0;
}

/// Empties the results of this update. If the update is then committed, there are no near pairs any more.
static inline void cltNearPairs_Clear( cltNearPairs* near )
{
    near->revisionCount = 0;
    near->addedCount = 0;
    near->changeCount = 0;
    near->keepsNone = true;
}

/// The number of near pairs to report after a search: the changed ones, or all of them with clt_findPairs.
static inline uint32_t cltNearPairs_ReportCount( const cltNearPairs* near, cltFind find )
{
    return find == clt_findChanges ? near->changeCount : near->count;
}

/// Grows `pairs` if some of the added pairs did not fit and were lost.
/// \param[out] hasGrown  true if the caller must add all pairs again
cltStatus cltNearPairs_Grow( cltNearPairs* near, cltMemory* memory, bool* hasGrown );

/// Tests the pairs that were added.
cltStatus cltNearPairs_TestAdded( cltNearPairs* near, const cltSlots* slots, cltMemory* memory );

/// Corrects what a search of all pairs reports of a near pair: the change from the reported state to the true state.
uint32_t cltNearPair_Change( const cltNearPair* pair, const cltSlots* slots );

void cltNearPairs_Commit( cltNearPairs* near );

/// Frees all memory except that of the committed pairs. Must not be called between cltNearPairs_Test and
/// cltNearPairs_Commit.
void cltNearPairs_Shrink( cltNearPairs* near, cltMemory* memory );

void cltNearPairs_Release( cltNearPairs* near, cltMemory* memory );

#endif
