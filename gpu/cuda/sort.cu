// SPDX-License-Identifier: Zlib
// CUB behind two functions, so that it is compiled once and can be replaced where there is no device.

#include "gpu/cuda/sort.cuh"

#include "gpu/cuda/update_graph.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

typedef struct SortCall
{
    uint64_t* keys;
    uint64_t* spare;
    uint64_t count;
    uint32_t firstBit;
    uint32_t endBit;
    void* scratch; ///< NULL: only how much of it is wanted is asked for
    size_t scratchBytes;
} SortCall;

/// What it leaves among the spare ones is brought back, so that an update finds all where the last one did. There is
/// nothing to bring after an even number of passes.
static cudaError_t Sort( SortCall* call, cudaStream_t stream )
{
    cub::DoubleBuffer<uint64_t> buffers( call->keys, call->spare );
    const cudaError_t error = cub::DeviceRadixSort::SortKeys( call->scratch, call->scratchBytes, buffers, call->count,
                                                              (int)call->firstBit, (int)call->endBit, stream );
    if ( error != cudaSuccess || call->scratch == nullptr || buffers.Current() == call->keys )
    {
        return error;
    }
    return cudaMemcpyAsync( call->keys, buffers.Current(), call->count * sizeof( uint64_t ), cudaMemcpyDefault,
                            stream );
}

static const char* NameOf( const SortCall* )
{
    return "sort (CUB)";
}

static uint32_t OperationCount( const SortCall* call )
{
    return cltSort_OperationCount( call->count, call->endBit - call->firstBit );
}

template <typename Number>
struct ScanCall
{
    Number* values;
    uint64_t count;
    void* scratch;
    size_t scratchBytes;
};

template <typename Number>
static cudaError_t Scan( ScanCall<Number>* call, cudaStream_t stream )
{
    return cub::DeviceScan::ExclusiveSum( call->scratch, call->scratchBytes, call->values, call->values, call->count,
                                          stream );
}

template <typename Number>
static const char* NameOf( const ScanCall<Number>* )
{
    return "sums (CUB)";
}

template <typename Number>
static uint32_t OperationCount( const ScanCall<Number>* )
{
    return CLT_SCAN_OPERATION_COUNT;
}

/// Puts a function of CUB's into the stream. It reports its launches' errors.
template <typename Call, cudaError_t ( *function )( Call*, cudaStream_t )>
static cltStatus Issue( cltCudaDevice* device, const void* what )
{
    Call call = *(const Call*)what;
    device->operationCount += OperationCount( &call );
    CLT_TRY( cltCudaDevice_Check( device, function( &call, device->stream ), "CUB" ) );
    return cltCudaDevice_Check( device, cudaGetLastError(), "CUB" );
}

/// Learns first how much scratch it wants.
template <typename Call, cudaError_t ( *function )( Call*, cudaStream_t )>
static cltStatus RunWithScratch( cltCudaDevice* device, cltCudaBuffer* scratch, Call call )
{
    CLT_TRY( cltCudaDevice_Check( device, function( &call, device->stream ), "CUB" ) );
    CLT_TRY( cltCudaBuffer_Reserve( scratch, device, call.scratchBytes > 0 ? call.scratchBytes : 1, 1 ) );
    call.scratch = scratch->data;
    static const cltOperation operation = { Issue<Call, function>, NULL, sizeof( Call ), NameOf( &call ) };
    return cltEnqueue( device, &operation, &call, sizeof call );
}

cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* keys, uint64_t* spare, uint64_t count,
                       uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2 )
    {
        return clt_ok;
    }
    const SortCall call = { keys, spare, count, firstBit, endBit, nullptr, 0 };
    return RunWithScratch<SortCall, Sort>( device, scratch, call );
}

template <typename Number>
cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, Number* values, uint64_t count )
{
    const ScanCall<Number> call = { values, count, nullptr, 0 };
    return count > 0 ? RunWithScratch<ScanCall<Number>, Scan<Number>>( device, scratch, call ) : clt_ok;
}

template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t* values, uint64_t count );
template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* values, uint64_t count );
