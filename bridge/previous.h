// SPDX-License-Identifier: Zlib
/// \file previous.h
/// What the proxies were at the last committed update: kept as they change, where a device may fail, and brought together
/// when one did.
///
/// A proxy that has not changed since is what it was. One that has is noted beside the list of changes when it changes for
/// the first time: at that moment its box is at hand, while a copy of all boxes would cost another pass over the changed
/// ones in each update. An update that is committed empties the list, and with it all notes, at no cost.
#ifndef CLT_BRIDGE_PREVIOUS_H
#define CLT_BRIDGE_PREVIOUS_H

#include "bridge/proxy_table.h"

#include <string.h>

/// Writes the box of who is not there: NaN, in the table's precision.
void cltProxyTable_SetAbsent( const cltProxyTable* table, void* box );

/// At the place of the slot that is marked as changed next.
static inline void cltProxyTable_KeepFilter( const cltProxyTable* table, cltProxyId proxy )
{
    ( (cltFilter*)table->previousFilters.data )[table->changedCount] = ( (const cltFilter*)table->filters.data )[proxy];
}

/// To be called before a live proxy becomes another one. `box` is its box, `boxSize` the size of one.
static inline void cltProxyTable_KeepPrevious( const cltProxyTable* table, cltProxyId proxy, const void* box,
                                               size_t boxSize )
{
    if ( table->keepsPrevious && ( ( (const uint8_t*)table->states.data )[proxy] & CLT_SLOT_CHANGED ) == 0 )
    {
        memcpy( (char*)table->previousBoxes.data + table->changedCount * boxSize, box, boxSize );
        cltProxyTable_KeepFilter( table, proxy );
    }
}

/// To be called before a proxy that was not there is marked as changed. Its filter is in place already.
static inline void cltProxyTable_KeepAbsence( const cltProxyTable* table, cltProxyId proxy )
{
    if ( table->keepsPrevious )
    {
        const size_t offset = table->changedCount * cltProxyTable_BoxSize( table );
        cltProxyTable_SetAbsent( table, (char*)table->previousBoxes.data + offset );
        cltProxyTable_KeepFilter( table, proxy );
    }
}

/// From now on the notes are kept. To be called while nothing has changed since the last committed update.
cltStatus cltPrevious_Begin( cltProxyTable* table );

/// From now on they are not. Harmless if they were not before.
void cltPrevious_End( cltProxyTable* table );

/// Arrays of an upload that has every proxy appear as it was. Zero-initialised it is empty and valid.
typedef struct cltPrevious
{
    cltBuffer boxes;   ///< cltAabb or cltAabbD by slot
    cltBuffer filters; ///< cltFilter by slot
    cltBuffer states;  ///< uint8_t by slot
    cltBuffer changed; ///< uint32_t, who had a box
} cltPrevious;

/// Proxies destroyed since are among them, as they are in what the device had.
/// \param[out] upload  views of `previous`
cltStatus cltPrevious_Gather( cltPrevious* previous, const cltProxyTable* table, bool filterMasks, cltUpload* upload );

void cltPrevious_Release( cltPrevious* previous, cltMemory* memory );

#endif
