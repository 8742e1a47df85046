// SPDX-License-Identifier: Zlib
/// \file device_scan.cuh
/// Replaces CUB's prefix sum for the emulated device, as device_merge_sort.cuh replaces its sort.
#ifndef CLT_TESTS_EMULATED_CUB_SCAN_H
#define CLT_TESTS_EMULATED_CUB_SCAN_H

#include "tests/device/emulation/emulation.h"

#include <algorithm>
#include <numeric>

namespace cub
{

struct DeviceScan
{
    /// As in CUB: if `scratch` is NULL, sets `scratchBytes`. Too few bytes are an error. Overwrites all scratch memory.
    template <typename Value>
    static cudaError_t ExclusiveSum( void* scratch, size_t& scratchBytes, const Value* values, Value* sums,
                                     uint32_t count, cudaStream_t stream = nullptr )
    {
        const size_t bytes = count / 2048 + 1;
        if ( scratch == nullptr )
        {
            scratchBytes = bytes;
            return emulation::beginCall();
        }
        if ( scratchBytes < bytes )
        {
            return emulation::recordError( cudaErrorInvalidValue );
        }
        return emulation::enqueue( stream,
                                   [=]
                                   {
                                       std::fill_n( static_cast<char*>( scratch ), bytes, '\x5a' );
                                       std::exclusive_scan( values, values + count, sums, Value( 0 ) );
                                   } );
    }
};

} // namespace cub

#endif
