// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Queries between updates. They run on the host, whatever the backend is.
///
/// Each proxy is found in one of these:
///
///     base       the backend's hierarchy, for proxies that have not changed since the last committed update
///     forest     trees over proxies that changed since then and were indexed (gpu/host/queries/query_forest.h)
///     loose      proxies in neither, which are tested one by one
///     overview   one tree that a query builds: over all proxies, or over those that are not in the base. If a box
///                changes, an overview of all proxies becomes the forest's last tree, in which boxes that move little
///                are changed in place
#ifndef CLT_GPU_QUERIES_H
#define CLT_GPU_QUERIES_H

#include "bridge/cullet_queries.h"
#include "gpu/backend.h"

#include <stdatomic.h>

/// A hierarchy on the host over the boxes as of the last committed update: what cltBackendOps::viewBoxes returns.
struct cltQueryBase
{
    /// gpu/host/box_tree.h. Entries of the kind CLT_LEAF_PREVIOUS hold no proxy's box
    const struct cltBoxTree* tree;
    const uint32_t* outlierRefs; ///< cltLeafRef, proxies that are not in the tree
    uint32_t outlierCount;
    float maxRestMargin; ///< the tree holds rest boxes (gpu/rest/rest.h), or if 0 the boxes themselves
};

typedef struct cltQueries cltQueries;
typedef struct cltSlabs cltSlabs; ///< gpu/core/slabs.h

/// The part of the queries that the proxy table tells of changes.
typedef struct cltQueryNotes
{
    atomic_bool overviewHolds; ///< the overview is of the boxes as they are
    uint32_t indexedSlots;     ///< slots below may be in a tree of the forest
    _Atomic uint64_t looked;   ///< boxes looked at one by one since something was indexed
    struct cltQueryForest* forest;
} cltQueryNotes;

/// View of all proxies as they are now, and of the backend's hierarchy.
typedef struct cltQueryView
{
    const void* boxes; ///< cltAabb or cltAabbD
    bool isDouble;
    const uint8_t* states; ///< CLT_SLOT_* bits
    uint32_t slotCount;
    uint32_t settledCount; ///< proxies that have not changed since the last committed update
    const uint32_t* changed;
    uint32_t changedCount;
    const cltQueryBase* base; ///< or NULL
} cltQueryView;

/// \return false to end the walk
typedef bool cltVisitFcn( uint32_t slot, void* context );

/// \param simd  the instruction set to test boxes with, one that there is
cltStatus cltCreateQueries( cltMemory* memory, cltSimd simd, cltQueries** queries );
void cltDestroyQueries( cltQueries* queries );

/// They live as long as the queries.
cltQueryNotes* cltQueries_Notes( cltQueries* queries );

/// A shape, as a test of sixteen boxes that it may touch.
typedef struct cltQueryShape
{
    cltLanesFcn* touches;
    void* context; ///< for `touches`, which may change from block to block
} cltQueryShape;

/// All that overlap the box, which has no NaN.
cltQueryShape cltQueries_Box( const cltQueries* queries, cltAabb* box );

/// All that the ray meets.
cltQueryShape cltQueries_Ray( const cltQueries* queries, cltSlabs* slabs );

/// Calls `visit` for every proxy that the shape may touch, each once. From any thread, while nothing changes.
void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltQueryShape shape, cltVisitFcn* visit,
                      void* context );

/// Calls `visit` for every proxy that may have come to overlap the given one since the last committed update,
/// and perhaps for others, itself among them; each once. One thread at a time.
/// \param shape  the box of the proxy
void cltQueries_WalkNew( cltQueries* queries, const cltQueryView* view, struct cltRest* rest, uint32_t slot,
                         cltQueryShape shape, cltVisitFcn* visit, void* context );

/// True if anything was queried since the last call.
bool cltQueries_WereAsked( cltQueries* queries );

/// From so many boxes on, cltQueries_BeforeChange may have something to do.
#define CLT_LOOKED_AT_MANY 128u

/// To be called before proxies change: if many boxes were looked at since the last time, indexes what changed up to
/// now, so that a caller that asks after every change does not look at all changes each time.
void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view );

/// To be called when an update may have begun: the base may be another one, and the list of changes empty.
void cltQueries_Forget( cltQueries* queries );

/// The slot's box is in no tree any more. \param listed  the slot was among the changed ones already
void cltQueryForest_Reopen( struct cltQueryForest* forest, uint32_t slot, bool listed );

/// To be called when anything about a slot changes.
static inline void cltQueryNotes_SlotChanged( cltQueryNotes* notes, uint32_t slot, bool listed )
{
    atomic_store_explicit( &notes->overviewHolds, false, memory_order_relaxed );
    if ( slot < notes->indexedSlots )
    {
        cltQueryForest_Reopen( notes->forest, slot, listed );
    }
}

#endif
