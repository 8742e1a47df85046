// SPDX-License-Identifier: Zlib
/// \file proxy_moves.h
/// Sets the boxes of many proxies, with several threads if there are enough.
#ifndef CLT_BRIDGE_PROXY_MOVES_H
#define CLT_BRIDGE_PROXY_MOVES_H

#include "bridge/proxy_table.h"
#include "gpu/platform/worker_pool.h"

/// Fewest moves for several threads: fewer are done before a second thread has started.
#define CLT_MOVES_TO_SHARE 32768u

/// The result of checking an array of ids.
typedef struct cltProxyCheck
{
    bool allExist; ///< all ids have a proxy
    bool ascend;   ///< ids ascend, so none is named twice; false if there are too few to check
} cltProxyCheck;

/// Checks an array of ids. \param pool  NULL: this thread does all work
cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool );

/// cltProxyTable_Move for each proxy, in this order.
/// \param check  the result of cltProxyTable_Check; its allExist must be true
void cltProxyTable_MoveAll( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes,
                            cltProxyCheck check, cltWorkerPool* pool );

#endif
