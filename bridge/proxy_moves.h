// SPDX-License-Identifier: Zlib
/// \file proxy_moves.h
/// New boxes for many proxies at once, by several threads where there are many.
#ifndef CLT_BRIDGE_PROXY_MOVES_H
#define CLT_BRIDGE_PROXY_MOVES_H

#include "bridge/proxy_table.h"
#include "gpu/platform/worker_pool.h"

/// From so many on, two threads are faster: below, the work is done before the second one is awake.
#define CLT_MOVES_TO_SHARE 32768u

/// What can be said of ids before anything is done with them.
typedef struct cltProxyCheck
{
    bool areThere; ///< all of them
    bool ascend;   ///< so that none is there twice. Not looked for among few
} cltProxyCheck;

// proxy_check.c

/// \param pool  NULL: by this thread alone
cltProxyCheck cltProxyTable_Check( const cltProxyTable* table, size_t count, const cltProxyId* proxies,
                                   cltWorkerPool* pool );

// proxy_moves.c

/// cltProxyTable_Move for each, in this order.
/// \param check  of these ids: all are there
void cltProxyTable_MoveAll( cltProxyTable* table, size_t count, const cltProxyId* proxies, const cltAabb* boxes,
                            cltProxyCheck check, cltWorkerPool* pool );

#endif
