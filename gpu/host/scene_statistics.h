// SPDX-License-Identifier: Zlib
/// \file scene_statistics.h
/// Scene statistics on the host: how many leaves the slots give, which of them are outliers, and where nearly all of
/// the others are. The same numbers on any number of threads.
#ifndef CLT_HOST_SCENE_STATISTICS_H
#define CLT_HOST_SCENE_STATISTICS_H

#include "gpu/core/scene_statistics.h"
#include "gpu/platform/worker_pool.h"

typedef struct cltSceneStatistics
{
    cltBuffer chunks; ///< cltSizeBin, CLT_SIZE_BIN_COUNT of each chunk of slots

    uint32_t outlierBin; ///< boxes of this bin and above are outliers
    uint32_t leafCount;
    uint32_t searchableCount; ///< leaves that are no outliers
    float lower[3];           ///< where nearly all of the searchable leaves' centres are
    float upper[3];
    float longestEdge; ///< of the searchable leaves; infinite if some have no size
} cltSceneStatistics;

/// Centres that stand for many, and how many they are.
typedef struct cltCenterSample
{
    float centers[3][CLT_SAMPLE_SIZE];
    uint32_t count;
} cltCenterSample;

/// Adds the centre of a box, unless it is not finite.
void cltCenterSample_Add( cltCenterSample* sample, const cltAabb* box );

/// The region of a sample, which is sorted for it.
/// \return false for an axis on which the sample has no extent, or none that a float can hold
bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper );

/// \param binsAboveMedian  at which outliers begin
/// \param[out] leafCounts  for each slot how many leaves it gives; NULL if nobody asks
cltStatus cltSceneStatistics_Gather( cltSceneStatistics* statistics, const cltSlots* slots, uint32_t binsAboveMedian,
                                     uint64_t* leafCounts, cltWorkerPool* pool, cltMemory* memory );

void cltSceneStatistics_Release( cltSceneStatistics* statistics, cltMemory* memory );

#endif
