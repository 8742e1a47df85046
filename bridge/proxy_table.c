// SPDX-License-Identifier: Zlib
// Slots, free list and list of changes. The slot of a destroyed proxy stays unused until the next update, so that no
// result has an old and a new proxy with the same id.

#include "bridge/proxy_table.h"

#include "bridge/box_compare.h"
#include "bridge/cullet_bits.h"

#include <string.h>

/// Bit beside the CLT_SLOT_* bits: the proxy is about to be destroyed. Detects a proxy that a call destroys twice.
#define SLOT_CONDEMNED 128u

/// Moves between a prefetch and its use: they take about as long as a memory access.
#define MOVES_AHEAD 16u

static uint8_t* States( const cltProxyTable* table )
{
    return table->states.data;
}

size_t cltProxyTable_BoxSize( const cltProxyTable* table )
{
    return table->precision == clt_precisionDouble ? sizeof( cltAabbD ) : sizeof( cltAabb );
}

cltAabbD cltProxyTable_BoxD( const cltProxyTable* table, cltProxyId proxy )
{
    return table->precision == clt_precisionDouble ? ( (const cltAabbD*)table->boxes.data )[proxy]
                                                   : cltAabb_ToDouble( (const cltAabb*)table->boxes.data + proxy );
}

static void* BoxAt( cltProxyTable* table, cltProxyId proxy )
{
    return (char*)table->boxes.data + proxy * cltProxyTable_BoxSize( table );
}

static void* PreviousBoxAt( cltProxyTable* table, cltProxyId proxy )
{
    return (char*)table->before.data + proxy * cltProxyTable_BoxSize( table );
}

// Constant sizes let the compiler copy a box with two moves instead of a call.

static void CopyBox( const cltProxyTable* table, void* to, const void* from )
{
    if ( table->precision == clt_precisionDouble )
    {
        memcpy( to, from, sizeof( cltAabbD ) );
    }
    else
    {
        memcpy( to, from, sizeof( cltAabb ) );
    }
}

static void SetAbsent( const cltProxyTable* table, void* box )
{
    if ( table->precision == clt_precisionDouble )
    {
        cltFillAbsent( box, sizeof( cltAabbD ) );
    }
    else
    {
        cltFillAbsent( box, sizeof( cltAabb ) );
    }
}

static bool HasNan( const cltProxyTable* table, const void* box )
{
    return table->precision == clt_precisionDouble ? cltAabbD_HasNan( box ) : cltAabb_HasNan( box );
}

// One of these must be called when the box of a slot has changed. A double box lies in the float box of its lane.

static inline void StoreLane( cltProxyTable* table, uint32_t slot, const cltAabb* cover )
{
    cltBoxLanes* lanes = cltProxyTable_Lanes( table );
    if ( lanes != NULL )
    {
        cltLane_Set( lanes, slot, cover );
    }
}

static inline void RefreshLane( cltProxyTable* table, uint32_t slot )
{
    if ( cltProxyTable_Lanes( table ) != NULL )
    {
        const cltAabb cover = cltCoverBox( table->boxes.data, table->precision == clt_precisionDouble, slot );
        StoreLane( table, slot, &cover );
    }
}

/// Marks the previous box as absent, because the proxy is new or its pairs have ended.
static void SetPreviousAbsent( cltProxyTable* table, cltProxyId proxy )
{
    if ( table->before.data != NULL )
    {
        SetAbsent( table, PreviousBoxAt( table, proxy ) );
    }
}

/// Prefetches a box that will probably change soon: mostly the same proxies change in each step, in the same order, and
/// their boxes are scattered over memory.
static void PrefetchLikelyChange( const cltProxyTable* table )
{
    const uint32_t likely = table->changedCount + MOVES_AHEAD;
    if ( likely < table->lastChangedCount )
    {
        const uint32_t slot = ( (const uint32_t*)table->changed.data )[likely];
        cltPrefetchForWriting( (const char*)table->boxes.data + slot * cltProxyTable_BoxSize( table ) );
    }
}

/// Lists a slot at its first change since the last committed update, and keeps its previous box.
static inline void ListChange( cltProxyTable* table, cltProxyId proxy, uint8_t state )
{
    PrefetchLikelyChange( table );
    if ( table->before.data != NULL )
    {
        CopyBox( table, PreviousBoxAt( table, proxy ), BoxAt( table, proxy ) );
    }
    States( table )[proxy] = state | CLT_SLOT_CHANGED;
    ( (uint32_t*)table->changed.data )[table->changedCount++] = proxy;
    --table->settledCount;
}

/// Must be called before the box, the filter or the proxy of a slot changes.
static inline void BeginChange( cltProxyTable* table, cltProxyId proxy )
{
    const uint8_t state = States( table )[proxy];
    const bool listed = ( state & CLT_SLOT_CHANGED ) != 0;
    if ( !listed )
    {
        ListChange( table, proxy, state );
    }
    cltQueryNotes_SlotChanged( table->queries, proxy, listed );
}

static inline void NoteFilter( cltProxyTable* table, cltFilter filter )
{
    table->groups |= filter.group;
    table->missingMaskBits |= ~filter.mask;
    table->mayRejectPairs |= filter.group == 0 || ( table->groups & table->missingMaskBits ) != 0;
}

cltProxyId cltProxyTable_Create( cltProxyTable* table, const void* box, cltFilter filter, uint64_t userData )
{
    cltProxyId proxy;
    if ( table->freeCount > 0 )
    {
        proxy = ( (const uint32_t*)table->free.data )[--table->freeCount];
    }
    else
    {
        proxy = table->slotCount++;
    }
    States( table )[proxy] = CLT_SLOT_LIVE | CLT_SLOT_APPEARED;
    BeginChange( table, proxy );
    SetPreviousAbsent( table, proxy );
    CopyBox( table, BoxAt( table, proxy ), box );
    RefreshLane( table, proxy );
    ( (cltFilter*)table->filters.data )[proxy] = filter;
    NoteFilter( table, filter );
    if ( table->keepsFiltersBefore )
    {
        ( (cltFilter*)table->filtersBefore.data )[proxy] = filter;
    }
    ( (uint64_t*)table->userData.data )[proxy] = userData;
    ++table->appearedCount;
    ++table->settledCount; // BeginChange subtracted one
    ++table->liveCount;
    table->nanCount += HasNan( table, box );
    return proxy;
}

/// Moves a proxy with a NaN in its current or its new box: the proxy appears, becomes hidden, or stays hidden.
static void MoveHidden( cltProxyTable* table, cltProxyId proxy, const void* box )
{
    void* place = BoxAt( table, proxy );
    const bool wasHidden = HasNan( table, place );
    const bool isHidden = HasNan( table, box );
    if ( !wasHidden || !isHidden ) // a hidden proxy that stays hidden changes no result
    {
        BeginChange( table, proxy );
        States( table )[proxy] |= wasHidden ? CLT_SLOT_APPEARED : 0u;
        table->appearedCount += wasHidden;
        table->nanCount += isHidden;
        table->nanCount -= wasHidden;
    }
    CopyBox( table, place, box );
    RefreshLane( table, proxy );
}

/// True if the proxy stays at rest when it moves to `box`; the move is then not listed, and the overview of current
/// boxes (gpu/queries.h) is marked as out of date. False if the proxy is listed already: a tree may hold its old box.
static inline bool StaysAtRest( cltProxyTable* table, cltProxyId proxy, const cltAabb* box )
{
    if ( ( States( table )[proxy] & CLT_SLOT_CHANGED ) != 0 || !cltRest_Keeps( &table->rest, proxy, box ) )
    {
        return false;
    }
    if ( atomic_load_explicit( &table->queries->overviewHolds, memory_order_relaxed ) )
    {
        atomic_store_explicit( &table->queries->overviewHolds, false, memory_order_relaxed );
    }
    return true;
}

// Applications set every box in every step, and most boxes stay equal. Changed boxes have functions of their own, so
// that the code for an equal box makes no call and need not save registers on the stack.

static void ChangeFloat( cltProxyTable* table, cltProxyId proxy, const cltAabb* box )
{
    cltAabb* place = (cltAabb*)table->boxes.data + proxy;
    if ( cltAabb_AnyNan( place, box ) )
    {
        MoveHidden( table, proxy, box );
        return;
    }
    if ( !StaysAtRest( table, proxy, box ) )
    {
        BeginChange( table, proxy );
    }
    *place = *box;
    StoreLane( table, proxy, box );
}

static void ChangeDouble( cltProxyTable* table, cltProxyId proxy, const cltAabbD* box )
{
    cltAabbD* place = (cltAabbD*)table->boxes.data + proxy;
    if ( cltAabbD_AnyNan( place, box ) )
    {
        MoveHidden( table, proxy, box );
        return;
    }
    const cltAabb cover = cltAabb_FromDouble( box );
    if ( !StaysAtRest( table, proxy, &cover ) )
    {
        BeginChange( table, proxy );
    }
    *place = *box;
    StoreLane( table, proxy, &cover );
}

void cltProxyTable_MoveD( cltProxyTable* table, cltProxyId proxy, const cltAabbD* box )
{
    cltAabbD* place = (cltAabbD*)table->boxes.data + proxy;
    if ( !cltAabbD_IsSame( place, box ) )
    {
        ChangeDouble( table, proxy, box );
        return;
    }
    *place = *box; // -0 and +0 are equal, and the bits of the new box are kept
}

static CLT_NOINLINE void MoveWidened( cltProxyTable* table, cltProxyId proxy, const cltAabb* box )
{
    const cltAabbD wide = cltAabb_ToDouble( box );
    cltProxyTable_MoveD( table, proxy, &wide );
}

void cltProxyTable_Move( cltProxyTable* table, cltProxyId proxy, const cltAabb* box )
{
    if ( table->precision == clt_precisionDouble )
    {
        MoveWidened( table, proxy, box );
        return;
    }
    cltAabb* place = (cltAabb*)table->boxes.data + proxy;
    if ( !cltAabb_IsSame( place, box ) )
    {
        ChangeFloat( table, proxy, box );
        return;
    }
    *place = *box; // as in cltProxyTable_MoveD
}

void cltProxyTable_MoveEach( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes )
{
    for ( size_t i = 0; i < count; ++i )
    {
        cltProxyTable_Move( table, proxies[i], boxes + i );
    }
}

void cltProxyTable_SetFilter( cltProxyTable* table, cltProxyId proxy, cltFilter filter )
{
    cltFilter* place = (cltFilter*)table->filters.data + proxy;
    if ( place->group != filter.group || place->mask != filter.mask )
    {
        BeginChange( table, proxy );
        *place = filter;
        NoteFilter( table, filter );
        ++table->refilteredCount;
    }
}

/// Marks the proxies, up to the first that is not live or is marked already. Returns the number marked.
static size_t MarkCondemned( cltProxyTable* table, size_t count, const cltProxyId* proxies )
{
    for ( size_t i = 0; i < count; ++i )
    {
        if ( !cltProxyTable_Has( table, proxies[i] ) || ( States( table )[proxies[i]] & SLOT_CONDEMNED ) != 0 )
        {
            return i;
        }
        States( table )[proxies[i]] |= SLOT_CONDEMNED;
    }
    return count;
}

static void Destroy( cltProxyTable* table, cltProxyId proxy )
{
    void* place = BoxAt( table, proxy );
    table->nanCount -= HasNan( table, place );
    BeginChange( table, proxy );
    SetAbsent( table, place );
    const cltAabb absent = cltAabb_Nan();
    StoreLane( table, proxy, &absent );
    States( table )[proxy] = CLT_SLOT_CHANGED;
    if ( !table->reportsDestroyed )
    {
        SetPreviousAbsent( table, proxy );
        States( table )[proxy] |= CLT_SLOT_DESTROYED;
    }
    ++table->destroyedCount;
    --table->liveCount;
}

bool cltProxyTable_DestroyAll( cltProxyTable* table, size_t count, const cltProxyId* proxies )
{
    const size_t marked = MarkCondemned( table, count, proxies );
    for ( size_t i = 0; i < marked; ++i )
    {
        if ( marked == count )
        {
            Destroy( table, proxies[i] );
        }
        else
        {
            States( table )[proxies[i]] &= (uint8_t)~SLOT_CONDEMNED;
        }
    }
    return marked == count;
}
