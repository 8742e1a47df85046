// SPDX-License-Identifier: Zlib
/// \file queries.h
/// What answers questions about boxes between updates, on the host whatever the backend is.
///
/// Where a proxy's present box is found:
///
///     base       the leaves of the backend's last build, for proxies that have not changed since
///     forest     trees over proxies that changed since and were indexed by an insertion (gpu/host/queries/query_forest.h)
///     the rest   changed, but in no tree: tested one by one
///     overview   one tree over all that is not in the base, in place of forest and rest; built by a query
#ifndef CLT_GPU_QUERIES_H
#define CLT_GPU_QUERIES_H

#include "gpu/backend.h"

#include <stdatomic.h>

typedef struct cltQueries cltQueries;

/// What the overview holds.
enum
{
    CLT_OVERVIEW_NONE,
    CLT_OVERVIEW_CHANGED, ///< every proxy that changed since the last update
    CLT_OVERVIEW_ALL      ///< every proxy, where there is no base
};

/// What the proxy table notes for the queries as it changes.
typedef struct cltQueryNotes
{
    _Atomic uint64_t looked; ///< boxes looked at one by one since something was indexed
    atomic_uint overview;    ///< what the overview holds the present boxes of: CLT_OVERVIEW_*
    uint32_t indexedCount;   ///< the first of the changed slots, which the forest was told of
    cltBuffer reopened;      ///< uint32_t, those of them that changed again
    uint32_t reopenedCount;
    atomic_bool asked; ///< since cltQueryNotes_WasAsked
} cltQueryNotes;

/// View of all proxies as they are now, and of the backend's leaves.
typedef struct cltQueryView
{
    const void* boxes; ///< cltAabb or cltAabbD
    bool isDouble;
    uint8_t* states; ///< CLT_SLOT_* bits
    uint32_t slotCount;
    uint32_t settledCount; ///< proxies that have not changed since the last committed update
    const uint32_t* changed;
    uint32_t changedCount;
    cltQueryNotes* notes;
    cltLeafView leaves;
} cltQueryView;

/// \return false to end the walk
typedef bool cltVisitFcn( uint32_t slot, void* context );

cltStatus cltCreateQueries( cltMemory* memory, cltQueries** queries );
void cltDestroyQueries( cltQueries* queries, cltMemory* memory );

/// Calls `visit` for every proxy that `touches` may touch, each once. From any thread, while nobody changes anything.
void cltQueries_Walk( cltQueries* queries, const cltQueryView* view, cltLanesFcn* touches, cltVisitFcn* visit,
                      void* context );

/// From so many boxes on, cltQueries_BeforeChange may have something to do.
#define CLT_LOOKED_AT_MANY 1024u

/// To be called before proxies change: if many boxes were looked at since the last time, indexes what changed up to now, so
/// that who asks after every change does not look at all changes each time.
void cltQueries_BeforeChange( cltQueries* queries, const cltQueryView* view );

/// The backend's leaves may be others now, or fewer: forgets what was indexed beside them.
void cltQueries_Forget( cltQueries* queries, const cltQueryView* view );

/// Called by every query.
static inline void cltQueryNotes_Ask( cltQueryNotes* notes )
{
    if ( !atomic_load_explicit( &notes->asked, memory_order_relaxed ) ) // many threads ask, and share the cache line
    {
        atomic_store_explicit( &notes->asked, true, memory_order_relaxed );
    }
}

/// True if anybody queried since the last call.
static inline bool cltQueryNotes_WasAsked( cltQueryNotes* notes )
{
    return atomic_exchange_explicit( &notes->asked, false, memory_order_relaxed );
}

/// Called by the proxy table when a proxy changes in any way.
static inline void cltQueryNotes_Changed( cltQueryNotes* notes )
{
    atomic_store_explicit( &notes->overview, CLT_OVERVIEW_NONE, memory_order_relaxed );
}

/// Called by the proxy table before it marks a proxy as changed because its box did.
static inline void cltQueryNotes_BoxChanged( cltQueryNotes* notes, uint8_t* state, uint32_t slot )
{
    if ( ( *state & CLT_SLOT_CHANGED ) != 0 && ( *state & CLT_SLOT_TREE ) != 0 )
    {
        *state &= (uint8_t)~CLT_SLOT_TREE;
        ( (uint32_t*)notes->reopened.data )[notes->reopenedCount++] = slot;
    }
}

#endif
