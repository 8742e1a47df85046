// SPDX-License-Identifier: Zlib
/// \file backend.h
/// The interface between the bridge and a device: a table of functions, implemented by gpu/host and gpu/cuda.
///
/// A backend owns all computed data of one broadphase: the boxes as of the last committed update, keys, trees, cells
/// and pair lists. The bridge calls the stages in the order of cltBackendOps, once an update, from one thread. Stages
/// may enqueue work; only findChanges (for the counts) and readBack (for the result) may wait for it. On any status but
/// clt_ok the bridge stops the update. It may later repeat the update from upload on: on the same backend or, if the
/// device failed, on another backend.
///
/// Any function that returns a status may report a failed device: clt_deviceMemory, clt_deviceFailed or clt_noDevice.
/// After a failed device, and in the child of a fork, the bridge calls only viewBoxes, pairsOf, draw, getStats and
/// destroy. They must not use the device. clt_hostMemory is not a device failure: the call may be repeated.
#ifndef CLT_GPU_BACKEND_H
#define CLT_GPU_BACKEND_H

#include "bridge/cullet_research.h"
#include "gpu/core/box_lanes.h"
#include "gpu/core/slots.h"
#include "gpu/platform/memory.h"
#include "gpu/platform/worker_pool.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cltBackend cltBackend;

/// Boxes of at most this many slots are kept in lanes, too: few enough to be tested without a tree.
#define CLT_FEW_SLOTS 64u

/// Views of the proxy table, valid until the update ends. Arrays are indexed by slot and have slotCount entries.
typedef struct cltUpload
{
    const void* boxes; ///< cltAabb or cltAabbD by the def's precision; slots that are not live hold NaN
    /// `boxes` in lanes by slot, as cltCoverBox. NULL if there are more than CLT_FEW_SLOTS slots, or unless
    /// cltBackend::needsLanes
    const cltBoxLanes* lanes;
    /// boxes as of the last committed update; NaN if the slot had no box then, or if its proxy was destroyed since.
    /// Valid only for slots with CLT_SLOT_CHANGED: the boxes of other slots are as in `boxes`. May be NULL if
    /// the backend does not need it, see cltBackend::needsBeforeAbove
    const void* before;
    const cltFilter* filters;       ///< NULL when pairs are not filtered
    const cltFilter* filtersBefore; ///< of all slots, as of the last committed update; NULL if `filters` is NULL
    bool allFiltersAccept;          ///< current and previous filters accept all pairs; false if unknown
    const uint8_t* states;          ///< CLT_SLOT_* bits
    const uint32_t* changed; ///< slots with a new box, filter or proxy since the last committed update, each once
    uint32_t changedCount;
    uint32_t appearedCount;   ///< upper bound on the number of changed slots with CLT_SLOT_APPEARED
    uint32_t destroyedCount;  ///< changed slots with CLT_SLOT_DESTROYED
    uint32_t refilteredCount; ///< upper bound on the number of slots with a new filter
    uint32_t slotCount;       ///< one past the highest slot ever used
    /// The rest boxes, for an algorithm that does not search proxies at rest (gpu/rest/rest.h). A backend that may fail
    /// leaves them empty: a move within a rest margin is not in `changed`, so another backend would not find the
    /// previous box in `before`.
    struct cltRest* rest;
} cltUpload;

/// Copies the boxes of all slots as of the last committed update to `boxes`. `upload->before` may be NULL
/// only if nothing changed.
static inline void cltUpload_CopyBefore( const cltUpload* upload, size_t boxSize, void* boxes )
{
    if ( upload->slotCount > 0 )
    {
        memcpy( boxes, upload->boxes, upload->slotCount * boxSize );
    }
    for ( uint32_t i = 0; i < upload->changedCount; ++i )
    {
        const size_t offset = upload->changed[i] * boxSize;
        memcpy( (char*)boxes + offset, (const char*)upload->before + offset, boxSize );
    }
}

/// Sorted pair keys (gpu/core/pair_key.h). They belong to the backend and live until its next stage.
typedef struct cltPairKeys
{
    const uint64_t* keys;
    size_t count;
    uint32_t slotBits; ///< bits of a slot in a key
} cltPairKeys;

typedef struct cltQueryBase cltQueryBase; ///< gpu/queries.h
typedef struct cltDrawing cltDrawing;     ///< gpu/drawing.h

/// No function is optional: every backend implements all of them. Tests add a backend that fails on request.
typedef struct cltBackendOps
{
    cltDevice device;

    /// Receives the changed slots; grows buffers. `upload` is valid until the update ends. May be repeated.
    cltStatus ( *upload )( cltBackend* backend, const cltUpload* upload );

    /// Updates the search structure to the current and previous boxes.
    cltStatus ( *build )( cltBackend* backend );

    /// Finds the pairs that began or ended. If a buffer is too small, grows it and repeats the search.
    cltStatus ( *findChanges )( cltBackend* backend );

    /// Returns the change keys in canonical order: ended pairs, then pairs that began.
    cltStatus ( *readBack )( cltBackend* backend, cltPairKeys* changes );

    /// Makes the current boxes and filters the previous ones. Must not fail. Separate from readBack, because the bridge
    /// uses the result between the two calls, and this use may fail.
    void ( *commit )( cltBackend* backend );

    /// All pairs as of the last committed update, in canonical order. They may include pairs of proxies that have been
    /// destroyed since then.
    /// \param table  the upload that an update would get if it began in place of this call
    cltStatus ( *readPairs )( cltBackend* backend, const cltUpload* table, cltPairKeys* pairs );

    /// A hierarchy for queries over the boxes as of the last committed update, or NULL. It contains every proxy that
    /// has not changed since that update, and is valid until the next build or readPairs.
    const cltQueryBase* ( *viewBoxes )( const cltBackend* backend );

    /// Slots below CLT_FEW_SLOTS that were a pair with this slot as of the last committed update, as bits. Some or all
    /// may be left out.
    uint64_t ( *pairsOf )( const cltBackend* backend, uint32_t slot );

    /// Draws the search structure as of the last committed update, and its bodies. Draws nothing if the host has no
    /// such structure. The bridge draws the bodies that were not drawn.
    void ( *draw )( const cltBackend* backend, const cltDrawing* drawing );

    /// Statistics of the last update. Fields that only the bridge can fill are 0.
    void ( *getStats )( const cltBackend* backend, cltStats* stats, cltResearchStats* research );

    /// Frees all memory. If the device failed, or in the child of a fork, device memory is not freed.
    void ( *destroy )( cltBackend* backend );
} cltBackendOps;

/// For cltBackend::needsBeforeAbove: cltUpload::before is never read.
#define CLT_NEVER_BEFORE UINT32_MAX

/// First member of every backend's own struct.
struct cltBackend
{
    const cltBackendOps* ops;
    /// cltUpload::before is needed if there are, or ever were, more slots than this. A replacement of this backend may
    /// need it, too. The first update with more slots must not depend on it: slots that changed earlier have none
    uint32_t needsBeforeAbove;
    bool needsLanes;     ///< cltUpload::lanes is read
    cltWorkerPool* pool; ///< threads that the bridge may use between updates; NULL: none
    const char* failure; ///< the device's error message, for people; NULL or empty if it has not failed
};

/// clt_invalidArgument if the CPU does not support the def. Also called for a device: the CPU may have to take over.
cltStatus cltCheckHostDef( const cltBroadphaseDef* def );

/// `def` must be valid, and its `research` not NULL. `def` and `memory` must outlive the backend.
cltStatus cltCreateHostBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );
cltStatus cltCreateCudaBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );

typedef cltStatus cltCreateBackendFcn( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );

/// A device that a broadphase on the CPU may be promoted to.
typedef struct cltDeviceOffer
{
    cltCreateBackendFcn* create;
    uint32_t patience; ///< promotes after this many updates with enough moving bodies, if no query came in between
} cltDeviceOffer;

cltDeviceOffer cltOfferCuda( void );

typedef struct cltDeviceChoice
{
    cltDevice device;   ///< the device to start on; never clt_deviceAuto
    bool mayBePromoted; ///< the broadphase may move from the CPU to a device, as soon as that pays
    const char* reason; ///< static text
} cltDeviceChoice;

cltDeviceChoice cltChooseDevice( const cltBroadphaseDef* def );

/// Reports what is known of the device without creating a backend. Asks the driver only whether it is installed.
void cltReportCuda( cltDeviceReport* report );

#ifdef __cplusplus
}
#endif

#endif
