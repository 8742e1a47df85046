// SPDX-License-Identifier: Zlib
/// \file broadphase.h
/// The internals of a broadphase.
#ifndef CLT_BRIDGE_BROADPHASE_H
#define CLT_BRIDGE_BROADPHASE_H

#include "bridge/proxy_table.h"
#include "bridge/publish.h"
#include "gpu/queries.h"

struct cltBroadphase
{
    cltBroadphaseDef def; ///< `research` points to the next member
    cltResearchDef research;
    cltMemory memory;
    cltBackend* backend;
    cltProxyTable table;
    cltPublication publication;
    cltQueries* queries;
    cltStats stats;
    cltResearchStats researchStats;

    // for bridge/backend_switch.h
    cltDeviceOffer offer;    ///< the device to be promoted to
    bool mayBePromoted;      ///< promotion is enabled and was not tried yet
    uint32_t quietCount;     ///< updates since the last query in which enough proxies moved for a promotion
    int deviceOwner;         ///< id of the process that created the backend; meaningless on the CPU
    cltStatus deviceFailure; ///< the failure of a device that is no longer used; clt_ok if there is none
};

cltQueryView cltBroadphase_View( const cltBroadphase* broadphase );

/// clt_wrongPrecision if the broadphase does not take double boxes. Callers check for NULL.
static inline cltStatus cltBroadphase_CheckDouble( const cltBroadphase* broadphase )
{
    return broadphase == NULL || broadphase->def.precision == clt_precisionDouble ? clt_ok : clt_wrongPrecision;
}

/// Must be called before a proxy changes. Indexes changed proxies for queries if many were tested one by one.
static inline void cltBroadphase_BeforeChange( cltBroadphase* broadphase )
{
    if ( atomic_load_explicit( &broadphase->table.queries->boxTestCount, memory_order_relaxed ) >= CLT_MANY_BOX_TESTS )
    {
        const cltQueryView view = cltBroadphase_View( broadphase );
        cltQueries_BeforeChange( broadphase->queries, &view );
    }
}

#endif
