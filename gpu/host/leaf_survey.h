// SPDX-License-Identifier: Zlib
/// \file leaf_survey.h
/// What the leaves will be like, before there are any: how many each chunk of slots gives, their sizes and bounds.
#ifndef CLT_HOST_LEAF_SURVEY_H
#define CLT_HOST_LEAF_SURVEY_H

#include "gpu/core/leaf.h"
#include "gpu/host/worker_pool.h"

/// Sizes by the exponent of the longest edge, which is the upper 8 bits of a positive float.
#define CLT_SIZE_BIN_COUNT 256u

/// For boxes that have no size: infinite or inverted.
#define CLT_ODD_SIZE_BIN 255u

/// At most this many bodies are set aside for being large or odd, because each is tested against everything; if there are
/// more, they are no exception and go into the tree. (The grid has a list of its own, without a limit, for what spans too
/// many cells.)
#define CLT_ASIDE_LIMIT 32u

/// Leaves of one size.
typedef struct cltSizeBin
{
    uint32_t count;
    float lower[3]; ///< bounds of the centres
    float upper[3];
    double edgeSum;
} cltSizeBin;

/// Leaves of one chunk of slots.
typedef struct cltChunkSurvey
{
    cltSizeBin bins[CLT_SIZE_BIN_COUNT];
    uint32_t moverCount;
    uint32_t beforeCount; ///< of the kind CLT_LEAF_BEFORE
    uint32_t keyStart;    ///< where this chunk's searchable leaves go
    uint32_t asideStart;
} cltChunkSurvey;

typedef struct cltSurvey
{
    cltBuffer chunks; ///< cltChunkSurvey
    uint32_t chunkSize;
    uint32_t chunkCount;

    uint32_t asideBin; ///< boxes of this bin and above are set aside
    uint32_t leafCount;
    uint32_t searchableCount; ///< those not aside
    uint32_t moverCount;
    uint32_t beforeCount;
    float lower[3]; ///< where nearly all of the searchable leaves' centres are
    float upper[3];
    float meanEdge; ///< mean longest edge of the searchable leaves
} cltSurvey;

/// The bin of a box's size.
uint32_t cltSizeBin_Of( const cltAabb* box );

/// One past the last slot of a chunk.
uint32_t cltSurvey_ChunkEnd( const cltSurvey* survey, const cltSlots* slots, uint32_t chunk );

cltStatus cltSurvey_Run( cltSurvey* survey, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory );

#endif
