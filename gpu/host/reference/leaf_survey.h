// SPDX-License-Identifier: Zlib
/// \file leaf_survey.h
/// What the leaves will be like, before there are any: how many each chunk of slots gives, their sizes and bounds.
#ifndef CLT_HOST_LEAF_SURVEY_H
#define CLT_HOST_LEAF_SURVEY_H

#include "gpu/core/survey.h"
#include "gpu/platform/worker_pool.h"

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

/// One past the last slot of a chunk.
uint32_t cltSurvey_ChunkEnd( const cltSurvey* survey, const cltSlots* slots, uint32_t chunk );

cltStatus cltSurvey_Run( cltSurvey* survey, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory );

#endif
