// SPDX-License-Identifier: Zlib
/// \file device_merge_sort.cuh
/// Replaces CUB's merge sort for the emulated device. With it, tests check the count, the comparator and the scratch
/// memory that the backend passes, and the position of the sort in the stream. CUB's own launches and the size of its
/// scratch memory are tested on a device only (programs/).
#ifndef CLT_TESTS_EMULATED_CUB_H
#define CLT_TESTS_EMULATED_CUB_H

#include "tests/device/emulation/emulation.h"

#include <algorithm>

namespace cub
{

struct DeviceMergeSort
{
    /// As in CUB: if `scratch` is NULL, sets `scratchBytes`. Too few bytes are an error. Overwrites all scratch memory.
    template <typename Key, typename Order>
    static cudaError_t SortKeys( void* scratch, size_t& scratchBytes, Key* keys, uint64_t count, Order order,
                                 cudaStream_t stream = nullptr )
    {
        const size_t bytes = ( count + 1 ) * sizeof( Key );
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
                                       std::sort( keys, keys + count, order );
                                   } );
    }
};

} // namespace cub

#endif
