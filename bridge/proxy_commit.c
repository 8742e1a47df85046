// SPDX-License-Identifier: Zlib
// The end of an update for the proxy table: what changed is what is. Where much changed, it is cheaper to pass over the
// state of every slot than to follow the list of those that did: a byte each, in order.

#include "bridge/proxy_table.h"

/// A word in which each of eight states is 1.
#define EACH_STATE 0x0101010101010101u

/// So many states are passed over while one entry of the list is followed.
#define STATES_PER_ENTRY 8u

static void CommitFilters( cltProxyTable* table )
{
    for ( uint32_t i = 0; i < table->changedCount; ++i )
    {
        const uint32_t slot = ( (const uint32_t*)table->changed.data )[i];
        ( (cltFilter*)table->filtersBefore.data )[slot] = ( (const cltFilter*)table->filters.data )[slot];
    }
}

/// What changed is known from now on, and the slot of a destroyed proxy is free.
static inline void SettleSlot( cltProxyTable* table, uint32_t slot )
{
    uint8_t* state = (uint8_t*)table->states.data + slot;
    if ( ( *state & ( CLT_SLOT_LIVE | CLT_SLOT_CHANGED ) ) == CLT_SLOT_CHANGED )
    {
        ( (uint32_t*)table->free.data )[table->freeCount++] = slot;
    }
    *state &= CLT_SLOT_LIVE;
}

/// By insertion: they are few, and mostly ascend.
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

/// Slots settle one by one as they were listed, and are freed ascending, as SettleAll does it: which of the two is
/// called depends on how many moves were no changes (gpu/rest/rest.h), and ids must not.
static void SettleListed( cltProxyTable* table )
{
    const uint32_t freeBefore = table->freeCount;
    for ( uint32_t i = 0; i < table->changedCount; ++i )
    {
        SettleSlot( table, ( (const uint32_t*)table->changed.data )[i] );
    }
    if ( table->freeCount > freeBefore )
    {
        SortSlots( (uint32_t*)table->free.data + freeBefore, table->freeCount - freeBefore );
    }
}

/// All slots settle, eight at a time. Only where somebody was destroyed they are looked at one by one.
static void SettleAll( cltProxyTable* table )
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
                SettleSlot( table, slot + i );
            }
        }
        else
        {
            memcpy( states + slot, &live, sizeof live );
        }
    }
    for ( uint32_t slot = wordsEnd; slot < table->slotCount; ++slot )
    {
        SettleSlot( table, slot );
    }
}

static void ForgetFilters( cltProxyTable* table )
{
    table->groups = 0;
    table->groupsLacked = 0;
    table->mayRefuse = false;
}

void cltProxyTable_Commit( cltProxyTable* table )
{
    if ( table->keepsFiltersBefore && table->refilteredCount > 0 )
    {
        CommitFilters( table );
    }
    if ( table->changedCount > table->slotCount / STATES_PER_ENTRY ||
         (uint64_t)table->destroyedCount * table->destroyedCount > table->slotCount ) // which sorting would take
    {
        SettleAll( table );
    }
    else
    {
        SettleListed( table );
    }
    const uint32_t cameOrWent = table->appearedCount + table->destroyedCount; // some are counted twice
    table->lastMovedCount = table->changedCount > cameOrWent ? table->changedCount - cameOrWent : 0;
    table->lastChangedCount = table->changedCount;
    table->changedCount = 0;
    table->appearedCount = 0;
    table->destroyedCount = 0;
    table->refilteredCount = 0;
    table->settledCount = table->liveCount;
    if ( table->liveCount == 0 )
    {
        ForgetFilters( table );
    }
}
