// SPDX-License-Identifier: Zlib
/// \file proxy_table.h
/// All proxies of a broadphase, as arrays by slot, and the list of what changed since the last update.
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
    cltBuffer changed;  ///< uint32_t, slots marked CLT_SLOT_CHANGED, each once. Room for all: marking cannot fail
    cltBuffer free;     ///< uint32_t, slots to give out again, the last one first. Room for all

    bool keepsBefore;      ///< whether `before` is kept
    cltBuffer before;      ///< boxes as cltUpload::before
    bool reportsDestroyed; ///< who is destroyed is to a backend one that went out of sight, whose pairs are seen to end
    bool keepsFiltersBefore;
    cltBuffer filtersBefore; ///< cltFilter, as of the last committed update

    // of all filters since there last was no proxy
    int32_t groups;       ///< bits of some group
    int32_t groupsLacked; ///< bits that some mask lacks
    bool mayRefuse;       ///< perhaps some body refuses another

    uint32_t slotCount; ///< slots given out, those that were given back from the end not counted
    uint32_t capacity;  ///< slots that the buffers have room for
    uint32_t expected;  ///< room for so many is never given back
    cltShrinkPolicy shrinkPolicy;
    uint32_t changedCount;
    uint32_t lastChangedCount; ///< of the last committed update. What is left of its list lies behind the new one
    uint32_t lastMovedCount;   ///< of these, at least so many were there before and stayed
    uint32_t freeCount;
    uint32_t liveCount;
    uint32_t nanCount;        ///< live proxies with a NaN in their box
    uint32_t settledCount;    ///< live proxies that have not changed since the last committed update
    uint32_t appearedCount;   ///< since the last committed update, the following too. Perhaps gone again
    uint32_t destroyedCount;  ///< proxies
    uint32_t refilteredCount; ///< times
    cltRest rest;             ///< moves that are no changes
    cltQueryNotes* queries;   ///< are told of every change
} cltProxyTable;

/// From now on `before` is kept, or is not. To be switched on while nothing has changed since the last committed
/// update.
cltStatus cltProxyTable_KeepBefore( cltProxyTable* table, bool keep );

/// Makes room for `count` more proxies; afterwards that many cltProxyTable_Create succeed.
cltStatus cltProxyTable_MakeRoom( cltProxyTable* table, size_t count );

/// `box` is of the table's precision. Needs room.
cltProxyId cltProxyTable_Create( cltProxyTable* table, const void* box, cltFilter filter, uint64_t userData );

static inline bool cltProxyTable_Has( const cltProxyTable* table, cltProxyId proxy )
{
    return proxy < table->slotCount && ( ( (const uint8_t*)table->states.data )[proxy] & CLT_SLOT_LIVE ) != 0;
}

void cltProxyTable_Move( cltProxyTable* table, cltProxyId proxy, const cltAabb* box );

/// The same for each of many, in this order, all of them there.
void cltProxyTable_MoveEach( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes );

/// Needs a table of clt_precisionDouble.
void cltProxyTable_MoveD( cltProxyTable* table, cltProxyId proxy, const cltAabbD* box );

void cltProxyTable_SetFilter( cltProxyTable* table, cltProxyId proxy, cltFilter filter );

/// Destroys all the proxies, or none: false if one is not live or named twice.
bool cltProxyTable_DestroyAll( cltProxyTable* table, size_t count, const cltProxyId* proxies );

/// To be called at the end of an update, before cltProxyTable_Commit: if most slots have been free for a while, room is
/// given back as far as no proxy lies behind it.
void cltProxyTable_GiveBack( cltProxyTable* table );

/// The update took note of all changes: the list is empty, slots of destroyed proxies are free.
void cltProxyTable_Commit( cltProxyTable* table );

void cltProxyTable_Release( cltProxyTable* table );

size_t cltProxyTable_BoxSize( const cltProxyTable* table );

/// Makes so many bytes boxes of proxies that are not there: a float or double of nothing but ones is a NaN.
static inline void cltFillAbsent( void* boxes, size_t byteCount )
{
    memset( boxes, 0xff, byteCount );
}

/// In double, whatever the table's precision.
cltAabbD cltProxyTable_BoxD( const cltProxyTable* table, cltProxyId proxy );

#endif
