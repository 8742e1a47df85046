// SPDX-License-Identifier: Zlib
/// \file plan.cuh
/// What the stages of one update tell each other, without asking the host: it lives on the device, each kernel reads
/// what the ones before it wrote, and only after the search the host gets a copy. So the host never waits in between.
/// The price: it has to launch for as many leaves and cells as there is room for, and threads beyond those that there
/// are go away.
#ifndef CLT_CUDA_PLAN_CUH
#define CLT_CUDA_PLAN_CUH

#include "gpu/core/curve.h"
#include "gpu/core/grid.h"
#include "gpu/core/level_tree.h"
#include "gpu/core/scene_statistics.h"
#include "gpu/cuda/cuda_buffer.cuh"

/// Outliers of an update that keeps the order: as many as there can be when it is new, and as many again that jump or
/// grow. If more do, the order is not kept.
#define CLT_OUTLIER_ROOM ( 2u * CLT_OUTLIER_LIMIT )

/// It has the front of a buffer to itself, and behind it are the keys that were found: they come back in one copy.
typedef struct cltPlan
{
    // scene statistics
    cltCurve curve;
    cltGrid grid;
    uint32_t outlierBin;
    uint32_t neededExtraCount; ///< second leaves that there are, of bodies that jumped
    uint32_t leafCount;        ///< leaves that there are, or 0 if there is not room for all: then nothing is searched
    uint32_t searchableCount;  ///< those in front, which are no outliers
    uint64_t extraCount;       ///< second leaves that have a key

    // the order
    uint32_t placeCounts[CLT_PLACE_COUNT]; ///< leaves, by how they lie to the curve's region, if all were sorted
    uint64_t growthSum;                    ///< of all groups (gpu/core/scene_statistics.h)
    uint32_t outlierCount; ///< outliers, by leaf; those that do not fit are counted, and then nothing is searched
    uint32_t outliers[CLT_OUTLIER_ROOM];

    // the tree
    uint32_t moverCount; ///< searchable leaves that are not still, if they are listed

    // the cells, or all pairs
    uint64_t candidateCount; ///< that are to be tested

    // the passes of frontier
    uint64_t pairCounts[CLT_MAX_LEVELS]; ///< of nodes, that each found for the next one, more than fit perhaps
    uint64_t nodeTestCount;
    uint64_t frontCount;  ///< entries of the next front, more than fit perhaps
    uint64_t furthestWay; ///< bits of the double: how far who went furthest went

    // the search
    uint64_t keyCount; ///< keys that were found, those that did not fit too
} cltPlan;

/// Of what a search by passes counts from 0.
#define CLT_PLAN_PASSES_SIZE ( offsetof( cltPlan, keyCount ) - offsetof( cltPlan, pairCounts ) )

/// Where the keys begin in that buffer.
#define CLT_PLAN_ROOM ( ( sizeof( cltPlan ) + 255u ) / 256u * 256u )

static inline uint64_t* cltPlan_Keys( void* found )
{
    return (uint64_t*)( (char*)found + CLT_PLAN_ROOM );
}

/// Step: an update begins, and its stages count from 0. The leaves stay: their order may be kept.
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

/// Leaves that the tree has, of those that are in order.
CLT_HD uint32_t cltPlan_TreeLeafCount( const cltPlan* plan )
{
    return plan->outlierCount > CLT_OUTLIER_ROOM ? 0u : plan->searchableCount;
}

/// The most pairs of nodes that a pass found.
static inline uint64_t cltPlan_FrontierPeak( const cltPlan* plan )
{
    uint64_t peak = 0;
    for ( const uint64_t count : plan->pairCounts )
    {
        peak = count > peak ? count : peak;
    }
    return peak;
}

/// Updates in which what nobody needs any more has mostly gone.
#define CLT_ROOM_DECAY 64u

/// Room for the next update after one that needed `needed`: `wanted` if that was too much for it; else what is beyond
/// that goes little by little, so that what soon comes again finds its room.
static inline uint64_t cltNextRoom( uint64_t room, uint64_t needed, uint64_t wanted )
{
    if ( needed > room )
    {
        return wanted;
    }
    return room > wanted ? room - ( room - wanted ) / CLT_ROOM_DECAY - 1u : room;
}

#endif
