// SPDX-License-Identifier: Zlib
// CUB behind two functions, so that it is compiled once and can be replaced where there is no device.

#include "gpu/cuda/sort.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

/// Runs a function of CUB's: once to learn how much scratch it wants, once to do it. It reports its launches' errors.
template <typename Function>
static cltStatus RunWithScratch( cltCudaDevice* device, cltCudaBuffer* scratch, const char* name, Function function )
{
    size_t bytes = 0;
    CLT_TRY( cltCudaDevice_Check( device, function( nullptr, bytes ), name ) );
    CLT_TRY( cltCudaBuffer_Reserve( scratch, device, bytes > 0 ? bytes : 1, 1 ) );
    CLT_TRY( cltCudaDevice_Check( device, function( scratch->data, bytes ), name ) );
    return cltCudaDevice_Check( device, cudaGetLastError(), name );
}

cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, cltCudaBuffer* keys, cltCudaBuffer* spare,
                       uint64_t count, uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2 )
    {
        return clt_ok;
    }
    cub::DoubleBuffer<uint64_t> buffers( (uint64_t*)keys->data, (uint64_t*)spare->data );
    auto sort = [&]( void* memory, size_t& bytes ) {
        return cub::DeviceRadixSort::SortKeys( memory, bytes, buffers, count, (int)firstBit, (int)endBit,
                                               device->stream );
    };
    device->operationCount += cltSort_OperationCount( count, endBit - firstBit );
    CLT_TRY( RunWithScratch( device, scratch, "sort", sort ) );
    if ( buffers.Current() != keys->data )
    {
        *keys = std::move( *spare ); // and the other way
    }
    return clt_ok;
}

template <typename Number>
cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, Number* values, uint64_t count )
{
    auto scan = [&]( void* memory, size_t& bytes )
    { return cub::DeviceScan::ExclusiveSum( memory, bytes, values, values, count, device->stream ); };
    device->operationCount += CLT_SCAN_OPERATION_COUNT;
    return count > 0 ? RunWithScratch( device, scratch, "prefix sum", scan ) : clt_ok;
}

template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t* values, uint64_t count );
template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* values, uint64_t count );
