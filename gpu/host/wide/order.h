// SPDX-License-Identifier: Zlib
/// \file order.h
/// The order along the curve: where lanes go when they are sorted, and when sorting them pays.
#ifndef CLT_HOST_WIDE_ORDER_H
#define CLT_HOST_WIDE_ORDER_H

#include "gpu/core/curve.h"
#include "gpu/host/radix_sort.h"
#include "gpu/host/scene_statistics.h"
#include "gpu/host/wide/lanes.h"

typedef struct cltOrder
{
    cltCurve curve;        ///< of the last sort
    uint64_t unsortedCost; ///< blocks of unsorted lanes that searches went through since then
    cltSceneStatistics statistics;
    cltBuffer keys;     ///< uint64_t: code above, lane or slot below
    cltBuffer cellKeys; ///< scratch: keys of lanes or slots that share a code
    cltRadixSort sort;
} cltOrder;

/// True if lanes up to `end` would hold so many unsorted ones that a new order costs less than searching them.
bool cltOrder_HasManyUnsorted( const cltLanes* lanes, uint32_t end );

/// True if unsorted and free lanes have cost, or will cost, as much as a new order does.
bool cltOrder_Pays( const cltOrder* order, const cltLanes* lanes );

/// Sorts the list of unplaced bodies along the curve of the last sort, so that bodies near each other share a block.
cltStatus cltOrder_SortUnplaced( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                                 cltMemory* memory );

/// Plans an order of all lanes along a new curve. Moves nothing; uses their scratch buffers.
cltStatus cltOrder_SortLanes( cltOrder* order, cltLanes* lanes, const cltUpload* upload, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan );

/// The same for all slots that have a current box, from the upload alone.
/// \param isDouble  the upload's boxes are cltAabbD
cltStatus cltOrder_SortSlots( cltOrder* order, const cltUpload* upload, bool isDouble, cltWorkerPool* pool,
                              cltMemory* memory, cltLanePlan* plan );

void cltOrder_Release( cltOrder* order, cltMemory* memory );

#endif
