// SPDX-License-Identifier: Zlib
/// \file merge_sort.cuh
/// Sorts keys of which only the device knows how many there are. Room for few is one launch, and every fourfold one
/// more. Keys differ, so that there is one order, and nothing depends on who is first.
#ifndef CLT_CUDA_MERGE_SORT_CUH
#define CLT_CUDA_MERGE_SORT_CUH

#include "gpu/cuda/cuda_buffer.cuh"

typedef struct cltMergeSort
{
    uint64_t* keys;       ///< become sorted
    uint64_t* spare;      ///< overwritten
    uint64_t room;        ///< of both. Launches are for so many
    uint64_t knownCount;  ///< keys that there are at least,
    const uint64_t* more; ///< and on the device, how many more. What is beyond the room is left alone
    bool isOfLeaves;      ///< code, slot, kind is what leaves are sorted by (gpu/core/leaf.h); else the number
} cltMergeSort;

/// Launches that merge so many keys, behind the one that sorts tiles of them.
uint32_t cltMergeSort_MergeCount( uint64_t room );

cltStatus cltMergeSort_Run( const cltMergeSort* sort, cltCudaDevice* device );

#endif
