// SPDX-License-Identifier: Zlib
/// \file search.h
/// Who searches: all ordered blocks one-sided and the unsorted lanes on their own, or the movers alone.
#ifndef CLT_HOST_WIDE_SEARCH_H
#define CLT_HOST_WIDE_SEARCH_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/movers.h"
#include "gpu/platform/worker_pool.h"

/// \param unsorted  the blocks behind the ordered ones, whose lanes all are movers
void cltWideSearch_All( const cltWideSearch* search, const cltWideKernels* kernels, const cltBlockList* unsorted,
                        cltWorkerPool* pool );

void cltWideSearch_Movers( const cltWideSearch* search, const cltWideKernels* kernels, const cltBlockList* moved,
                           cltWorkerPool* pool );

#endif
