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

/// Tests of two boxes for each leaf from which on the grid is crowded: a tree's search looks at a few dozen nodes a
/// leaf, but the tree has to be built. Not measured on a device.
#define CLT_GRID_MAX_TESTS_PER_LEAF 256u

/// So many are never too many: about as much work as launching the kernels that build a tree.
#define CLT_GRID_FEW_TESTS ( 1u << 22 )

/// True if bodies share cells, or are outliers because they span too many, to such an extent that the tree is faster.
/// The grid's search then finds nothing.
/// \param candidateCount  in all cells
CLT_HD bool cltPlan_IsCrowded( const cltPlan* plan, uint64_t candidateCount )
{
    const uint64_t tests = candidateCount + (uint64_t)plan->cellOutlierCount * plan->leafCount;
    return tests > CLT_GRID_FEW_TESTS && tests > (uint64_t)CLT_GRID_MAX_TESTS_PER_LEAF * plan->leafCount;
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
