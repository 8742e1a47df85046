// SPDX-License-Identifier: Zlib
/// \file sort.cuh
/// Sorts and prefix sums on the device, in the order of the stream. The only header that knows of CUB is sort.cu.
#ifndef CLT_CUDA_SORT_CUH
#define CLT_CUDA_SORT_CUH

#include "gpu/cuda/cuda_buffer.cuh"

/// Sorts the first `count` of `keys` by their bits [firstBit, endBit), stably. `spare` must have room for as many; the
/// two may change places.
cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, cltCudaBuffer* keys, cltCudaBuffer* spare,
                       uint64_t count, uint32_t firstBit, uint32_t endBit );

/// sums[i] = values[0] + .. + values[i - 1]. The two may be the same array.
cltStatus cltScan_Run32( cltCudaDevice* device, cltCudaBuffer* scratch, const uint32_t* values, uint32_t* sums,
                         uint64_t count );
cltStatus cltScan_Run64( cltCudaDevice* device, cltCudaBuffer* scratch, const uint64_t* values, uint64_t* sums,
                         uint64_t count );

#endif
