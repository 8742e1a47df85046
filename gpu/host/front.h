// SPDX-License-Identifier: Zlib
/// \file front.h A front on the host: the node pairs at which the last search stopped, a cut through the tree of pairs
/// (gpu/core/front.h). These pairs are its entries. The next search begins at the entries that are due
/// (gpu/core/front_travel.h), and skips the others. It is correct if the front is a cut and no entry becomes due too
/// late. If that is in doubt, all entries are tested, or the front begins anew below the root.
#ifndef CLT_HOST_FRONT_H
#define CLT_HOST_FRONT_H

#include "gpu/core/front_travel.h"
#include "gpu/core/node_pair.h"
#include "gpu/host/pair_sink.h"
#include "gpu/platform/worker_pool.h"

#define CLT_FRONT_HOLE UINT32_MAX

/// Empty and valid if zero-initialized.
typedef struct cltFront
{
    cltBuffer pairs; ///< cltNodePair; CLT_FRONT_HOLE in `a` marks a hole, an unused entry
    cltBuffer marks; ///< float by entry: the sum of displacements (cltFrontTravel) at which the entry is due
    uint64_t count;  ///< entries and holes; during a search it may exceed the capacity
    uint64_t holeCount;
    uint32_t leafCount;    ///< the number of leaves of the tree that the front cuts; 0 if there is no front
    bool isSearched;       ///< the front was searched in this update
    bool isNewOrder;       ///< leaves represent other bodies than in the previous update
    bool filtersWereMixed; ///< in the previous update, nodes had the union of previous and current filters
    cltFrontTravel travel;
    cltFrontCost frontCost;
    uint64_t testCount; ///< box tests of the last search
} cltFront;

/// The input of a search. The tree's leaves are those of `leaves`, followed by empty ones.
typedef struct cltFrontScene
{
    const cltLevelTree* tree;
    const cltLeaves* leaves;
    uint32_t searchableCount; ///< this many first leaves are in the tree; the leaves after them are not
} cltFrontScene;

/// Must be called once per update, after tree and leaves are made, also in an update that fails afterwards: its
/// displacements are part of the sum with which the marks of entries are compared.
/// \param isSameOrder  true if each leaf represents the same body as in the previous update, and no leaf has only a
/// previous box in either update. If false, all entries are tested
void cltFront_BeginUpdate( cltFront* front, const cltFrontScene* scene, bool isSameOrder, cltWorkerPool* pool );

/// Puts the keys of began and ended pairs into the sink. If the sink was too small, a second search in the same update
/// finds the same keys: the bodies of a changed pair moved by more than the clearance of its entry, so the entry is due
/// again. After an error the front begins anew. If it would exceed CLT_FRONT_MAX_ENTRIES_PER_LEAF, it is released, the
/// sink is as before the call, and `isSearched` is false.
cltStatus cltFront_FindChanges( cltFront* front, const cltFrontScene* scene, cltPairSink* sink, cltWorkerPool* pool,
                                cltMemory* memory );

/// The number of entries, without holes.
static inline uint64_t cltFront_Size( const cltFront* front )
{
    return front->count - front->holeCount;
}

/// The number of pairs of leaves below each entry, summed. If the front is a cut, that is the number of all leaf pairs.
uint64_t cltFront_CoveredCount( const cltFront* front, const cltLevelTree* tree );

void cltFront_Release( cltFront* front, cltMemory* memory );

#endif
