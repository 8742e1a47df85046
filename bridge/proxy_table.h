// SPDX-License-Identifier: Zlib
/// \file proxy_table.h
/// All proxies of a broadphase, as arrays by slot, and the list of slots that changed since the last update.
#ifndef CLT_BRIDGE_PROXY_TABLE_H
#define CLT_BRIDGE_PROXY_TABLE_H

#include "gpu/backend.h"
#include "gpu/queries.h"
#include "gpu/rest/rest.h"

typedef struct cltProxyTable
{
    cltMemory* memory;
    cltPrecision precision;

    cltBuffer boxes;    ///< cltAabb or cltAabbD; NaN in slots that are not live
    cltBuffer filters;  ///< cltFilter
    cltBuffer userData; ///< uint64_t
    cltBuffer states;   ///< uint8_t, CLT_SLOT_* bits
    cltBuffer changed;  ///< uint32_t, slots marked CLT_SLOT_CHANGED, each once. Its capacity is that of the table
    cltBuffer free;     ///< uint32_t, stack of free slots. Its capacity is that of the table

    bool keepsLanes; ///< whether `lanes` is kept
    cltBuffer lanes; ///< cltBoxLanes, see cltUpload::lanes; invalid if there are more than CLT_FEW_SLOTS slots

    uint32_t beforeAbove;  ///< `before` is kept if there is, or was, capacity for more slots than this
    cltBuffer before;      ///< previous boxes, see cltUpload::before; empty if not kept
    bool reportsDestroyed; ///< backends treat a destroyed proxy like one that became hidden, so its pairs end
    bool keepsFiltersBefore;
    cltBuffer filtersBefore; ///< cltFilter, as of the last committed update

    // Bits in the filters of all proxies since the table was last empty.
    int32_t groups;          ///< all bits that occur in a group
    int32_t missingMaskBits; ///< all bits that some mask lacks
    bool mayRejectPairs;     ///< false: all filters accept all pairs

    uint32_t slotCount; ///< one past the last slot in use or free
    uint32_t capacity;  ///< capacity of all buffers, in slots
    uint32_t expected;  ///< the capacity never shrinks below this
    cltShrinkPolicy shrinkPolicy;
    uint32_t changedCount;
    /// slots that changed in the last committed update. Their list stays in `changed`, where the new list overwrites it
    /// from the front
    uint32_t lastChangedCount;
    /// proxies that moved, and were neither created nor destroyed, in the last committed update; may be too low
    uint32_t lastMovedCount;
    uint32_t freeCount;
    uint32_t liveCount;
    uint32_t nanCount;        ///< live proxies with a NaN in their box
    uint32_t settledCount;    ///< live proxies that have not changed since the last committed update
    uint32_t appearedCount;   ///< proxies that appeared since the last committed update, even if destroyed again
    uint32_t destroyedCount;  ///< proxies destroyed since the last committed update
    uint32_t refilteredCount; ///< changes of filters since the last committed update
    cltRest rest;             ///< decides which moves are no changes: those within a rest margin
    cltQueryNotes* queries;   ///< records every change
} cltProxyTable;

/// Sets what is kept beside the current boxes. On an error the same is kept as before.
/// \param beforeAbove  cltBackend::needsBeforeAbove. It may be lowered only if nothing has changed since the last
///                     committed update
/// \param lanes        cltBackend::needsLanes
cltStatus cltProxyTable_Keep( cltProxyTable* table, uint32_t beforeAbove, bool lanes );

/// Allocates memory for `count` more proxies, after which as many calls of cltProxyTable_Create succeed.
cltStatus cltProxyTable_Reserve( cltProxyTable* table, size_t count );

/// Creates a proxy. `box` has the table's precision. The capacity must suffice, see cltProxyTable_Reserve.
cltProxyId cltProxyTable_Create( cltProxyTable* table, const void* box, cltFilter filter, uint64_t userData );

static inline bool cltProxyTable_Has( const cltProxyTable* table, cltProxyId proxy )
{
    return proxy < table->slotCount && ( ( (const uint8_t*)table->states.data )[proxy] & CLT_SLOT_LIVE ) != 0;
}

void cltProxyTable_Move( cltProxyTable* table, cltProxyId proxy, const cltAabb* box );

/// Moves each proxy, in this order. All must exist.
void cltProxyTable_MoveEach( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes );

/// Sets the box of a proxy in a table of clt_precisionDouble.
void cltProxyTable_MoveD( cltProxyTable* table, cltProxyId proxy, const cltAabbD* box );

void cltProxyTable_SetFilter( cltProxyTable* table, cltProxyId proxy, cltFilter filter );

/// Destroys all the proxies. \return false and destroys none if one is not live or is named twice
bool cltProxyTable_DestroyAll( cltProxyTable* table, size_t count, const cltProxyId* proxies );

/// Must be called at the end of an update, before cltProxyTable_Commit. If most slots have been free for a while, the
/// buffers shrink to the last slot in use. \return true if they did
bool cltProxyTable_ShrinkIfDue( cltProxyTable* table );

/// Ends an update: the list of changes is emptied, and slots of destroyed proxies become free.
void cltProxyTable_Commit( cltProxyTable* table );

void cltProxyTable_Release( cltProxyTable* table );

size_t cltProxyTable_BoxSize( const cltProxyTable* table );

/// Sets the lanes of all slots, of which there must be at most CLT_FEW_SLOTS. No other lane changes.
/// \param boxes  in the table's precision, by slot
void cltProxyTable_FillLanes( const cltProxyTable* table, const void* boxes, cltBoxLanes* lanes );

/// The boxes in lanes; NULL if they are not kept, or if there are too many slots.
static inline cltBoxLanes* cltProxyTable_Lanes( const cltProxyTable* table )
{
    return table->keepsLanes && table->slotCount <= CLT_FEW_SLOTS ? (cltBoxLanes*)table->lanes.data : NULL;
}

/// Fills boxes with NaN, which marks absent proxies: a float or double with all bits set is a NaN.
static inline void cltFillAbsent( void* boxes, size_t byteCount )
{
    memset( boxes, 0xff, byteCount );
}

/// The box in double precision.
cltAabbD cltProxyTable_BoxD( const cltProxyTable* table, cltProxyId proxy );

#endif
