// SPDX-License-Identifier: Zlib
/// \file merge_sort.cuh
/// Sorts keys; only the device knows their number. A small capacity takes one launch, and each factor of four in
/// capacity one more launch. Keys are unique, so the result does not depend on the order of execution.
#ifndef CLT_CUDA_MERGE_SORT_CUH
#define CLT_CUDA_MERGE_SORT_CUH

#include "gpu/cuda/cuda_buffer.cuh"

typedef struct cltMergeSort
{
    uint64_t* keys;       ///< the keys to sort
    uint64_t* spare;      ///< scratch memory for as many keys
    uint64_t room;        ///< the capacity of `keys` and of `spare`, which determines the launches
    uint64_t knownCount;  ///< the part of the number of keys that the host knows
    const uint64_t* more; ///< the rest of the number, in device memory. Keys beyond the capacity are not touched
    bool isOfLeaves;      ///< sorts by code, slot and kind (gpu/core/leaf.h); else by value
} cltMergeSort;

/// The number of launches that merge, which follow the launch that sorts tiles.
uint32_t cltMergeSort_MergeCount( uint64_t room );

cltStatus cltMergeSort_Run( const cltMergeSort* sort, cltCudaDevice* device );

#endif
