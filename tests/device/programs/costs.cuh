// SPDX-License-Identifier: Zlib
/// \file costs.cuh Basic costs of a device, lower bounds for times of an update. Each figure is a median time by the
/// host's clock from the first call to the end of a wait, divided by the number of operations.
#ifndef CLT_TESTS_COSTS_CUH
#define CLT_TESTS_COSTS_CUH

#include "tests/device/programs/timed_queue.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace test
{

template <typename Value>
Value medianOf( std::vector<Value> values )
{
    std::nth_element( values.begin(), values.begin() + values.size() / 2, values.end() );
    return values[values.size() / 2];
}

static __global__ void NothingKernel( uint32_t )
{
}

inline void launchNothing( cudaStream_t stream, int count )
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3( 1 );
    config.blockDim = dim3( 32 );
    config.stream = stream;
    for ( int i = 0; i < count; ++i )
    {
        require( cudaLaunchKernelEx( &config, NothingKernel, 0u ), "a launch" );
    }
}

/// Prints a row with the time that `work` and a wait take, divided by `count`. The first run is a warm-up.
template <typename Work>
void printCost( cudaStream_t stream, const char* what, size_t bytes, int count, Work work )
{
    std::vector<double> times;
    for ( int i = 0; i < 16; ++i )
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        require( cudaStreamSynchronize( stream ), what );
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
        times.push_back( time.count() );
    }
    times.erase( times.begin() );
    const double us = medianOf( times ) / count;
    std::printf( "| %s | %zu | %.3g | %.3g |\n", what, bytes, us, double( bytes ) / us / 1000.0 );
}

inline void printCosts()
{
    constexpr size_t most = size_t( 64 ) << 20;
    cudaStream_t stream;
    void* host;
    void* device;
    require( cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ), "a stream" );
    require( cudaMallocHost( &host, most ), "pinned memory" );
    require( cudaMalloc( &device, most ), "memory" );

    std::printf( "| what | bytes | us | GB/s |\n|---|---:|---:|---:|\n" );
    printCost( stream, "wait for nothing", 0, 1, [] {} );
    printCost( stream, "kernel and wait", 0, 1, [&] { launchNothing( stream, 1 ); } );
    printCost( stream, "kernel, of many", 0, 1000, [&] { launchNothing( stream, 1000 ); } );
    printCost( stream, "32 kernels and wait", 0, 1, [&] { launchNothing( stream, 32 ); } ); // as in an update
    for ( size_t bytes = 4096; bytes <= most; bytes *= 16 )
    {
        const auto copy = [&]( void* to, const void* from )
        { require( cudaMemcpyAsync( to, from, bytes, cudaMemcpyDefault, stream ), "a copy" ); };
        printCost( stream, "pinned, to the device, and wait", bytes, 1, [&] { copy( device, host ); } );
        printCost( stream, "pinned, to the host, and wait", bytes, 1, [&] { copy( host, device ); } );
    }
    std::printf( "\n" );

    require( cudaFree( device ), "memory" );
    require( cudaFreeHost( host ), "pinned memory" );
    require( cudaStreamDestroy( stream ), "a stream" );
}

} // namespace test

#endif
