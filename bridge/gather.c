// SPDX-License-Identifier: Zlib
// The table keeps its change list up to date at every call, so that gathering costs nothing, however many proxies stand
// still.

#include "bridge/gather.h"

cltUpload cltGather( const cltProxyTable* table, bool filterMasks )
{
    return ( cltUpload ){ .boxes = table->boxes.data,
                          .filters = filterMasks ? table->filters.data : NULL,
                          .states = table->states.data,
                          .changed = table->changed.data,
                          .changedCount = table->changedCount,
                          .appearedCount = table->appearedCount,
                          .destroyedCount = table->destroyedCount,
                          .refilteredCount = table->refilteredCount,
                          .slotCount = table->slotCount };
}
