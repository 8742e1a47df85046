// SPDX-License-Identifier: Zlib
/// \file host_algorithm.h
/// What an algorithm does for the host's backend: one small struct of functions, filled by gpu/host/wide,
/// gpu/host/pair_matrix.c and gpu/host/reference. An algorithm owns its search structure; the bridge owns the proxies,
/// and the backend owns and sorts the keys.
///
/// The calls in an update: shouldRebuild, build, find (repeated while the sink is too small), commit. An update may
/// stop after any of these calls; the next update begins with the first call again.
#ifndef CLT_HOST_HOST_ALGORITHM_H
#define CLT_HOST_HOST_ALGORITHM_H

#include "gpu/backend.h"
#include "gpu/core/pair_change.h"
#include "gpu/core/slots.h"
#include "gpu/host/pair_sink.h"
#include "gpu/platform/worker_pool.h"

/// The slots to be searched.
typedef struct cltSearchInput
{
    cltSlots slots;
    cltPairFilters filters;
} cltSearchInput;

/// Resources of the backend that an algorithm uses for its whole life.
typedef struct cltHostResources
{
    const cltBroadphaseDef* def;
    cltMemory* memory;
    cltWorkerPool* pool;
} cltHostResources;

typedef struct cltHostAlgorithm cltHostAlgorithm;

typedef struct cltHostAlgorithmOps
{
    /// Whether the next build should start from nothing instead of applying changes.
    bool ( *shouldRebuild )( const cltHostAlgorithm* algorithm, const cltUpload* upload );

    /// Updates the search structure to `input`; `upload` has the changes.
    /// \param isFresh  builds from nothing (see shouldRebuild): a search for changes then reports all pairs as begun
    cltStatus ( *build )( cltHostAlgorithm* algorithm, const cltUpload* upload, const cltSearchInput* input,
                          bool isFresh );

    /// Puts the keys found into the sink, in any order. May enlarge the sink to keep what it found.
    cltStatus ( *find )( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input, cltPairSink* sink );

    /// Makes the current state the previous one.
    void ( *commit )( cltHostAlgorithm* algorithm );

    /// Returns the search structure to the last committed update. `committed` is the input at that update.
    cltStatus ( *restore )( cltHostAlgorithm* algorithm, const cltSearchInput* committed );

    /// As in cltBackendOps.
    const cltQueryBase* ( *viewBoxes )( const cltHostAlgorithm* algorithm );

    /// As in cltBackendOps.
    void ( *draw )( const cltHostAlgorithm* algorithm, const cltDrawing* drawing );

    /// Sets the counts of the last build and search.
    void ( *getStats )( const cltHostAlgorithm* algorithm, cltStats* stats, cltResearchStats* research );

    void ( *destroy )( cltHostAlgorithm* algorithm );
} cltHostAlgorithmOps;

/// First member of every algorithm's own struct.
struct cltHostAlgorithm
{
    const cltHostAlgorithmOps* ops;
};

/// Creates `wide`, with an instruction set that this processor has.
cltStatus cltCreateWide( const cltHostResources* resources, cltHostAlgorithm** algorithm );

/// The lanes of up to CLT_FEW_SLOTS / CLT_LANE_COUNT blocks that overlap the box, as bits.
typedef uint64_t cltMeetBlocksFcn( const cltBoxLanes* blocks, uint32_t count, const cltAabb* box );

/// Creates a matrix of pairs, for at most CLT_FEW_SLOTS slots: the bits of a row (pair_matrix.c).
cltStatus cltCreatePairMatrix( cltMeetBlocksFcn* meetBlocks, cltMemory* memory, cltHostAlgorithm** algorithm );

/// As in cltBackendOps, of a slot below CLT_FEW_SLOTS. `algorithm` must be a pair matrix.
uint64_t cltPairMatrix_PairsOf( const cltHostAlgorithm* algorithm, uint32_t slot );

/// Creates `lbvh`, `frontier`, `grid` or `bruteForce`: CPU versions of the algorithms that a device runs.
cltStatus cltCreateReference( const cltHostResources* resources, cltHostAlgorithm** algorithm );

#endif
