// SPDX-License-Identifier: Zlib
/// \file host_algorithm.h
/// What an algorithm does for the host's backend: one small struct of functions, filled by gpu/host/wide and by
/// gpu/host/reference. An algorithm owns its search structure; proxies are the bridge's, keys and their order the
/// backend's.
///
/// Called in an update: wantsFreshStart, build, find (again while the sink was too small), commit. An update may stop
/// after any of them; the next one begins anew.
#ifndef CLT_HOST_HOST_ALGORITHM_H
#define CLT_HOST_HOST_ALGORITHM_H

#include "gpu/backend.h"
#include "gpu/core/pair_change.h"
#include "gpu/core/slots.h"
#include "gpu/host/pair_sink.h"
#include "gpu/platform/worker_pool.h"

/// What is to be searched, by slot.
typedef struct cltSearchInput
{
    cltSlots slots;
    cltPairFilters filters;
} cltSearchInput;

/// What the backend lends an algorithm for its whole life.
typedef struct cltHostResources
{
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltWorkerPool* pool;
} cltHostResources;

typedef struct cltHostAlgorithm cltHostAlgorithm;

typedef struct cltHostAlgorithmOps
{
    /// True if the next build had better begin anew than go by what changed.
    bool ( *wantsFreshStart )( const cltHostAlgorithm* algorithm, const cltUpload* upload );

    /// Brings the search structure up to date with `input`, which `upload` tells the changes of.
    /// \param isFresh  as wanted: what was before is forgotten, and whoever looks for changes is told all pairs as if
    ///                 they began
    cltStatus ( *build )( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input,
                          bool isFresh );

    /// Puts the keys of what is looked for into the sink, in any order. May itself make room there, to keep what it
    /// found.
    cltStatus ( *find )( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input, cltPairSink* sink );

    /// What is there now is what is there before, from here on.
    void ( *commit )( cltHostAlgorithm* algorithm );

    /// Makes the search structure that of the last committed update, if it is not. `committed` is the input as of then.
    cltStatus ( *restore )( cltHostAlgorithm* algorithm, const cltSearchInput* committed );

    /// As in cltBackendOps.
    const cltQueryBase* ( *viewBoxes )( const cltHostAlgorithm* algorithm );

    /// Fills in what the last build and search counted.
    void ( *getStats )( const cltHostAlgorithm* algorithm, cltStats* stats, cltResearchStats* research );

    void ( *destroy )( cltHostAlgorithm* algorithm );
} cltHostAlgorithmOps;

/// First member of every algorithm's own struct.
struct cltHostAlgorithm
{
    const cltHostAlgorithmOps* ops;
};

/// `wide`, with an instruction set that this processor has.
cltStatus cltCreateWide( const cltHostResources* resources, cltHostAlgorithm** algorithm );

/// `lbvh`, `frontier`, `grid` and `bruteForce`: the twins of what runs on a device.
cltStatus cltCreateReference( const cltHostResources* resources, cltHostAlgorithm** algorithm );

#endif
