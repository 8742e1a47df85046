// SPDX-License-Identifier: Zlib
// The table keeps its change list up to date at every call, so that gathering costs nothing, however many proxies stand
// still.

#include "bridge/gather.h"

#include "bridge/box_compare.h"

cltUpload cltGatherUpload( const cltProxyTable* table )
{
    return ( cltUpload ){ .boxes = table->boxes.data,
                          .before = table->before.data,
                          .filters = table->keepsFiltersBefore ? table->filters.data : NULL,
                          .filtersBefore = table->filtersBefore.data,
                          .states = table->states.data,
                          .changed = table->changed.data,
                          .changedCount = table->changedCount,
                          .appearedCount = table->appearedCount,
                          .destroyedCount = table->destroyedCount,
                          .refilteredCount = table->refilteredCount,
                          .slotCount = table->slotCount };
}

static cltStatus Reserve( cltAppearance* appearance, const cltProxyTable* table )
{
    cltMemory* memory = table->memory;
    const size_t count = table->slotCount;
    CLT_TRY( cltBuffer_Reserve( &appearance->boxes, memory, count, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Reserve( &appearance->before, memory, count, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Reserve( &appearance->states, memory, count, sizeof( uint8_t ) ) );
    return cltBuffer_Reserve( &appearance->changed, memory, count, sizeof( uint32_t ) );
}

/// Every slot with a box appears. Returns how many.
static uint32_t MarkAppeared( const cltAppearance* appearance, const cltProxyTable* table )
{
    const bool isDouble = table->precision == clt_precisionDouble;
    uint32_t count = 0;
    for ( uint32_t slot = 0; slot < table->slotCount; ++slot )
    {
        const bool absent = isDouble ? cltAabbD_HasNan( (const cltAabbD*)appearance->boxes.data + slot )
                                     : cltAabb_HasNan( (const cltAabb*)appearance->boxes.data + slot );
        ( (uint8_t*)appearance->states.data )[slot] = absent ? 0 : CLT_SLOT_LIVE | CLT_SLOT_CHANGED | CLT_SLOT_APPEARED;
        ( (uint32_t*)appearance->changed.data )[count] = slot;
        count += !absent;
    }
    return count;
}

cltStatus cltGatherBefore( const cltProxyTable* table, cltAppearance* appearance, cltUpload* upload )
{
    CLT_TRY( Reserve( appearance, table ) );
    *upload = cltGatherUpload( table );
    cltUpload_CopyBefore( upload, cltProxyTable_BoxSize( table ), appearance->boxes.data );
    cltProxyTable_FillAbsent( table, appearance->before.data, table->slotCount );
    const uint32_t count = MarkAppeared( appearance, table );
    *upload = ( cltUpload ){ .boxes = appearance->boxes.data,
                             .before = appearance->before.data,
                             .filters = upload->filtersBefore,
                             .filtersBefore = upload->filtersBefore,
                             .states = appearance->states.data,
                             .changed = appearance->changed.data,
                             .changedCount = count,
                             .appearedCount = count,
                             .slotCount = table->slotCount };
    return clt_ok;
}

void cltAppearance_Release( cltAppearance* appearance, cltMemory* memory )
{
    cltBuffer_Release( &appearance->boxes, memory );
    cltBuffer_Release( &appearance->before, memory );
    cltBuffer_Release( &appearance->states, memory );
    cltBuffer_Release( &appearance->changed, memory );
}
