// SPDX-License-Identifier: Zlib
// The only file that includes CUB: with it, this file takes three times as long to compile as any other file here.

#include "gpu/cuda/sort_keys.cuh"

#include "gpu/core/pair_key.h"
#include "gpu/cuda/launch.cuh"

#define CCCL_DISABLE_NVTX // profilers show the ranges of cltCudaDeviceScope alone
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_scan.cuh>

static_assert( CLT_NO_KEY == UINT64_MAX, "cltClearKeys sets all bits" );

struct PairOrder
{
    __device__ bool operator()( uint64_t a, uint64_t b ) const
    {
        return a < b;
    }
};

/// Sorts by code, slot, then kind. A leaf's reference stores the kind above the slot, but the two leaves of a slot must
/// be adjacent.
struct LeafOrder
{
    static __device__ uint64_t Rank( uint64_t key )
    {
        const uint32_t ref = (uint32_t)key;
        return ( key >> 32 << 32 ) | ( ref << 2 ) | ( ref >> 30 );
    }

    __device__ bool operator()( uint64_t a, uint64_t b ) const
    {
        return Rank( a ) < Rank( b );
    }
};

template <typename Order>
static cltStatus EnqueueSort( cltCudaDevice* device, const char* name, const cltCudaBuffer* scratch, uint64_t* keys,
                              uint64_t count )
{
    if ( count == 0 )
    {
        return clt_ok;
    }
    size_t bytes = scratch->bytes;
    cltCudaDevice_BeginOperation( device, name );
    const cudaError_t error =
        cub::DeviceMergeSort::SortKeys( scratch->data, bytes, keys, count, Order(), device->stream );
    return cltCudaDevice_EndLaunch( device, error, name );
}

/// Asks CUB for the size with PairOrder, because the size is the same for both orders.
cltStatus cltReserveSort( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t count )
{
    size_t bytes = 0;
    CLT_TRY_CUDA( device, cub::DeviceMergeSort::SortKeys( NULL, bytes, (uint64_t*)NULL, count, PairOrder() ) );
    return cltCudaBuffer_Reserve( scratch, device, bytes, 1 );
}

cltStatus cltClearKeys( cltCudaDevice* device, uint64_t* keys, uint64_t count )
{
    return cltCudaFill( device, keys, 0xff, (size_t)count * sizeof( uint64_t ) );
}

cltStatus cltSortLeafKeys( cltCudaDevice* device, const cltCudaBuffer* scratch, uint64_t* keys, uint64_t count )
{
    return EnqueueSort<LeafOrder>( device, "sort leaves", scratch, keys, count );
}

cltStatus cltSortPairKeys( cltCudaDevice* device, const cltCudaBuffer* scratch, uint64_t* keys, uint64_t count )
{
    return EnqueueSort<PairOrder>( device, "sort pairs", scratch, keys, count );
}

cltStatus cltReserveScan( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t count )
{
    size_t bytes = 0;
    CLT_TRY_CUDA( device, cub::DeviceScan::ExclusiveSum( NULL, bytes, (uint32_t*)NULL, (uint32_t*)NULL, count ) );
    return cltCudaBuffer_Reserve( scratch, device, bytes, 1 );
}

cltStatus cltScan( cltCudaDevice* device, const cltCudaBuffer* scratch, const uint32_t* counts, uint32_t* sums,
                   uint32_t count )
{
    size_t bytes = scratch->bytes;
    cltCudaDevice_BeginOperation( device, "scan" );
    const cudaError_t error =
        cub::DeviceScan::ExclusiveSum( scratch->data, bytes, counts, sums, count, device->stream );
    return cltCudaDevice_EndLaunch( device, error, "scan" );
}
