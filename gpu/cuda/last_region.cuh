// SPDX-License-Identifier: Zlib
/// \file last_region.cuh
/// When a new order of the leaves is one over the region that there is, and when another one is found.
///
/// Codes of the curve are spent on the region (gpu/core/scene_statistics.h). Who lies beyond it is clamped onto its
/// border, so those beyond a corner have the same code and nothing keeps them apart in the order: the boxes of the tree
/// above k of them overlap, and some k^2 / 3 pairs of nodes are tested. Nothing tells so later, for an order is kept
/// until its groups have grown, and these were large when they were sorted. So not a share of the leaves decides but
/// what they cost at worst, beside the few tests that any leaf takes. Those that a region left out when it was found
/// cost what they would over any: those are known, and others count.
#ifndef CLT_CUDA_LAST_REGION_CUH
#define CLT_CUDA_LAST_REGION_CUH

#include "gpu/cuda/plan.cuh"

/// With more than one in so many bodies new, the region says little of where all are: it is not tried.
#define CLT_REGION_APPEARED_RATIO 8u

/// Orders in a row over one region: a world that has shrunk since it was found would have few codes. And orders with a
/// region of their own after one was refused: where bodies flow, the next one would be, too.
#define CLT_REGION_USES 16u

/// k outside are too many when k^2 is above so many times the leaves, and all is sorted once more over another region:
/// they may cost as much as some 20 tests a leaf.
#define CLT_OUTSIDE_REFUSED 64u

/// And the next order has another region when k^2 is above so many times the leaves.
#define CLT_OUTSIDE_NOTED 8u

/// True if too many lie outside beside those that the region left out when it was found.
CLT_HD bool cltPlan_AreOutside( const cltPlan* plan, uint32_t knownOutsideCount, uint32_t limit )
{
    const uint64_t outsideCount = plan->placeCounts[CLT_PLACE_BORDER];
    const uint64_t count = outsideCount > knownOutsideCount ? outsideCount - knownOutsideCount : 0u;
    return count * count > (uint64_t)limit * ( plan->placeCounts[CLT_PLACE_INSIDE] + outsideCount );
}

#endif
