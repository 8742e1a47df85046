// SPDX-License-Identifier: Zlib
/// \file gather.h
/// From the proxy table to what a backend is given.
#ifndef CLT_BRIDGE_GATHER_H
#define CLT_BRIDGE_GATHER_H

#include "bridge/proxy_table.h"

/// Views of the table, valid until it changes. A backend that lives elsewhere copies the changed slots' boxes itself;
/// the host reads them in place.
cltUpload cltGatherUpload( cltProxyTable* table );

/// An upload for a backend that has seen nothing yet: every proxy appears as it was at the last committed update, but
/// for those destroyed since. Needs what cltProxyTable_KeepBefore keeps, unless nothing has changed.
/// \param room         for its arrays, to be released by the caller, also on a failure
/// \param[out] upload  views of `room` and the table
cltStatus cltGatherBefore( cltProxyTable* table, cltBuffer* room, cltUpload* upload );

#endif
