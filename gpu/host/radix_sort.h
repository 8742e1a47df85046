// SPDX-License-Identifier: Zlib
/// \file radix_sort.h
/// Parallel stable sort of 64-bit keys by some of their bits.
#ifndef CLT_HOST_RADIX_SORT_H
#define CLT_HOST_RADIX_SORT_H

#include "gpu/platform/worker_pool.h"

/// Scratch memory of the sort. Empty and valid if zero-initialised.
typedef struct cltRadixSort
{
    cltBuffer spare;  ///< a second array of keys
    cltBuffer counts; ///< a histogram of each chunk, followed by those of the chunks of a bucket that is split again
} cltRadixSort;

/// Sorts the first `count` keys by their bits [firstBit, endBit). Bits from endBit on must be the same in all keys.
cltStatus cltRadixSort_Run( cltRadixSort* sort, cltWorkerPool* pool, cltMemory* memory, cltBuffer* keys, size_t count,
                            uint32_t firstBit, uint32_t endBit );

void cltRadixSort_Release( cltRadixSort* sort, cltMemory* memory );

#endif
