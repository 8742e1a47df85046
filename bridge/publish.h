// SPDX-License-Identifier: Zlib
/// \file publish.h
/// The pairs that the caller reads, unpacked from a backend's keys.
#ifndef CLT_BRIDGE_PUBLISH_H
#define CLT_BRIDGE_PUBLISH_H

#include "bridge/proxy_table.h"

/// The pairs that the caller last received.
typedef struct cltPublication
{
    cltBuffer changes; ///< cltPair, ended pairs first
    cltBuffer pairs;   ///< cltPair
    size_t pairCount;
    cltShrinkPolicy shrinkPolicy;
    bool hasPairs; ///< `pairs` are those of the last committed update, and no proxy was destroyed since
} cltPublication;

/// Unpacks the changes of an update. \param pool  NULL: this thread does all work
cltStatus cltPublication_SetChanges( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                     cltWorkerPool* pool, cltPairChanges* changes );

/// Unpacks all pairs, except those of proxies destroyed since the last update. Does nothing if `pairs` is up to date.
cltStatus cltPublication_SetPairs( cltPublication* publication, cltMemory* memory, const cltPairKeys* keys,
                                   const cltProxyTable* table, cltWorkerPool* pool );

void cltPublication_Release( cltPublication* publication, cltMemory* memory );

#endif
