// SPDX-License-Identifier: Zlib
/// \file device_merge_sort.cuh
/// Replaces CUB's merge sort for the emulated device. It shows that the count, the comparator, the scratch memory and
/// the place in the stream are right. It cannot show CUB itself: its launches and the size of its scratch memory. Tests
/// on a device do (programs/).
#ifndef CLT_TESTS_EMULATED_CUB_H
#define CLT_TESTS_EMULATED_CUB_H

#include "tests/device/emulation/emulation.h"

#include <algorithm>

namespace cub
{

struct DeviceMergeSort
{
    /// As CUB's: without scratch memory asks for its size; too little of it is an error. All of it is overwritten.
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
            return emulation::note( cudaErrorInvalidValue );
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
