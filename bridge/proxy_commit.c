// SPDX-License-Identifier: Zlib
// The end of an update for the proxy table: current boxes and filters become the previous ones. If many slots changed,
// it is cheaper to read the state of every slot, a byte each and in order, than to follow the list of changes.

#include "bridge/proxy_table.h"

/// A word of eight states that are all 1.
#define EACH_STATE 0x0101010101010101u

/// Reading this many states in order takes as long as following one entry of the list.
#define STATES_PER_ENTRY 8u

static void CommitFilters( cltProxyTable* table )
{
    for ( uint32_t i = 0; i < table->changedCount; ++i )
    {
        const uint32_t slot = ( (const uint32_t*)table->changed.data )[i];
        ( (cltFilter*)table->filtersBefore.data )[slot] = ( (const cltFilter*)table->filters.data )[slot];
    }
}

/// Clears the marks of a slot. The slot of a destroyed proxy becomes free.
static inline void CommitSlot( cltProxyTable* table, uint32_t slot )
{
    uint8_t* state = (uint8_t*)table->states.data + slot;
    if ( ( *state & ( CLT_SLOT_LIVE | CLT_SLOT_CHANGED ) ) == CLT_SLOT_CHANGED )
    {
        ( (uint32_t*)table->free.data )[table->freeCount++] = slot;
    }
    *state &= CLT_SLOT_LIVE;
}

/// Insertion sort, because slots are few and mostly ascend.
static void SortSlots( uint32_t* slots, uint32_t count )
{
    for ( uint32_t i = 1; i < count; ++i )
    {
        const uint32_t slot = slots[i];
        uint32_t place = i;
        for ( ; place > 0 && slots[place - 1u] > slot; --place )
        {
            slots[place] = slots[place - 1u];
        }
        slots[place] = slot;
    }
}

/// Commits the listed slots, and frees slots in ascending order, as CommitAll does. New ids follow from the order of
/// freeing. They must not depend on whether CommitListed or CommitAll is called, because that depends on how many moves
/// stayed within their rest margins (gpu/rest/rest.h).
static void CommitListed( cltProxyTable* table )
{
    const uint32_t freeBefore = table->freeCount;
    for ( uint32_t i = 0; i < table->changedCount; ++i )
    {
        CommitSlot( table, ( (const uint32_t*)table->changed.data )[i] );
    }
    if ( table->freeCount > freeBefore )
    {
        SortSlots( (uint32_t*)table->free.data + freeBefore, table->freeCount - freeBefore );
    }
}

/// Commits all slots, eight at a time. Only a group with a destroyed proxy is visited slot by slot.
static void CommitAll( cltProxyTable* table )
{
    uint8_t* states = table->states.data;
    const uint32_t wordsEnd = table->slotCount & ~7u;
    for ( uint32_t slot = 0; slot < wordsEnd; slot += 8u )
    {
        uint64_t eight;
        memcpy( &eight, states + slot, sizeof eight );
        const uint64_t live = eight & EACH_STATE * CLT_SLOT_LIVE;
        if ( ( ( eight / CLT_SLOT_CHANGED ) & EACH_STATE & ~live ) != 0 )
        {
            for ( uint32_t i = 0; i < 8u; ++i )
            {
                CommitSlot( table, slot + i );
            }
        }
        else
        {
            memcpy( states + slot, &live, sizeof live );
        }
    }
    for ( uint32_t slot = wordsEnd; slot < table->slotCount; ++slot )
    {
        CommitSlot( table, slot );
    }
}

static void ResetFilters( cltProxyTable* table )
{
    table->groups = 0;
    table->missingMaskBits = 0;
    table->mayRejectPairs = false;
}

void cltProxyTable_Commit( cltProxyTable* table )
{
    if ( table->keepsFiltersBefore && table->refilteredCount > 0 )
    {
        CommitFilters( table );
    }
    if ( table->changedCount > table->slotCount / STATES_PER_ENTRY ||
         (uint64_t)table->destroyedCount * table->destroyedCount > table->slotCount ) // sorting takes quadratic time
    {
        CommitAll( table );
    }
    else
    {
        CommitListed( table );
    }
    const uint32_t createdOrDestroyed = table->appearedCount + table->destroyedCount; // some may be counted twice
    table->lastMovedCount = table->changedCount > createdOrDestroyed ? table->changedCount - createdOrDestroyed : 0;
    table->lastChangedCount = table->changedCount;
    table->changedCount = 0;
    table->appearedCount = 0;
    table->destroyedCount = 0;
    table->refilteredCount = 0;
    table->settledCount = table->liveCount;
    if ( table->liveCount == 0 )
    {
        ResetFilters( table );
    }
}
