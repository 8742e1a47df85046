// SPDX-License-Identifier: Zlib
/// \file merge_sort.cuh
/// Sorts keys; only the device knows their number. A small capacity takes one launch, each factor of four one more.
/// Keys are unique, so the result does not depend on the order of execution.
#ifndef CLT_CUDA_MERGE_SORT_CUH
#define CLT_CUDA_MERGE_SORT_CUH

#include "gpu/cuda/cuda_buffer.cuh"

typedef struct cltMergeSort
{
    uint64_t* keys;       ///< become sorted
    uint64_t* spare;      ///< overwritten
    uint64_t room;        ///< capacity of both, which determines the launches
    uint64_t knownCount;  ///< known part of the count,
    const uint64_t* more; ///< in device memory: the rest of the count. Keys beyond the capacity are not touched
    bool isOfLeaves;      ///< sorts by code, slot and kind (gpu/core/leaf.h); else by value
} cltMergeSort;

/// Number of merge launches after the launch that sorts tiles.
uint32_t cltMergeSort_MergeCount( uint64_t room );

cltStatus cltMergeSort_Run( const cltMergeSort* sort, cltCudaDevice* device );

#endif
