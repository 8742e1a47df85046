// SPDX-License-Identifier: Zlib
/// \file broadphase.h
/// The broadphase as the bridge's own files see it.
#ifndef CLT_BRIDGE_BROADPHASE_H
#define CLT_BRIDGE_BROADPHASE_H

#include "bridge/proxy_table.h"
#include "bridge/publish.h"

struct cltBroadphase
{
    cltBroadphaseDef def;
    cltMemory memory;
    cltBackend* backend;
    cltProxyTable table;
    cltPublication publication;
    cltStats stats;
};

#endif
