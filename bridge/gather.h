// SPDX-License-Identifier: Zlib
/// \file gather.h
/// From the proxy table to what a backend is given.
#ifndef CLT_BRIDGE_GATHER_H
#define CLT_BRIDGE_GATHER_H

#include "bridge/proxy_table.h"

/// Views of the table, valid until it changes. A backend that lives elsewhere copies the changed slots' boxes itself; the
/// host reads them in place.
cltUpload cltGather( const cltProxyTable* table, bool filterMasks );

#endif
