// SPDX-License-Identifier: Zlib
/// \file plan.cuh
/// Results that the stages of one update pass to each other in device memory. Each kernel reads what earlier kernels
/// wrote. The host gets one copy of the plan after the search and does not wait before. So it does not know the counts:
/// it launches threads for the full capacity of leaves and cells, and surplus threads exit.
#ifndef CLT_CUDA_PLAN_CUH
#define CLT_CUDA_PLAN_CUH

#include "gpu/core/curve.h"
#include "gpu/core/grid.h"
#include "gpu/core/level_tree.h"
#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/cuda_buffer.cuh"

/// Capacity for outliers: twice the number that an order over a new region may have, because with a kept order or
/// region, leaves that moved far or grew are outliers, too. After an overflow the leaves are sorted over a new region.
#define CLT_OUTLIER_CAPACITY ( 2u * CLT_OUTLIER_LIMIT )

/// The plan. It is stored at the start of a buffer and followed by the keys found, so that one copy returns both.
typedef struct cltPlan
{
    // scene statistics
    cltCurve curve;
    cltGrid grid; ///< only if leaves are sorted by cell
    uint32_t outlierBin;
    uint32_t neededExtraCount; ///< number of second leaves: each body with a large displacement needs one
    uint32_t leafCount;        ///< number of leaves; 0 if they do not fit, so that nothing is searched
    uint32_t searchableCount;  ///< number of leaves that are not outliers; they come first
    uint64_t extraCount;       ///< number of second leaves with a key

    // the order
    uint32_t appearedCount; ///< with cullet_arrays.h: boxes that are new, or no longer NaN. Not reset by cltPlan_Begin
    uint32_t placeCounts[CLT_PLACE_COUNT]; ///< by CLT_PLACE_*, leaves of a sort: inside the region, outside, outliers
    uint64_t growthSum;                    ///< sum of cltGrowth over all groups of CLT_GROWTH_GROUP neighbouring leaves
    uint32_t outlierCount;                 ///< outliers, including overflow; after an overflow nothing is searched
    uint32_t outliers[CLT_OUTLIER_CAPACITY];

    // the tree
    uint32_t moverCount; ///< listed movers: searchable leaves that moved

    // the grid, or brute force
    uint64_t candidateCount; ///< candidates to test

    // the passes of frontier
    uint64_t pairCounts[CLT_MAX_LEVELS]; ///< node pairs that each pass queued, including overflow
    uint64_t nodeTestCount;

    // the search
    uint64_t keyCount;     ///< keys found, including overflow
    uint32_t endedCount;   ///< sorted keys of ended pairs, which come first
    uint32_t largestGroup; ///< keys of the largest group that the sort of keys left unsorted; 0 if there is none
} cltPlan;

/// The size of `pairCounts` and `nodeTestCount` together, which are cleared before each search.
#define CLT_PLAN_PASSES_SIZE ( offsetof( cltPlan, keyCount ) - offsetof( cltPlan, pairCounts ) )

/// The offset of the keys in the buffer that begins with the plan.
#define CLT_PLAN_KEYS_OFFSET ( ( sizeof( cltPlan ) + 255u ) / 256u * 256u )

static inline uint64_t* cltPlan_Keys( void* found )
{
    return (uint64_t*)( (char*)found + CLT_PLAN_KEYS_OFFSET );
}

/// Resets the counters of an update. The leaf counts stay, because the order may be kept.
CLT_HD void cltPlan_Begin( cltPlan* plan )
{
    plan->extraCount = 0;
    for ( int place = 0; place < CLT_PLACE_COUNT; ++place )
    {
        plan->placeCounts[place] = 0;
    }
    plan->growthSum = 0;
    plan->outlierCount = 0;
    plan->moverCount = 0;
    plan->candidateCount = 0;
    plan->keyCount = 0;
}

/// Leaves in the tree; 0 if the outliers overflowed.
CLT_HD uint32_t cltPlan_TreeLeafCount( const cltPlan* plan )
{
    const uint32_t count = plan->searchableCount; // both loads are issued before one is awaited
    return plan->outlierCount > CLT_OUTLIER_CAPACITY ? 0u : count;
}

/// The largest number of node pairs that a pass found.
static inline uint64_t cltPlan_FrontierPeak( const cltPlan* plan )
{
    uint64_t peak = 0;
    for ( const uint64_t count : plan->pairCounts )
    {
        peak = count > peak ? count : peak;
    }
    return peak;
}

/// Time constant, in updates, of the decay of unused capacity.
#define CLT_CAPACITY_DECAY 64u

/// Returns the capacity for the next update: `wanted` if `needed` did not fit in `room`. Otherwise capacity above
/// `wanted` decays slowly, so that a recurring peak still fits.
static inline uint64_t cltNextCapacity( uint64_t room, uint64_t needed, uint64_t wanted )
{
    if ( needed > room )
    {
        return wanted;
    }
    return room > wanted ? room - ( room - wanted ) / CLT_CAPACITY_DECAY - 1u : room;
}

// Decides whether a new order of the leaves keeps the current region or finds a new one.
//
// Curve codes number cells of the region (gpu/core/scene_statistics.h). A body outside gets a code of the border, so
// all bodies beyond one corner have the same code, and the order does not separate them. If k bodies are beyond a
// corner, the boxes of nodes above them overlap, and about k^2 / 3 node pairs are tested. The growth of groups of
// leaves does not reveal this, because groups of these bodies were already large at the sort. So the criterion compares
// k^2 / 3 with the few tests that each leaf takes. Bodies that were outside when the region was found are not counted.

/// If more than one body in this many is new, the region says little about the scene and is not reused.
#define CLT_REGION_APPEARED_RATIO 8u

/// The largest number of consecutive sorts over one region: a scene that has shrunk since would use few of its codes.
/// Also the number of sorts that each find a new region, after too many bodies were outside the kept one: in a flowing
/// scene, the next kept region would have too many bodies outside, too.
#define CLT_REGION_USES 16u

/// If k bodies are outside the region and k^2 exceeds this many times the number of leaves, all leaves are sorted again
/// over a new region. At this limit the k bodies may cost about 20 tests per leaf.
#define CLT_OUTSIDE_RESORT_LIMIT 64u

/// If k bodies are outside and k^2 exceeds this many times the number of leaves, the order is used, but the next sort
/// finds a new region.
#define CLT_OUTSIDE_NEXT_REGION_LIMIT 8u

/// True if k^2 exceeds `limit` times the number of leaves. k counts the leaves outside, less `knownOutsideCount`.
CLT_HD bool cltPlan_TooManyLeftRegion( const cltPlan* plan, uint32_t knownOutsideCount, uint32_t limit )
{
    const uint64_t outsideCount = plan->placeCounts[CLT_PLACE_BORDER];
    const uint64_t count = outsideCount > knownOutsideCount ? outsideCount - knownOutsideCount : 0u;
    return count * count > (uint64_t)limit * ( plan->placeCounts[CLT_PLACE_INSIDE] + outsideCount );
}

#endif
