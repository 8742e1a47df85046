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
#include "gpu/cuda/cuda_buffer.cuh"

typedef struct cltPlan
{
    // scene statistics
    cltCurve curve;
    cltGrid grid;
    uint32_t outlierBin;
    uint32_t neededLeafCount; ///< leaves that there are
    uint32_t leafCount;       ///< the same, or 0 if there is not room for all: then nothing is searched
    uint32_t searchableCount; ///< those in front, which are no outliers

    // the tree
    uint32_t moverCount; ///< searchable leaves that are not still, if they are listed

    // the cells
    uint32_t cellOutlierCount; ///< leaves that the grid does not hold
    uint64_t neededEntryCount; ///< entries that there are
    uint64_t candidateCount;   ///< in all cells, or 0 if there is not room for all entries

    // the search
    uint64_t keyCount; ///< keys that were found, those that did not fit too
} cltPlan;

/// True if the tree has to take the grid's place. The grid's search then finds nothing.
/// \param candidateCount  in all cells
CLT_HD bool cltPlan_IsCrowded( const cltPlan* plan, uint64_t candidateCount )
{
    const uint32_t asideCount = plan->leafCount - plan->searchableCount; // the tree tests these as well
    return cltGrid_IsCrowded( candidateCount, plan->cellOutlierCount - asideCount, plan->leafCount );
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
