// SPDX-License-Identifier: Zlib
/// \file host_backend.h
/// The host's processors in the GPU's place: all state of one broadphase on the CPU.
#ifndef CLT_HOST_BACKEND_H
#define CLT_HOST_BACKEND_H

#include "gpu/backend.h"
#include "gpu/host/choose.h"
#include "gpu/host/pair_list.h"
#include "gpu/host/reference/searches.h"
#include "gpu/host/wide/wide.h"

typedef struct cltHostBackend
{
    cltBackend base;
    const cltBroadphaseDef* def;
    cltChoice choice;
    cltMemory* memory;
    cltWorkerPool* pool;

    cltUpload upload;         ///< of the update in progress, or for the pairs that are asked for
    uint32_t slotCount;       ///< slots as of the last upload
    uint32_t liveChangeCount; ///< changed slots that still have a proxy: without any, nothing began or ended
    bool filtersChanged;      ///< some filter differs from the one as of the last committed update
    cltBuffer boxesBefore;    ///< by slot, as of the last committed update: for the leaves after an update that failed

    cltWide wide;

    // the other algorithms
    cltLeafTable table;
    cltLbvh lbvh;
    cltGridCells gridCells;
    bool current;        ///< table and search structure hold the last committed update
    bool renewable;      ///< they did when this update began, and no slot appeared or was destroyed since
    bool viewable;       ///< table and blocks cover all proxies that have not changed since the last committed update
    uint64_t generation; ///< of the leaves, counted up by every build

    cltPairSink sink; ///< the changes of the last update, until pairs are searched
    cltPairList pairList;
    cltRadixSort sort;
    double lap; ///< when the last stage ended, by cltNowMs
    cltBackendStats stats;
} cltHostBackend;

static inline bool cltHostBackend_UsesWide( const cltHostBackend* host )
{
    return host->choice.algorithm == clt_algorithmWide;
}

/// Fills the sink with what is to be found, in canonical order (host_search.c).
cltStatus cltHostBackend_Search( cltHostBackend* host, cltFind find );

#endif
