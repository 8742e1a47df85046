// SPDX-License-Identifier: Zlib
/// \file leaves.h
/// All leaves of an update in the order of the curve, with their boxes beside them: what every search here reads. The
/// twin of gpu/cuda/device_leaves.cuh, step by step, so that keys and leaves are the same bytes.
#ifndef CLT_HOST_LEAVES_H
#define CLT_HOST_LEAVES_H

#include "gpu/host/radix_sort.h"
#include "gpu/host/scene_statistics.h"

typedef struct cltLeafTable
{
    cltSceneStatistics statistics;
    cltBuffer starts; ///< uint32_t, by slot: how many leaves it gives, then where they go
    cltBuffer keys;   ///< uint64_t, sorted: curve code above, reference below; outliers last
    cltBuffer refs;
    cltBuffer now;
    cltBuffer before;
    cltRadixSort sort;

    cltLeaves leaves;         ///< view of the buffers above
    uint32_t searchableCount; ///< leaves in the tree or the grid; those behind them are outliers
} cltLeafTable;

/// Makes the leaves of all slots. `leaves.filters` and `slotBits` are the caller's.
cltStatus cltLeafTable_Make( cltLeafTable* table, const cltSlots* slots, cltWorkerPool* pool, cltMemory* memory );

void cltLeafTable_Release( cltLeafTable* table, cltMemory* memory );

#endif
