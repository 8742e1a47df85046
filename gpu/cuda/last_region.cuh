// SPDX-License-Identifier: Zlib
/// \file last_region.cuh
/// Decides whether a new order of the leaves keeps the current region or finds a new one.
///
/// Curve codes resolve the region (gpu/core/scene_statistics.h). A body outside is clamped to its border, so all bodies
/// beyond one corner have the same code, and the order does not separate them: the tree's boxes above k of them
/// overlap, and some k^2 / 3 node pairs are tested. Growth of groups does not reveal this, because these groups were
/// large when they were sorted. So the criterion is this worst-case cost beside the few tests that any leaf takes.
/// Bodies that were outside when the region was found are known and not counted.
#ifndef CLT_CUDA_LAST_REGION_CUH
#define CLT_CUDA_LAST_REGION_CUH

#include "gpu/cuda/plan.cuh"

/// If more than one body in this many is new, the region says little about the scene and is not reused.
#define CLT_REGION_APPEARED_RATIO 8u

/// Most orders in a row over one region: a scene that has shrunk since would use few codes. Also the number of orders
/// with a new region each after a refusal: in a flowing scene the next order would be refused too.
#define CLT_REGION_USES 16u

/// k bodies outside are refused, and all is sorted over a new region, if k^2 exceeds this many times the leaves: they
/// may then cost some 20 tests a leaf.
#define CLT_OUTSIDE_REFUSED 64u

/// If k^2 exceeds this many times the leaves, the next order finds a new region.
#define CLT_OUTSIDE_NOTED 8u

/// True if too many bodies are outside, not counting those outside when the region was found.
CLT_HD bool cltPlan_TooManyLeftRegion( const cltPlan* plan, uint32_t knownOutsideCount, uint32_t limit )
{
    const uint64_t outsideCount = plan->placeCounts[CLT_PLACE_BORDER];
    const uint64_t count = outsideCount > knownOutsideCount ? outsideCount - knownOutsideCount : 0u;
    return count * count > (uint64_t)limit * ( plan->placeCounts[CLT_PLACE_INSIDE] + outsideCount );
}

#endif
