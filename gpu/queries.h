// SPDX-License-Identifier: Zlib
/// \file queries.h
/// Queries between updates. They run on the host, whatever the backend is.
///
/// If the boxes are in lanes, all are tested. Else each proxy is found in one of these:
///
///     base       the backend's hierarchy, for proxies that have not changed since the last committed update
///     forest     trees over proxies that changed since that update and were indexed (gpu/host/queries/query_forest.h)
///     loose      proxies neither in the base nor in the forest; they are tested one by one
///     overview   one tree that a query builds: over all proxies, or over the proxies that are not in the base. When a
///                proxy changes, an overview of all proxies may become the last tree of the forest. In that tree, boxes
///                that move little are changed in place
#ifndef CLT_GPU_QUERIES_H
#define CLT_GPU_QUERIES_H

#include "bridge/cullet_queries.h"
#include "gpu/backend.h"

#include <stdatomic.h>

/// A hierarchy on the host over the boxes as of the last committed update: what cltBackendOps::viewBoxes returns.
struct cltQueryBase
{
    /// See gpu/host/box_tree.h. Queries must skip entries of the kind CLT_LEAF_PREVIOUS: their boxes are out of date
    const struct cltBoxTree* tree;
    const uint32_t* outlierRefs; ///< cltLeafRef, proxies that are not in the tree
    uint32_t outlierCount;
    float maxRestMargin; ///< 0 if the tree holds the proxies' boxes; else it holds rest boxes (gpu/rest/rest.h)
};

typedef struct cltQueries cltQueries;
typedef struct cltSlabs cltSlabs; ///< gpu/core/slabs.h

/// The part of the queries' state that must be updated when a proxy changes.
typedef struct cltQueryNotes
{
    atomic_bool overviewHolds;     ///< there is an overview, and it matches the current boxes
    uint32_t indexedSlots;         ///< only slots below this may be in a tree of the forest
    _Atomic uint64_t boxTestCount; ///< boxes tested one by one since proxies were last indexed
    struct cltQueryForest* forest;
} cltQueryNotes;

/// A view of the current state of all proxies, and of the backend's hierarchy.
typedef struct cltQueryView
{
    const void* boxes; ///< cltAabb or cltAabbD
    bool isDouble;
    const cltBoxLanes* lanes; ///< as in cltUpload
    const uint8_t* states;    ///< CLT_SLOT_* bits
    uint32_t slotCount;
    uint32_t settledCount; ///< proxies that have not changed since the last committed update
    const uint32_t* changed;
    uint32_t changedCount;
    const cltQueryBase* base; ///< NULL if the backend has no hierarchy
} cltQueryView;

/// Called for a proxy that a query finds. \return false to end the walk
typedef bool cltVisitFcn( uint32_t slot, void* context );

/// \param simd  the instruction set to test boxes with; the processor must support it
cltStatus cltCreateQueries( cltMemory* memory, cltSimd simd, cltQueries** queries );
void cltDestroyQueries( cltQueries* queries );

/// The notes of `queries`, valid until these are destroyed.
cltQueryNotes* cltQueries_Notes( cltQueries* queries );

/// The shape of a query, as a function that tests sixteen boxes against it.
typedef struct cltQueryShape
{
    cltLanesFcn* touches;
    void* context; ///< the argument of `touches`; its content may change during a walk
} cltQueryShape;

/// Matches boxes that overlap `box`, which must have no NaN.
cltQueryShape cltQueries_Box( const cltQueries* queries, cltAabb* box );

/// Matches boxes that the ray meets.
cltQueryShape cltQueries_Ray( const cltQueries* queries, cltSlabs* slabs );

/// Calls `visit` once for every proxy that the shape may touch. Callable from any thread, while no proxy changes.
void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltQueryShape shape, cltVisitFcn* visit,
                      void* context );

/// Draws the nodes that cltQueries_Walk would visit, and the bodies that it would test. Callable as cltQueries_Walk.
void cltQueries_Draw( cltQueries* queries, const cltQueryView* view, cltQueryShape shape, const cltDrawing* drawing );

/// Calls `visit` once for every proxy that may have begun to overlap proxy `slot` since the last committed update. May
/// visit other proxies too, `slot` included. One thread at a time.
/// \param known  slots below CLT_FEW_SLOTS that need no visit, as bits
/// \param shape  the box of `slot`
void cltQueries_WalkNewOverlaps( cltQueries* queries, const cltQueryView* view, struct cltRest* rest, uint32_t slot,
                                 uint64_t known, cltQueryShape shape, cltVisitFcn* visit, void* context );

/// True if there was a query since the last call of this function.
bool cltQueries_WereAsked( cltQueries* queries );

/// cltQueries_BeforeChange needs to be called only if cltQueryNotes::boxTestCount is at least this.
#define CLT_MANY_BOX_TESTS 128u

/// Must be called before proxies change. If many boxes were tested one by one since the last indexing, indexes the
/// proxies that have changed. Without an index, every query tests all changed proxies one by one.
void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view );

/// Empties the forest, drops the overview. Must be called after every update and every cltBackendOps::readPairs, even
/// after a failure: the base may have been replaced, and the list of changes emptied.
void cltQueries_Forget( cltQueries* queries );

/// Like cltQueries_Forget, and frees all memory. Called after most proxies are gone; later calls allocate again.
void cltQueries_GiveBack( cltQueries* queries );

/// Removes the slot's box from its tree. \param listed  whether the slot was in the list of changed slots already
void cltQueryForest_Unindex( struct cltQueryForest* forest, uint32_t slot, bool listed );

/// Must be called when a slot changes in any way.
static inline void cltQueryNotes_SlotChanged( cltQueryNotes* notes, uint32_t slot, bool listed )
{
    atomic_store_explicit( &notes->overviewHolds, false, memory_order_relaxed );
    if ( slot < notes->indexedSlots )
    {
        cltQueryForest_Unindex( notes->forest, slot, listed );
    }
}

#endif
