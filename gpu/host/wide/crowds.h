// SPDX-License-Identifier: Zlib
/// \file crowds.h
/// The order among lanes that share a code. The curve has 1024 cells a side over all bodies; where groups of them lie very
/// far apart, a whole group gets one code, has no order in itself, and every block of it meets every other. So a crowd that
/// shares a code is ordered along a curve over itself alone, and the crowds in that again.
#ifndef CLT_HOST_WIDE_CROWDS_H
#define CLT_HOST_WIDE_CROWDS_H

#include "gpu/host/radix_sort.h"
#include "gpu/host/wide/lanes.h"

/// Scratch; zero-initialised it is empty and valid.
typedef struct cltCrowds
{
    cltBuffer keys;
    cltRadixSort sort;
} cltCrowds;

/// Orders the crowds in sorted keys, code above and lane below. The codes are those of several curves afterwards.
cltStatus cltCrowds_Order( cltCrowds* crowds, const cltLanes* lanes, uint64_t* keys, uint32_t count,
                           cltWorkerPool* pool, cltMemory* memory );

void cltCrowds_Release( cltCrowds* crowds, cltMemory* memory );

#endif
