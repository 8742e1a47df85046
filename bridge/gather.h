// SPDX-License-Identifier: Zlib
/// \file gather.h
/// The input of a backend, made from the proxy table.
#ifndef CLT_BRIDGE_GATHER_H
#define CLT_BRIDGE_GATHER_H

#include "bridge/proxy_table.h"

/// Views of the table, valid until it changes.
cltUpload cltGatherUpload( cltProxyTable* table );

/// An upload for a new backend: every proxy appears with its box as of the last committed update, except for proxies
/// destroyed since. Needs the boxes that cltProxyTable_Keep keeps, unless nothing has changed.
/// \param storage      for the arrays of the upload; the caller releases it, also on a failure
/// \param[out] upload  views of `storage` and the table
cltStatus cltGatherPrevious( cltProxyTable* table, cltBuffer* storage, cltUpload* upload );

#endif
