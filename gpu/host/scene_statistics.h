// SPDX-License-Identifier: Zlib
/// \file scene_statistics.h Scene statistics on the host: the number of leaves, which leaves are outliers, and the
/// region of nearly all other leaves. The results are the same on any number of threads.
#ifndef CLT_HOST_SCENE_STATISTICS_H
#define CLT_HOST_SCENE_STATISTICS_H

#include "gpu/core/scene_statistics.h"
#include "gpu/platform/worker_pool.h"

typedef struct cltSceneStatistics
{
    cltBuffer chunks; ///< cltSizeBin, CLT_SIZE_BIN_COUNT for each chunk of slots

    uint32_t outlierBin; ///< boxes of this bin and above are outliers
    uint32_t leafCount;
    uint32_t searchableCount; ///< leaves that are no outliers
    float lower[3];           ///< the region of nearly all searchable leaves' centres
    float upper[3];
    float longestEdge; ///< of the searchable leaves; infinite if one of their boxes is inverted or infinite
} cltSceneStatistics;

/// A sample of centres.
typedef struct cltCenterSample
{
    float centers[3][CLT_SAMPLE_SIZE];
    uint32_t count;
} cltCenterSample;

/// Adds the centre of a box if it is finite.
void cltCenterSample_Add( cltCenterSample* sample, const cltAabb* box );

/// The region of a sample; sorts the sample.
/// \return false if the sample has no extent on the axis, or one that exceeds float
bool cltCenterSample_Region( cltCenterSample* sample, int axis, float* lower, float* upper );

/// \param binsAboveMedian  the smallest distance of an outlier's bin from the median's bin
/// \param[out] leafCounts  by slot, the number of its leaves; may be NULL
cltStatus cltSceneStatistics_Gather( cltSceneStatistics* statistics, const cltSlots* slots, uint32_t binsAboveMedian,
                                     uint64_t* leafCounts, cltWorkerPool* pool, cltMemory* memory );

void cltSceneStatistics_Release( cltSceneStatistics* statistics, cltMemory* memory );

#endif
