// SPDX-License-Identifier: Zlib
/// \file rebalance.h
/// Moves unsorted bodies into the order without sorting all lanes: a window of blocks is sorted together with the
/// unsorted bodies that belong there, and its free lanes are spread evenly, so that bodies find one near again. The
/// ordered lanes are a packed memory array; Itai, Konheim and Rodeh, A sparse table implementation of priority queues,
/// 1981, rebalance theirs in the same way.
#ifndef CLT_HOST_WIDE_REBALANCE_H
#define CLT_HOST_WIDE_REBALANCE_H

#include "gpu/host/wide/order.h"

/// Blocks whose lanes have changed; all unsorted blocks have changed, too, if these are not empty.
typedef struct cltBlockRange
{
    uint32_t first;
    uint32_t end;
} cltBlockRange;

/// Rebalances a window if unsorted bodies have cost as much. The current and previous boxes of all lanes must be equal.
/// Does nothing if the window has no free lane, or if memory runs out.
cltBlockRange cltOrder_RebalanceIfItPays( cltOrder* order, cltLanes* lanes, const cltUpload* upload,
                                          cltMemory* memory );

#endif
