// SPDX-License-Identifier: Zlib
/// \file pair_difference.h
/// The difference of two lists of all pairs. If many bodies have large displacements, finding all current pairs and
/// comparing them with the previous ones is faster than searching each body twice.
#ifndef CLT_HOST_PAIR_DIFFERENCE_H
#define CLT_HOST_PAIR_DIFFERENCE_H

#include "gpu/platform/worker_pool.h"

/// All pairs, as keys of pairs that began, in ascending order.
typedef struct cltSortedPairs
{
    const uint64_t* keys;
    size_t count;
} cltSortedPairs;

typedef struct cltPairDifference
{
    cltBuffer changes; ///< uint64_t, keys in canonical order
    size_t count;
} cltPairDifference;

/// Both lists must have the same slotBits. On an error the result is empty.
cltStatus cltPairDifference_Find( cltPairDifference* difference, cltSortedPairs before, cltSortedPairs now,
                                  uint32_t slotBits, cltWorkerPool* pool, cltMemory* memory );

void cltPairDifference_Release( cltPairDifference* difference, cltMemory* memory );

#endif
