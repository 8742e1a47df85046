// SPDX-License-Identifier: Zlib
// The table updates its list of changes at every call, so gathering costs nothing, however many proxies there are.

#include "bridge/gather.h"

cltUpload cltGatherUpload( cltProxyTable* table )
{
    return ( cltUpload ){ .boxes = table->boxes.data,
                          .lanes = cltProxyTable_Lanes( table ),
                          .before = table->before.data,
                          .filters = table->keepsFiltersBefore ? table->filters.data : NULL,
                          .filtersBefore = table->filtersBefore.data,
                          .allFiltersAccept = !table->mayRejectPairs,
                          .states = table->states.data,
                          .changed = table->changed.data,
                          .changedCount = table->changedCount,
                          .appearedCount = table->appearedCount,
                          .destroyedCount = table->reportsDestroyed ? 0 : table->destroyedCount,
                          .refilteredCount = table->refilteredCount,
                          .slotCount = table->slotCount,
                          .rest = &table->rest };
}

/// Marks every slot with a box as appeared. Returns their number.
static uint32_t MarkAppeared( const cltProxyTable* table, const void* boxes, uint8_t* states, uint32_t* changed )
{
    const bool isDouble = table->precision == clt_precisionDouble;
    uint32_t count = 0;
    for ( uint32_t slot = 0; slot < table->slotCount; ++slot )
    {
        const cltAabb box = cltCoverBox( boxes, isDouble, slot );
        const bool absent = cltAabb_HasNan( &box );
        states[slot] = absent ? 0 : CLT_SLOT_LIVE | CLT_SLOT_CHANGED | CLT_SLOT_APPEARED;
        changed[count] = slot;
        count += !absent;
    }
    return count;
}

cltStatus cltGatherPrevious( cltProxyTable* table, cltBuffer* storage, cltUpload* upload )
{
    const size_t slotCount = table->slotCount;
    const size_t boxSize = cltProxyTable_BoxSize( table );
    const size_t slotSize = 2u * boxSize + sizeof( uint32_t ) + sizeof( uint8_t );
    const size_t laneSize = ( CLT_FEW_SLOTS / CLT_LANE_COUNT ) * sizeof( cltBoxLanes );
    CLT_TRY( cltBuffer_Reserve( storage, table->memory, laneSize + (uint64_t)slotCount * slotSize, 1u ) );
    cltBoxLanes* lanes = slotCount <= CLT_FEW_SLOTS ? storage->data : NULL;
    char* boxes = (char*)storage->data + laneSize;
    char* before = boxes + slotCount * boxSize;
    uint32_t* changed = (uint32_t*)(void*)( before + slotCount * boxSize );
    uint8_t* states = (uint8_t*)( changed + slotCount );
    const cltUpload known = cltGatherUpload( table );
    cltUpload_CopyBefore( &known, boxSize, boxes );
    cltFillAbsent( before, slotCount * boxSize );
    if ( lanes != NULL )
    {
        cltFillAbsent( lanes, laneSize );
        cltProxyTable_FillLanes( table, boxes, lanes );
    }
    const uint32_t count = MarkAppeared( table, boxes, states, changed );
    *upload = ( cltUpload ){ .boxes = boxes,
                             .lanes = lanes,
                             .before = before,
                             .filters = known.filtersBefore,
                             .filtersBefore = known.filtersBefore,
                             .allFiltersAccept = known.allFiltersAccept,
                             .states = states,
                             .changed = changed,
                             .changedCount = count,
                             .appearedCount = count,
                             .slotCount = table->slotCount,
                             .rest = &table->rest };
    return clt_ok;
}
