// SPDX-License-Identifier: Zlib
/// \file plan.cuh
/// What the stages of one update tell each other, without asking the host: it lives on the device, each kernel reads what
/// the ones before it wrote, and only after the search the host gets a copy. So the host never waits in between. The price:
/// it has to launch for as many leaves and cells as there is room for, and threads beyond those that there are go away.
#ifndef CLT_CUDA_PLAN_CUH
#define CLT_CUDA_PLAN_CUH

#include "gpu/core/curve.h"
#include "gpu/core/grid.h"
#include "gpu/cuda/cuda_buffer.cuh"

typedef struct cltPlan
{
    // the survey
    cltCurve curve;
    cltGrid grid;
    uint32_t asideBin;
    uint32_t neededLeafCount; ///< leaves that there are
    uint32_t leafCount;       ///< the same, or 0 if there is not room for all: then nothing is searched
    uint32_t searchableCount; ///< those in front, which are not aside

    // the tree
    uint32_t moverCount; ///< searchable leaves that are not still, if they are listed

    // the cells
    uint32_t cellAsideCount;   ///< leaves that the grid does not hold
    uint64_t neededEntryCount; ///< entries that there are
    uint64_t candidateCount;   ///< in all cells, or 0 if there is not room for all entries

    // the search
    uint64_t keyCount; ///< keys that were found, those that did not fit too
} cltPlan;

#endif
