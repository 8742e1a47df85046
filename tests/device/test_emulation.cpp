// SPDX-License-Identifier: Zlib
// The emulated device is as lazy, strict and parallel as its header promises.
#include "tests/device/emulation/emulation.h"

#include <gtest/gtest.h>
#include <vector>

namespace
{

class Emulation : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_EQ( cudaSuccess, cudaStreamCreateWithFlags( &m_stream, cudaStreamNonBlocking ) );
        ASSERT_EQ( cudaSuccess, cudaMalloc( &m_device, 1024 ) );
        ASSERT_EQ( cudaSuccess, cudaMallocHost( &m_host, 1024 ) );
    }

    void TearDown() override
    {
        cudaFree( m_device );
        cudaFreeHost( m_host );
        cudaStreamDestroy( m_stream );
    }

    template <typename... Parameters, typename... Arguments>
    void run( unsigned blockCount, unsigned threadCount, void ( *kernel )( Parameters... ), Arguments... arguments )
    {
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3( blockCount );
        config.blockDim = dim3( threadCount );
        config.stream = m_stream;
        ASSERT_EQ( cudaSuccess, cudaLaunchKernelEx( &config, kernel, arguments... ) );
        ASSERT_EQ( cudaSuccess, cudaStreamSynchronize( m_stream ) );
    }

    /// Copies the device's numbers to the host.
    const uint32_t* fetch()
    {
        EXPECT_EQ( cudaSuccess, cudaMemcpyAsync( m_host, m_device, 1024, cudaMemcpyDefault, m_stream ) );
        EXPECT_EQ( cudaSuccess, cudaStreamSynchronize( m_stream ) );
        return static_cast<const uint32_t*>( m_host );
    }

    emulation::Cleanup m_cleanup;
    cudaStream_t m_stream = nullptr;
    void* m_device = nullptr;
    void* m_host = nullptr;
};

void orderKernel( uint32_t* next )
{
    next[1 + next[0]++] = blockIdx.x * blockDim.x + threadIdx.x;
}

void lonelyBarrierKernel()
{
    if ( threadIdx.x == 0 )
    {
        __syncthreads();
    }
}

} // namespace

TEST_F( Emulation, RunsNothingBeforeTheHostWaits )
{
    EXPECT_EQ( 0xcdcdcdcdu, fetch()[0] ) << "memory comes filled with garbage";
    uint32_t* numbers = static_cast<uint32_t*>( m_host );
    numbers[0] = 1;
    ASSERT_EQ( cudaSuccess, cudaMemcpyAsync( m_device, m_host, 4, cudaMemcpyDefault, m_stream ) );
    numbers[0] = 2; // too early
    ASSERT_EQ( cudaSuccess, cudaStreamSynchronize( m_stream ) );
    EXPECT_EQ( 2u, fetch()[0] );
}

TEST_F( Emulation, RunsInBothOrders )
{
    for ( emulation::Order order : { emulation::Order::forward, emulation::Order::backward } )
    {
        emulation::machine.order = order;
        ASSERT_EQ( cudaSuccess, cudaMemsetAsync( m_device, 0, 1024, m_stream ) );
        run( 2, 4, orderKernel, static_cast<uint32_t*>( m_device ) );
        const uint32_t* numbers = fetch();
        for ( uint32_t i = 0; i < 8; ++i )
        {
            EXPECT_EQ( order == emulation::Order::forward ? i : 7 - i, numbers[1 + i] );
        }
    }
}

TEST_F( Emulation, FailsOnRequest )
{
    emulation::machine.allocationsToFailure = 1;
    void* first = nullptr;
    void* second = nullptr;
    EXPECT_EQ( cudaSuccess, cudaMalloc( &first, 8 ) );
    EXPECT_EQ( cudaErrorMemoryAllocation, cudaMallocHost( &second, 8 ) );
    EXPECT_EQ( cudaSuccess, cudaMallocHost( &second, 8 ) );
    cudaFree( first );
    cudaFreeHost( second );
    emulation::machine.callsToFailure = 1;
    EXPECT_EQ( cudaSuccess, cudaMemsetAsync( m_device, 0, 4, m_stream ) );
    EXPECT_EQ( cudaErrorLaunchFailure, cudaStreamSynchronize( m_stream ) );
    EXPECT_EQ( cudaErrorLaunchFailure, cudaGetLastError() );
    EXPECT_EQ( 0u, fetch()[0] );
    emulation::machine.callsToFailure = 1;
    emulation::machine.breaks = true;
    EXPECT_EQ( cudaSuccess, cudaMemsetAsync( m_device, 1, 4, m_stream ) );
    EXPECT_EQ( cudaErrorLaunchFailure, cudaStreamSynchronize( m_stream ) );
    EXPECT_EQ( cudaErrorLaunchFailure, cudaMemsetAsync( m_device, 1, 4, m_stream ) ); // and from then on
    EXPECT_EQ( cudaErrorLaunchFailure, cudaGetLastError() );
}

TEST_F( Emulation, DetectsDivergentBarriersAndHostAccess )
{
    EXPECT_DEATH( run( 1, 8, lonelyBarrierKernel ), "1 of 8 threads came to a barrier" );
    EXPECT_DEATH( { static_cast<volatile uint32_t*>( m_device )[0] = 1; }, "" );
}
