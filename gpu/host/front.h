// SPDX-License-Identifier: Zlib
/// \file front.h
/// A front on the host: the cut through the pairs of a tree's nodes where the last search stopped (gpu/core/front.h),
/// kept for the next one to begin at.
///
/// Entries that are not due (gpu/core/front_way.h) are not even looked at.
///
/// What is found is right whatever front a search begins at, as long as it is a cut of the tree and each entry's mark
/// is no later than it may be. On any doubt all entries are looked at, or the front begins anew below the roots.
#ifndef CLT_HOST_FRONT_H
#define CLT_HOST_FRONT_H

#include "gpu/core/front_way.h"
#include "gpu/core/node_pair.h"
#include "gpu/host/pair_sink.h"
#include "gpu/platform/worker_pool.h"

#define CLT_FRONT_HOLE UINT32_MAX

/// Zero-initialised it is empty and valid.
typedef struct cltFront
{
    cltBuffer pairs; ///< cltNodePair; where `a` is CLT_FRONT_HOLE there is none
    cltBuffer marks; ///< float: the way at which the entry is due
    uint64_t count;  ///< of entries and holes; during a search perhaps more than there is room for
    uint64_t holeCount;
    uint32_t leafCount;    ///< of the tree that it is a cut of; 0: of none
    bool isSearched;       ///< in this update
    bool isNewOrder;       ///< this update's leaves stand for other bodies than the last one's
    bool filtersWereMixed; ///< in the last update
    cltFrontWay way;
    cltFrontRent rent;
    uint64_t testCount; ///< box tests of the last search
} cltFront;

/// What a search is about. The tree's leaves are those of `leaves`, and behind them empty ones.
typedef struct cltFrontScene
{
    const cltLevelTree* tree;
    const cltLeaves* leaves;
    uint32_t searchableCount; ///< the first of the leaves; those behind them are not in the tree
} cltFrontScene;

/// To be called once an update, when tree and leaves are there. An update that is not committed is one more: where
/// bodies go from there adds to the way like all else.
/// \param isSameOrder  each leaf stands for the same body as the last time, and none for where one was, then or now.
///                     Else all entries are looked at
void cltFront_BeginUpdate( cltFront* front, const cltFrontScene* scene, bool isSameOrder, cltWorkerPool* pool );

/// Puts the keys of what began and ended into the sink, which may be too small for them. A second search of an update
/// finds the same: who changed in it went further than their slack, and is due again. On an error the front begins anew
/// next time.
cltStatus cltFront_FindChanges( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                                cltMemory* memory );

/// Entries, without holes.
static inline uint64_t cltFront_Size( const cltFront* front )
{
    return front->count - front->holeCount;
}

/// How many pairs of leaves are below the entries, each counted as often as it is: those of a cut are all there are.
uint64_t cltFront_CoveredCount( const cltFront* front, const cltLevelTree* tree );

void cltFront_Release( cltFront* front, cltMemory* memory );

#endif
