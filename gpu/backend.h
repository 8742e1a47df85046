// SPDX-License-Identifier: Zlib
/// \file backend.h
/// What a device does for a broadphase: one small struct of functions, filled by gpu/host and by gpu/cuda.
///
/// A backend owns everything that is computed: the boxes as of the last committed update, keys, trees, cells and pair
/// lists of one broadphase. The bridge calls the stages in the order in which they stand here, once an update, from one
/// thread. Stages may enqueue; only findChanges (for the counts) and readBack (for the result) may wait. On any status
/// but clt_ok the bridge stops the update; it may start again from upload, on the same backend or, when a device
/// failed, on another one.
///
/// A device may fail in any function that returns a status, and says so with clt_deviceMemory, clt_deviceFailed or
/// clt_noDevice. From then on, and in the child of a fork, the bridge calls nothing of it but viewBoxes, getStats and
/// destroy, which must do without the device. clt_hostMemory is no failure of a device: the call may be repeated.
#ifndef CLT_GPU_BACKEND_H
#define CLT_GPU_BACKEND_H

#include "bridge/cullet_research.h"
#include "gpu/core/slots.h"
#include "gpu/platform/memory.h"
#include "gpu/platform/worker_pool.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cltBackend cltBackend;

/// Views of the proxy table, valid until the update ends. Arrays are indexed by slot and have slotCount entries.
typedef struct cltUpload
{
    const void* boxes;        ///< cltAabb or cltAabbD by the def's precision; slots that are not live hold NaN
    const void* before;       ///< boxes as of the last committed update, NaN where there was none, or its proxy was
                              ///< destroyed since. Only of slots with CLT_SLOT_CHANGED: all others' are in `boxes`.
                              ///< NULL unless the backend needs it (cltBackend)
    const cltFilter* filters; ///< NULL when pairs are not filtered
    const cltFilter* filtersBefore; ///< of every slot, as of the last committed update. NULL when `filters` is
    bool allFiltersAccept;          ///< current and previous filters accept all pairs; false if that is not known
    const uint8_t* states;          ///< CLT_SLOT_* bits
    const uint32_t* changed; ///< slots with a new box, filter or proxy since the last committed update, each once
    uint32_t changedCount;
    uint32_t appearedCount;   ///< how many of these appeared; some may be gone again
    uint32_t destroyedCount;  ///< how many have CLT_SLOT_DESTROYED
    uint32_t refilteredCount; ///< no less than how many got another filter
    uint32_t slotCount;       ///< one past the highest slot ever used
    /// For an algorithm that spares what is at rest (gpu/rest/rest.h). NULL if nothing may be, as with a backend that
    /// may fail: moves at rest are not in `changed`, so another backend would not find their boxes in `before`.
    struct cltRest* rest;
} cltUpload;

/// Copies the boxes of all slots as of the last committed update. Needs `before`.
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
    uint32_t slotBits; ///< how wide a slot is in the keys
} cltPairKeys;

typedef struct cltQueryBase cltQueryBase; ///< gpu/queries.h

/// No optional functions: every backend fills every one, and tests add a backend that fails on request.
typedef struct cltBackendOps
{
    cltDevice device;

    /// Takes note of the changed slots; grows capacity. Repeating it is harmless.
    cltStatus ( *upload )( cltBackend* backend, const cltUpload* upload );

    /// Brings the search structure up to date with the boxes now and before.
    cltStatus ( *build )( cltBackend* backend );

    /// Finds what began and ended; grows buffers and repeats itself when they turn out too small.
    cltStatus ( *findChanges )( cltBackend* backend );

    /// Hands out the change keys in canonical order: ended, then began.
    cltStatus ( *readBack )( cltBackend* backend, cltPairKeys* changes );

    /// Makes the boxes and filters now those before. Apart from readBack, because what the bridge does with the
    /// result in between may fail; this may not.
    void ( *commit )( cltBackend* backend );

    /// All pairs as of the last committed update, in canonical order. Pairs of slots destroyed since may be among them.
    /// \param table  what an update would upload now
    cltStatus ( *readPairs )( cltBackend* backend, const cltUpload* table, cltPairKeys* pairs );

    /// A hierarchy for queries over the boxes as of the last committed update, or NULL. It holds every proxy that has
    /// not changed since, and stays as it is until the next build or readPairs.
    const cltQueryBase* ( *viewBoxes )( const cltBackend* backend );

    /// What the last update did, as far as the backend knows; what only the bridge knows is 0.
    void ( *getStats )( const cltBackend* backend, cltStats* stats, cltResearchStats* research );

    /// Gives everything back; of a device that failed, or in the child of a fork, what does not lie there.
    void ( *destroy )( cltBackend* backend );
} cltBackendOps;

/// First member of every backend's own struct.
struct cltBackend
{
    const cltBackendOps* ops;
    bool needsBefore;    ///< reads cltUpload::before; or may fail, and another backend has to begin from it
    cltWorkerPool* pool; ///< threads that the bridge may use between updates; NULL: none
    const char* failure; ///< what the device said when it failed, for people; NULL or empty while all is well
};

/// clt_invalidArgument if the CPU cannot do what the def asks for: also where a device begins, it may have to go on.
cltStatus cltCheckHostDef( const cltBroadphaseDef* def );

/// `def` is valid, its `research` is not NULL, and it belongs to the bridge like `memory`: both outlive the backend.
cltStatus cltCreateHostBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );
cltStatus cltCreateCudaBackend( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );

typedef cltStatus cltCreateBackendFcn( const cltBroadphaseDef* def, cltMemory* memory, cltBackend** backend );

/// A device, as it is offered to broadphases.
typedef struct cltDeviceOffer
{
    cltCreateBackendFcn* create;
    uint32_t patience; ///< updates that are worth it without a query between them, after which a world goes there
} cltDeviceOffer;

cltDeviceOffer cltOfferCuda( void );

typedef struct cltDeviceChoice
{
    cltDevice device;   ///< to begin with; never auto
    bool mayBePromoted; ///< from the CPU to a device, when that is worth it
    const char* reason; ///< static text
} cltDeviceChoice;

cltDeviceChoice cltChooseDevice( const cltBroadphaseDef* def );

/// What is known without creating a backend; touches a driver no more than to ask if it is there.
void cltReportCuda( cltDeviceReport* report );

#ifdef __cplusplus
}
#endif

#endif
