// SPDX-License-Identifier: Zlib
/// \file sort_keys.cuh
/// Sorts and prefix sums in device memory, by CUB.
///
/// A sort takes the number of keys from the host. If only the device knows the number, the whole capacity is set to
/// CLT_NO_KEY before keys are written, and then sorted: CLT_NO_KEY sorts last. Other keys are unique, so the result
/// does not depend on the order of execution.
#ifndef CLT_CUDA_SORT_KEYS_CUH
#define CLT_CUDA_SORT_KEYS_CUH

#include "gpu/cuda/cuda_buffer.cuh"

/// Enqueues an operation that sets keys to CLT_NO_KEY.
cltStatus cltClearKeys( cltCudaDevice* device, uint64_t* keys, uint64_t count );

/// Reserves scratch memory for sorts of up to `count` keys; sorts of one stream may share it.
cltStatus cltReserveSort( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t count );

/// Enqueues a sort by code, slot and kind (gpu/core/leaf.h).
cltStatus cltSortLeafKeys( cltCudaDevice* device, const cltCudaBuffer* scratch, uint64_t* keys, uint64_t count );

/// Enqueues a sort by value.
cltStatus cltSortPairKeys( cltCudaDevice* device, const cltCudaBuffer* scratch, uint64_t* keys, uint64_t count );

/// Reserves scratch memory for cltScan.
cltStatus cltReserveScan( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t count );

/// Enqueues prefix sums: `sums` i becomes the sum of the first i counts, for i below `count`.
cltStatus cltScan( cltCudaDevice* device, const cltCudaBuffer* scratch, const uint32_t* counts, uint32_t* sums,
                   uint32_t count );

#endif
