// SPDX-License-Identifier: Zlib
// Memory of the proxy table. The table grows before a proxy is created, so that no call fails halfway. It shrinks when
// most slots have been free for a while.

#include "bridge/proxy_table.h"

/// The first capacities: a small world should neither grow for each of its bodies nor take much more than it needs.
static const uint32_t smallCapacities[] = { 24, 40, CLT_FEW_SLOTS };

/// Once there are previous boxes, they are kept whatever the capacity.
static bool NeedsBefore( const cltProxyTable* table, size_t slots )
{
    return table->before.data != NULL || slots > table->beforeAbove;
}

/// Ensures lanes for `slots` slots, but for no more than CLT_FEW_SLOTS. New lanes are empty.
static cltStatus GrowLanes( cltProxyTable* table, size_t slots )
{
    const uint32_t laneCount = slots < CLT_FEW_SLOTS ? (uint32_t)slots : CLT_FEW_SLOTS;
    const size_t bytesBefore = table->lanes.bytes;
    // counted in floats: whole blocks would be aligned to 64 bytes, and malloc would not do
    const size_t floatCount = cltBlocksFor( laneCount ) * ( sizeof( cltBoxLanes ) / sizeof( float ) );
    CLT_TRY( cltBuffer_Grow( &table->lanes, table->memory, floatCount, sizeof( float ) ) );
    if ( table->lanes.bytes > bytesBefore )
    {
        cltFillAbsent( (char*)table->lanes.data + bytesBefore, table->lanes.bytes - bytesBefore );
    }
    return clt_ok;
}

/// Grows what is kept beside the current boxes.
static cltStatus GrowKept( cltProxyTable* table, size_t slots )
{
    if ( table->keepsLanes )
    {
        CLT_TRY( GrowLanes( table, slots ) );
    }
    return NeedsBefore( table, slots )
               ? cltBuffer_Grow( &table->before, table->memory, slots, cltProxyTable_BoxSize( table ) )
               : clt_ok;
}

static cltStatus GrowTo( cltProxyTable* table, size_t slots )
{
    cltMemory* memory = table->memory;
    CLT_TRY( cltBuffer_Grow( &table->boxes, memory, slots, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Grow( &table->filters, memory, slots, sizeof( cltFilter ) ) );
    CLT_TRY( cltBuffer_Grow( &table->userData, memory, slots, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->states, memory, slots, sizeof( uint8_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->changed, memory, slots, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->free, memory, slots, sizeof( uint32_t ) ) );
    CLT_TRY( GrowKept( table, slots ) );
    if ( table->keepsFiltersBefore )
    {
        CLT_TRY( cltBuffer_Grow( &table->filtersBefore, memory, slots, sizeof( cltFilter ) ) );
    }
    table->capacity = (uint32_t)slots;
    return clt_ok;
}

/// The next capacity for at least `slots` slots: once a world is not small, half as much again.
static size_t GrownCapacity( const cltProxyTable* table, size_t slots )
{
    for ( size_t i = 0; i < sizeof smallCapacities / sizeof smallCapacities[0]; ++i )
    {
        if ( slots <= smallCapacities[i] )
        {
            return smallCapacities[i];
        }
    }
    return slots + table->capacity / 2u;
}

cltStatus cltProxyTable_Reserve( cltProxyTable* table, size_t count )
{
    const size_t reused = count < table->freeCount ? count : table->freeCount;
    const size_t slots = table->slotCount + ( count - reused );
    if ( count - reused > CLT_MAX_PROXIES - table->slotCount )
    {
        return clt_tooManyProxies;
    }
    return slots <= table->capacity ? clt_ok : GrowTo( table, GrownCapacity( table, slots ) );
}

void cltProxyTable_FillLanes( const cltProxyTable* table, const void* boxes, cltBoxLanes* lanes )
{
    for ( uint32_t slot = 0; slot < table->slotCount; ++slot )
    {
        const cltAabb box = cltCoverBox( boxes, table->precision == clt_precisionDouble, slot );
        cltLane_Set( lanes, slot, &box );
    }
}

/// Fills the lanes that are kept, if any, with the current boxes.
static void RefillLanes( const cltProxyTable* table )
{
    cltBoxLanes* lanes = cltProxyTable_Lanes( table );
    if ( lanes != NULL )
    {
        cltFillAbsent( lanes, table->lanes.bytes );
        cltProxyTable_FillLanes( table, table->boxes.data, lanes );
    }
}

cltStatus cltProxyTable_Keep( cltProxyTable* table, uint32_t beforeAbove, bool lanes )
{
    const uint32_t lastBeforeAbove = table->beforeAbove;
    const bool keptLanes = table->keepsLanes;
    table->beforeAbove = beforeAbove;
    table->keepsLanes = lanes;
    if ( GrowKept( table, table->capacity ) != clt_ok )
    {
        table->beforeAbove = lastBeforeAbove;
        table->keepsLanes = keptLanes;
        return clt_hostMemory;
    }
    if ( beforeAbove == CLT_NEVER_BEFORE )
    {
        cltBuffer_Release( &table->before, table->memory );
    }
    if ( !lanes )
    {
        cltBuffer_Release( &table->lanes, table->memory );
    }
    RefillLanes( table );
    return clt_ok;
}

static void ShrinkTo( cltProxyTable* table, uint32_t slots, uint32_t capacity )
{
    cltMemory* memory = table->memory;
    const size_t boxSize = cltProxyTable_BoxSize( table );
    cltBuffer_Shrink( &table->boxes, memory, slots, capacity, boxSize );
    cltBuffer_Shrink( &table->filters, memory, slots, capacity, sizeof( cltFilter ) );
    cltBuffer_Shrink( &table->userData, memory, slots, capacity, sizeof( uint64_t ) );
    cltBuffer_Shrink( &table->states, memory, slots, capacity, sizeof( uint8_t ) );
    cltBuffer_Shrink( &table->changed, memory, slots, capacity, sizeof( uint32_t ) );
    cltBuffer_Shrink( &table->free, memory, slots, capacity, sizeof( uint32_t ) );
    cltBuffer_Shrink( &table->before, memory, slots, capacity, boxSize );
    cltBuffer_Shrink( &table->filtersBefore, memory, slots, capacity, sizeof( cltFilter ) );
    table->slotCount = slots;
    table->capacity = capacity;
    RefillLanes( table );
    table->lastChangedCount = 0; // the list of the last changes may name slots that no longer exist
}

/// One past the last slot that has a proxy, or had one at the start of this update. A backend may read the states of
/// these slots until the next update.
static uint32_t UsedEnd( const cltProxyTable* table )
{
    const uint8_t* states = table->states.data;
    uint32_t end = table->slotCount;
    while ( end > 0 && states[end - 1u] == 0 )
    {
        --end;
    }
    return end;
}

/// Removes slots from `end` on from the free list.
static void DropFreeSlots( cltProxyTable* table, uint32_t end )
{
    uint32_t* slots = table->free.data;
    uint32_t kept = 0;
    for ( uint32_t i = 0; i < table->freeCount; ++i )
    {
        slots[kept] = slots[i];
        kept += slots[i] < end;
    }
    table->freeCount = kept;
}

bool cltProxyTable_ShrinkIfDue( cltProxyTable* table )
{
    if ( !cltShrinkPolicy_IsDue( &table->shrinkPolicy, table->liveCount, table->capacity ) )
    {
        return false;
    }
    const uint32_t end = UsedEnd( table );
    const size_t shrunk = cltShrinkPolicy_Capacity( end );
    const uint32_t capacity = shrunk > table->expected ? (uint32_t)shrunk : table->expected;
    if ( capacity >= table->capacity / 2u )
    {
        return false;
    }
    DropFreeSlots( table, end );
    ShrinkTo( table, end, capacity );
    return true;
}

void cltProxyTable_Release( cltProxyTable* table )
{
    cltBuffer* const buffers[] = { &table->boxes,  &table->filters, &table->userData,
                                   &table->states, &table->changed, &table->free,
                                   &table->lanes,  &table->before,  &table->filtersBefore };
    for ( size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i )
    {
        cltBuffer_Release( buffers[i], table->memory );
    }
    cltRest_Release( &table->rest, table->memory );
}
