// SPDX-License-Identifier: Zlib
// gpu/cuda/sort.cuh in the place of CUB: the same results by the standard library, in the order of the stream.
#include "gpu/cuda/sort.cuh"

#include "gpu/cuda/update_graph.cuh"
#include "tests/cuda/emulation/emulation.h"

#include <algorithm>
#include <numeric>
#include <utility>

/// CUB needs scratch, so that there is an allocation that can fail.
static cltStatus reserveScratch( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t count )
{
    return cltCudaBuffer_Reserve( scratch, device, static_cast<size_t>( count ) + 256, 1 );
}

struct SortCall
{
    uint64_t* keys;
    uint64_t* spare;
    uint64_t count;
    uint64_t firstBit;
    uint64_t mask; ///< of the bits from there on
};

static void sort( const SortCall& call )
{
    const auto digits = [&]( uint64_t key ) { return key >> call.firstBit & call.mask; };
    std::stable_sort( call.keys, call.keys + call.count,
                      [&]( uint64_t a, uint64_t b ) { return digits( a ) < digits( b ); } );
    std::fill_n( call.spare, call.count, 0 ); // somebody wrote there
}

template <typename Number>
struct ScanCall
{
    Number* values;
    uint64_t count;
};

template <typename Number>
static void scan( const ScanCall<Number>& call )
{
    std::exclusive_scan( call.values, call.values + call.count, call.values, Number( 0 ) );
}

static cltStatus enqueue( cltCudaDevice* device, std::function<void()> work )
{
    return cltCudaDevice_Check( device, emulation::enqueue( device->stream, std::move( work ) ), "emulated" );
}

static cltStatus issueSort( cltCudaDevice* device, const void* what )
{
    const SortCall call = *static_cast<const SortCall*>( what );
    const uint32_t bitCount = static_cast<uint32_t>( __builtin_popcountll( call.mask ) );
    device->operationCount += cltSort_OperationCount( call.count, bitCount );
    return enqueue( device, [call] { sort( call ); } );
}

template <typename Number>
static cltStatus issueScan( cltCudaDevice* device, const void* what )
{
    const ScanCall<Number> call = *static_cast<const ScanCall<Number>*>( what );
    device->operationCount += CLT_SCAN_OPERATION_COUNT;
    return enqueue( device, [call] { scan( call ); } );
}

cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* keys, uint64_t* spare, uint64_t count,
                       uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2 )
    {
        return clt_ok;
    }
    CLT_TRY( reserveScratch( device, scratch, count ) );
    const uint64_t mask = ( endBit < 64 ? ( uint64_t( 1 ) << endBit ) - 1 : ~uint64_t( 0 ) ) >> firstBit;
    const SortCall call = { keys, spare, count, firstBit, mask };
    static const cltOperation operation = { issueSort, nullptr, sizeof call, "sort (CUB)" };
    return cltEnqueue( device, &operation, &call, sizeof call );
}

template <typename Number>
cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, Number* values, uint64_t count )
{
    CLT_TRY( reserveScratch( device, scratch, count ) );
    const ScanCall<Number> call = { values, count };
    static const cltOperation operation = { issueScan<Number>, nullptr, sizeof call, "sums (CUB)" };
    return cltEnqueue( device, &operation, &call, sizeof call );
}

template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t* values, uint64_t count );
template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* values, uint64_t count );
