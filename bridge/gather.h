// SPDX-License-Identifier: Zlib
/// \file gather.h
/// From the proxy table to what a backend is given.
#ifndef CLT_BRIDGE_GATHER_H
#define CLT_BRIDGE_GATHER_H

#include "bridge/proxy_table.h"

/// Views of the table, valid until it changes. A backend that lives elsewhere copies the changed slots' boxes itself;
/// the host reads them in place.
cltUpload cltGatherUpload( const cltProxyTable* table );

/// Arrays by slot of an upload in which every proxy appears. Zero-initialised it is empty and valid.
typedef struct cltAppearance
{
    cltBuffer boxes;   ///< cltAabb or cltAabbD
    cltBuffer before;  ///< the same; NaN
    cltBuffer states;  ///< uint8_t
    cltBuffer changed; ///< uint32_t, slots with a box
} cltAppearance;

/// An upload for a backend that has seen nothing yet: every proxy appears as it was at the last committed update, but
/// for those destroyed since. Needs what cltProxyTable_KeepBefore keeps, unless nothing has changed.
/// \param[out] upload  views of `appearance` and the table
cltStatus cltGatherBefore( const cltProxyTable* table, cltAppearance* appearance, cltUpload* upload );

void cltAppearance_Release( cltAppearance* appearance, cltMemory* memory );

#endif
