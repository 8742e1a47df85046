// SPDX-License-Identifier: Zlib
// Memory of the proxy table: room is made before a proxy is created, so that nothing fails half way.

#include "bridge/proxy_table.h"

static cltStatus GrowTo( cltProxyTable* table, size_t slots )
{
    cltMemory* memory = table->memory;
    CLT_TRY( cltBuffer_Grow( &table->boxes, memory, slots, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Grow( &table->filters, memory, slots, sizeof( cltFilter ) ) );
    CLT_TRY( cltBuffer_Grow( &table->userData, memory, slots, sizeof( uint64_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->states, memory, slots, sizeof( uint8_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->changed, memory, slots, sizeof( uint32_t ) ) );
    CLT_TRY( cltBuffer_Grow( &table->free, memory, slots, sizeof( uint32_t ) ) );
    if ( table->keepsBefore )
    {
        CLT_TRY( cltBuffer_Grow( &table->before, memory, slots, cltProxyTable_BoxSize( table ) ) );
    }
    if ( table->keepsFiltersBefore )
    {
        CLT_TRY( cltBuffer_Grow( &table->filtersBefore, memory, slots, sizeof( cltFilter ) ) );
    }
    table->capacity = (uint32_t)slots;
    return clt_ok;
}

cltStatus cltProxyTable_MakeRoom( cltProxyTable* table, size_t count )
{
    const size_t reused = count < table->freeCount ? count : table->freeCount;
    const size_t slots = table->slotCount + ( count - reused );
    if ( count - reused > CLT_MAX_PROXIES - table->slotCount )
    {
        return clt_tooManyProxies;
    }
    return slots <= table->capacity ? clt_ok : GrowTo( table, slots + table->capacity / 2u );
}

cltStatus cltProxyTable_KeepBefore( cltProxyTable* table, bool keep )
{
    if ( keep )
    {
        CLT_TRY( cltBuffer_Reserve( &table->before, table->memory, table->capacity, cltProxyTable_BoxSize( table ) ) );
    }
    else
    {
        cltBuffer_Release( &table->before, table->memory );
    }
    table->keepsBefore = keep;
    return clt_ok;
}

void cltProxyTable_Release( cltProxyTable* table )
{
    cltBuffer_Release( &table->boxes, table->memory );
    cltBuffer_Release( &table->filters, table->memory );
    cltBuffer_Release( &table->userData, table->memory );
    cltBuffer_Release( &table->states, table->memory );
    cltBuffer_Release( &table->changed, table->memory );
    cltBuffer_Release( &table->free, table->memory );
    cltBuffer_Release( &table->before, table->memory );
    cltBuffer_Release( &table->filtersBefore, table->memory );
}
