// SPDX-License-Identifier: Zlib
// gpu/cuda/sort.cuh in the place of CUB: the same results by the standard library, in the order of the stream.
#include "gpu/cuda/sort.cuh"

#include "tests/cuda/emulation/emulation.h"

#include <algorithm>
#include <numeric>
#include <utility>

/// CUB needs scratch, so that there is an allocation that can fail.
static cltStatus reserveScratch( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t count )
{
    return cltCudaBuffer_Reserve( scratch, device, static_cast<size_t>( count ) + 256, 1 );
}

static cltStatus enqueue( cltCudaDevice* device, std::function<void()> work )
{
    return cltCudaDevice_Check( device, emulation::enqueue( device->stream, std::move( work ) ), "emulated" );
}

cltStatus cltSort_Run( cltCudaDevice* device, cltCudaBuffer* scratch, cltCudaBuffer* keys, cltCudaBuffer* spare,
                       uint64_t count, uint32_t firstBit, uint32_t endBit )
{
    if ( count < 2 )
    {
        return clt_ok;
    }
    CLT_TRY( reserveScratch( device, scratch, count ) );
    const uint64_t* from = static_cast<const uint64_t*>( keys->data );
    uint64_t* to = static_cast<uint64_t*>( spare->data );
    const uint64_t mask = ( endBit < 64 ? ( uint64_t( 1 ) << endBit ) - 1 : ~uint64_t( 0 ) ) >> firstBit;
    auto digits = [=]( uint64_t key ) { return key >> firstBit & mask; };
    auto sort = [=]
    {
        std::copy( from, from + count, to );
        std::stable_sort( to, to + count, [=]( uint64_t a, uint64_t b ) { return digits( a ) < digits( b ); } );
    };
    device->operationCount += cltSort_OperationCount( count, endBit - firstBit );
    CLT_TRY( enqueue( device, sort ) );
    *keys = std::move( *spare ); // and the other way, as after an odd number of passes
    return clt_ok;
}

template <typename Number>
cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, Number* values, uint64_t count )
{
    CLT_TRY( reserveScratch( device, scratch, count ) );
    device->operationCount += CLT_SCAN_OPERATION_COUNT;
    return enqueue( device, [=] { std::exclusive_scan( values, values + count, values, Number( 0 ) ); } );
}

template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint32_t* values, uint64_t count );
template cltStatus cltScan_Run( cltCudaDevice* device, cltCudaBuffer* scratch, uint64_t* values, uint64_t count );
