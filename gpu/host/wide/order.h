// SPDX-License-Identifier: Zlib
/// \file order.h
/// The order along the curve: computes the order in which lanes are sorted, and decides when a new sort pays.
#ifndef CLT_HOST_WIDE_ORDER_H
#define CLT_HOST_WIDE_ORDER_H

#include "gpu/core/curve.h"
#include "gpu/host/radix_sort.h"
#include "gpu/host/scene_statistics.h"
#include "gpu/host/wide/free_lanes.h"
#include "gpu/host/wide/lanes.h"

typedef struct cltOrder
{
    uint64_t unsortedCost; ///< visits of blocks of unsorted lanes by searches since the last sort or rebalance
    uint64_t growthCost;   ///< visits of more blocks, because blocks with movers have grown since then
    uint32_t grownBlock;   ///< the block of which most of growthCost came lately
    uint32_t triedCount;   ///< unsorted bodies that were chosen for a rebalance
    bool isSpaced;         ///< the last sort left gaps
    cltSceneStatistics statistics;
    cltFreeLanes freeLanes;
    cltBuffer keys;     ///< uint64_t: class and code in the high bits, lane or slot in the low bits (lanes.h)
    cltBuffer cellKeys; ///< scratch: keys of lanes or slots that share a code
    cltRadixSort sort;
} cltOrder;

/// True if the lanes up to `end` include so many unsorted lanes that a new order costs less than searching these.
bool cltOrder_HasManyUnsorted( const cltLanes* lanes, uint32_t end );

/// True if unsorted lanes, free lanes or outdated filter classes have cost, or will cost, as much as a new order.
bool cltOrder_Pays( const cltOrder* order, const cltLanes* lanes );

/// Sorts the list of unplaced bodies along the curve of the last sort, so that bodies near each other share a block.
cltStatus cltOrder_SortUnplaced( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                                 cltMemory* memory );

/// Plans an order of all lanes along a new curve. Moves no lane; uses the scratch buffers of `lanes`.
/// \param[in,out] plan  its gapShift must be set
cltStatus cltOrder_SortLanes( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan );

/// Plans an order of all slots with a current box along a new curve, from the upload alone.
/// \param isDouble  the upload's boxes are cltAabbD
/// \param[in,out] plan  its gapShift must be set
cltStatus cltOrder_SortSlots( cltOrder* order, const cltUpload* upload, bool isDouble, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan );

void cltOrder_Release( cltOrder* order, cltMemory* memory );

#endif
