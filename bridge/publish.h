// SPDX-License-Identifier: Zlib
/// \file publish.h
/// From a backend's keys to the pairs that the caller may read.
#ifndef CLT_BRIDGE_PUBLISH_H
#define CLT_BRIDGE_PUBLISH_H

#include "bridge/proxy_table.h"

/// What was handed out last.
typedef struct cltPublication
{
    cltBuffer changes; ///< cltPair, ended first
    cltBuffer pairs;   ///< cltPair
    size_t pairCount;
    cltShrinkPolicy shrinkPolicy;
    bool hasPairs; ///< `pairs` are those of the last committed update, and all its proxies live
} cltPublication;

/// \param pool  NULL: by this thread alone, here and below
cltStatus cltPublication_SetChanges( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                     cltWorkerPool* pool, cltPairChanges* changes );

/// Leaves out pairs of proxies destroyed since the last update. Asked for again, they are still there, unless an update
/// was committed or a proxy destroyed since.
cltStatus cltPublication_SetPairs( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                   const cltProxyTable* table, cltWorkerPool* pool );

void cltPublication_Release( cltPublication* publication, cltMemory* memory );

#endif
