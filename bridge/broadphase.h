// SPDX-License-Identifier: Zlib
/// \file broadphase.h
/// The broadphase as the bridge's own files see it.
#ifndef CLT_BRIDGE_BROADPHASE_H
#define CLT_BRIDGE_BROADPHASE_H

#include "bridge/proxy_table.h"
#include "bridge/publish.h"
#include "gpu/queries.h"

struct cltBroadphase
{
    cltBroadphaseDef def; ///< `research` points to the one below
    cltResearchDef research;
    cltMemory memory;
    cltBackend* backend;
    cltProxyTable table;
    cltPublication publication;
    cltQueries* queries;
    cltStats stats;
    cltResearchStats researchStats;
    double lap; ///< when the last stage of an update ended, by cltNowMs

    // for bridge/backend_switch.h
    cltDeviceOffer offer;    ///< the device that there may be
    bool mayBePromoted;      ///< to that device; it is tried once
    uint32_t quietCount;     ///< updates that were worth it, since the last query
    int deviceOwner;         ///< the process that made the backend
    cltStatus deviceFailure; ///< of a device that will not be asked any more; clt_ok while all is well
};

cltQueryView cltBroadphase_View( const cltBroadphase* broadphase );

/// Whether it takes double boxes. One that is not there is refused by whatever is called next.
static inline cltStatus cltBroadphase_CheckDouble( const cltBroadphase* broadphase )
{
    return broadphase == NULL || broadphase->def.precision == clt_precisionDouble ? clt_ok : clt_wrongPrecision;
}

/// To be called before anything changes about a proxy.
static inline void cltBroadphase_BeforeChange( cltBroadphase* broadphase )
{
    if ( atomic_load_explicit( &broadphase->table.queries->looked, memory_order_relaxed ) >= CLT_LOOKED_AT_MANY )
    {
        const cltQueryView view = cltBroadphase_View( broadphase );
        cltQueries_BeforeChange( broadphase->queries, &view );
    }
}

#endif
