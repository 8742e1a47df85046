// SPDX-License-Identifier: Zlib
/// \file sort.cuh
/// Sorts and prefix sums on the device, in the order of the stream. The only header that knows of CUB is sort.cu.
#ifndef CLT_CUDA_SORT_CUH
#define CLT_CUDA_SORT_CUH

#include "gpu/cuda/cuda_buffer.cuh"

/// Operations that CUB puts into the stream (CUDA 13.0, keys of 64 bits): one block sorts what is little, which is
/// copied back then; else two arrays are cleared, digits counted and summed up, and for every eight bits one is cleared
/// and one pass made. A prefix sum begins and runs.
static inline uint32_t cltSort_OperationCount( uint64_t count, uint32_t bitCount )
{
    return count <= 2048u ? 2u : 4u + 2u * ( ( bitCount + 7u ) / 8u );
}
#define CLT_SCAN_OPERATION_COUNT 2u

/// Sorts the first `count` of `keys` by their bits [firstBit, endBit), stably. `spare` must have room for as many.
cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* keys, uint64_t* spare, uint64_t count,
                       uint32_t firstBit, uint32_t endBit );

/// Turns values into the sums of all before each. For uint32_t and uint64_t.
template <typename Number>
cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, Number* values, uint64_t count );

#endif
