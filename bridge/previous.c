// SPDX-License-Identifier: Zlib
// The table as it was: a copy of what it is, with the notes laid over it.

#include "bridge/previous.h"

#include "bridge/box_compare.h"

#include <math.h>

void cltProxyTable_SetAbsent( const cltProxyTable* table, void* box )
{
    if ( table->precision == clt_precisionDouble )
    {
        *(cltAabbD*)box = ( cltAabbD ){ { NAN, NAN, NAN }, { NAN, NAN, NAN } };
    }
    else
    {
        *(cltAabb*)box = ( cltAabb ){ { NAN, NAN, NAN }, { NAN, NAN, NAN } };
    }
}

cltStatus cltPrevious_Begin( cltProxyTable* table )
{
    CLT_TRY(
        cltBuffer_Reserve( &table->previousBoxes, table->memory, table->capacity, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Reserve( &table->previousFilters, table->memory, table->capacity, sizeof( cltFilter ) ) );
    table->keepsPrevious = true;
    return clt_ok;
}

void cltPrevious_End( cltProxyTable* table )
{
    table->keepsPrevious = false;
    cltBuffer_Release( &table->previousBoxes, table->memory );
    cltBuffer_Release( &table->previousFilters, table->memory );
}

static cltStatus Reserve( cltPrevious* previous, const cltProxyTable* table )
{
    cltMemory* memory = table->memory;
    const size_t count = table->slotCount;
    CLT_TRY( cltBuffer_Reserve( &previous->boxes, memory, count, cltProxyTable_BoxSize( table ) ) );
    CLT_TRY( cltBuffer_Reserve( &previous->filters, memory, count, sizeof( cltFilter ) ) );
    CLT_TRY( cltBuffer_Reserve( &previous->states, memory, count, sizeof( uint8_t ) ) );
    return cltBuffer_Reserve( &previous->changed, memory, count, sizeof( uint32_t ) );
}

static void LayNotesOver( cltPrevious* previous, const cltProxyTable* table )
{
    const size_t boxSize = cltProxyTable_BoxSize( table );
    for ( uint32_t i = 0; i < table->changedCount; ++i )
    {
        const uint32_t slot = ( (const uint32_t*)table->changed.data )[i];
        void* box = (char*)previous->boxes.data + slot * boxSize;
        memcpy( box, (const char*)table->previousBoxes.data + i * boxSize, boxSize );
        ( (cltFilter*)previous->filters.data )[slot] = ( (const cltFilter*)table->previousFilters.data )[i];
    }
}

/// Everybody with a box appears. Returns how many.
static uint32_t MarkAppeared( cltPrevious* previous, const cltProxyTable* table )
{
    const bool isDouble = table->precision == clt_precisionDouble;
    uint32_t count = 0;
    for ( uint32_t slot = 0; slot < table->slotCount; ++slot )
    {
        const bool absent = isDouble ? cltAabbD_HasNan( (const cltAabbD*)previous->boxes.data + slot )
                                     : cltAabb_HasNan( (const cltAabb*)previous->boxes.data + slot );
        ( (uint8_t*)previous->states.data )[slot] = absent ? 0 : CLT_SLOT_LIVE | CLT_SLOT_CHANGED | CLT_SLOT_APPEARED;
        ( (uint32_t*)previous->changed.data )[count] = slot;
        count += !absent;
    }
    return count;
}

cltStatus cltPrevious_Gather( cltPrevious* previous, const cltProxyTable* table, bool filterMasks, cltUpload* upload )
{
    CLT_TRY( Reserve( previous, table ) );
    if ( table->slotCount > 0 )
    {
        memcpy( previous->boxes.data, table->boxes.data, table->slotCount * cltProxyTable_BoxSize( table ) );
        memcpy( previous->filters.data, table->filters.data, table->slotCount * sizeof( cltFilter ) );
        LayNotesOver( previous, table );
    }
    const uint32_t count = MarkAppeared( previous, table );
    *upload = ( cltUpload ){ .boxes = previous->boxes.data,
                             .filters = filterMasks ? previous->filters.data : NULL,
                             .states = previous->states.data,
                             .changed = previous->changed.data,
                             .changedCount = count,
                             .appearedCount = count,
                             .slotCount = table->slotCount };
    return clt_ok;
}

void cltPrevious_Release( cltPrevious* previous, cltMemory* memory )
{
    cltBuffer_Release( &previous->boxes, memory );
    cltBuffer_Release( &previous->filters, memory );
    cltBuffer_Release( &previous->states, memory );
    cltBuffer_Release( &previous->changed, memory );
}
