// SPDX-License-Identifier: Zlib
/// \file sort_pairs.cuh
/// Sorts the keys that a search found. Only the device knows their number. Most bodies have few changed pairs, so the
/// keys are sorted by small groups (gpu/core/pair_key.h):
///
///     count    in the search: each key's place within its group, by arrival (key_sink.cuh)
///     scan     the first place of each group: a prefix sum over all groups
///     place    each key goes to its group
///     rank     each key goes to its place by value: it counts the smaller keys of its group
///
/// Keys are unique, so the result does not depend on the order of execution.
///
/// A key reads all keys of its group, so large groups are left unsorted. The plan then has the size of the largest, and
/// the host sorts all keys by cltSortPairKeys.
#ifndef CLT_CUDA_SORT_PAIRS_CUH
#define CLT_CUDA_SORT_PAIRS_CUH

#include "gpu/cuda/key_sink.cuh"
#include "gpu/cuda/plan.cuh"

typedef struct cltPairSort
{
    cltCudaBuffer counts;  ///< by group, uint32_t; all 0 before a search
    cltCudaBuffer firsts;  ///< by group, uint32_t: the place of its first key; one more for the end of the last group
    cltCudaBuffer offsets; ///< by key found, uint32_t: its place within its group
    cltCudaBuffer grouped; ///< the keys, group by group
    cltCudaBuffer scratch; ///< of the scan
    bool isSkipped;        ///< the last sort had too large a capacity, and did nothing
    bool isPending;        ///< set by the caller before a search: `counts` are not 0 until the sort is enqueued
} cltPairSort;

/// Reserves memory for up to `room` keys.
cltStatus cltPairSort_Reserve( cltPairSort* sort, cltCudaDevice* device, uint32_t slotBits, uint64_t room );

/// Makes a sink, with its keys and its capacity, count keys by group.
void cltPairSort_SetSink( const cltPairSort* sort, cltKeySink* sink, uint32_t slotBits );

/// Enqueues the sort of the keys in a sink that counted them, and sets the counts back to 0.
cltStatus cltPairSort_Enqueue( cltPairSort* sort, cltCudaDevice* device, const cltKeySink* sink, cltPlan* plan );

/// True if the sort left keys unsorted. \param plan  the host's copy
bool cltPairSort_IsIncomplete( const cltPairSort* sort, const cltPlan* plan );

#endif
