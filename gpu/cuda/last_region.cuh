// SPDX-License-Identifier: Zlib
/// \file last_region.cuh
/// Decides whether a new order of the leaves keeps the current region or finds a new one.
///
/// Curve codes number cells of the region (gpu/core/scene_statistics.h). A body outside gets a code of the border, so
/// all bodies beyond one corner have the same code, and the order does not separate them. The boxes of nodes above k
/// such bodies overlap, and about k^2 / 3 node pairs are tested. Growth of groups does not reveal this, because these
/// groups were large when they were sorted. So the criterion compares this worst-case cost with the few tests that each
/// leaf takes. Bodies that were outside when the region was found are known and not counted.
#ifndef CLT_CUDA_LAST_REGION_CUH
#define CLT_CUDA_LAST_REGION_CUH

#include "gpu/cuda/plan.cuh"

/// If more than one body in this many is new, the region says little about the scene and is not reused.
#define CLT_REGION_APPEARED_RATIO 8u

/// The largest number of consecutive orders over one region: a scene that has shrunk since would use few codes. Also
/// the number of orders, after a refusal, that each find a new region: in a flowing scene the next would be refused
/// too.
#define CLT_REGION_USES 16u

/// If k bodies are outside and k^2 exceeds this many times the number of leaves, the order is refused: all leaves are
/// sorted over a new region. At this limit the k bodies may cost about 20 tests per leaf.
#define CLT_OUTSIDE_REFUSED 64u

/// If k^2 exceeds this many times the number of leaves, this order stands, but the next one finds a new region.
#define CLT_OUTSIDE_NOTED 8u

/// True if too many bodies are outside, not counting those outside when the region was found.
CLT_HD bool cltPlan_TooManyLeftRegion( const cltPlan* plan, uint32_t knownOutsideCount, uint32_t limit )
{
    const uint64_t outsideCount = plan->placeCounts[CLT_PLACE_BORDER];
    const uint64_t count = outsideCount > knownOutsideCount ? outsideCount - knownOutsideCount : 0u;
    return count * count > (uint64_t)limit * ( plan->placeCounts[CLT_PLACE_INSIDE] + outsideCount );
}

#endif
