// SPDX-License-Identifier: Zlib
// Basic costs of a device: lower bounds for the times of an update. Prints a table in some seconds. Each figure is the
// median of several, measured with the host's clock from the first call to the end of a wait, divided by the number of
// operations.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace
{

constexpr int repeats = 15;
constexpr int launches = 1000;
constexpr int nodes = 32; // about as many operations as an update has
constexpr size_t sizes[] = { 4096, 65536, 1 << 20, 16 << 20, 64 << 20 };
constexpr size_t deviceBytes = size_t( 1 ) << 30; // larger than any cache

/// Exits on an error: no figures of failed calls.
void require( cudaError_t error )
{
    if ( error != cudaSuccess )
    {
        std::fprintf( stderr, "cullet_device_costs: %s\n", cudaGetErrorString( error ) );
        std::exit( 1 );
    }
}

__global__ void nothing()
{
}

/// Median of several runs in microseconds, after one warm-up.
double microseconds( const std::function<void()>& work )
{
    work();
    std::vector<double> times;
    for ( int i = 0; i < repeats; ++i )
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
        times.push_back( time.count() );
    }
    std::nth_element( times.begin(), times.begin() + repeats / 2, times.end() );
    return times[repeats / 2];
}

void print( const char* what, double us )
{
    std::printf( "| %s | | %.3g | |\n", what, us );
}

void printCopy( const char* what, size_t bytes, double us )
{
    std::printf( "| %s | %zu | %.3g | %.3g |\n", what, bytes, us, double( bytes ) / us / 1000.0 );
    std::fflush( stdout );
}

void launch( cudaStream_t stream, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        nothing<<<1, 32, 0, stream>>>();
    }
    require( cudaGetLastError() );
}

cudaGraphExec_t makeGraph( cudaStream_t stream )
{
    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    require( cudaStreamBeginCapture( stream, cudaStreamCaptureModeThreadLocal ) );
    launch( stream, nodes );
    require( cudaStreamEndCapture( stream, &graph ) );
    require( cudaGraphInstantiate( &runnable, graph, 0 ) );
    require( cudaGraphDestroy( graph ) );
    return runnable;
}

void measureLaunches( cudaStream_t stream )
{
    const auto wait = [&] { require( cudaStreamSynchronize( stream ) ); };
    const cudaGraphExec_t graph = makeGraph( stream );
    print( "wait for nothing", microseconds( wait ) );
    print( "kernel and wait", microseconds(
                                  [&]
                                  {
                                      launch( stream, 1 );
                                      wait();
                                  } ) );
    print( "kernel, of many", microseconds(
                                  [&]
                                  {
                                      launch( stream, launches );
                                      wait();
                                  } ) /
                                  launches );
    print( "32 kernels and wait", microseconds(
                                      [&]
                                      {
                                          launch( stream, nodes );
                                          wait();
                                      } ) );
    print( "graph of 32 kernels and wait", microseconds(
                                               [&]
                                               {
                                                   require( cudaGraphLaunch( graph, stream ) );
                                                   wait();
                                               } ) );
    require( cudaGraphExecDestroy( graph ) );
}

void measureCopies( cudaStream_t stream )
{
    char* host = nullptr;
    char* device = nullptr;
    require( cudaMallocHost( &host, sizes[4] ) );
    require( cudaMalloc( &device, deviceBytes ) );
    const auto copy = [&]( void* to, const void* from, size_t bytes )
    {
        return microseconds(
            [=]
            {
                require( cudaMemcpyAsync( to, from, bytes, cudaMemcpyDefault, stream ) );
                require( cudaStreamSynchronize( stream ) );
            } );
    };
    for ( const size_t bytes : sizes )
    {
        printCopy( "pinned, to the device, and wait", bytes, copy( device, host, bytes ) );
        printCopy( "pinned, to the host, and wait", bytes, copy( host, device, bytes ) );
    }
    // reads and writes count
    printCopy( "on the device, and wait", deviceBytes, copy( device, device + deviceBytes / 2, deviceBytes / 2 ) );
    require( cudaFree( device ) );
    require( cudaFreeHost( host ) );
}

} // namespace

int main()
{
    cudaStream_t stream;
    require( cudaStreamCreateWithFlags( &stream, cudaStreamNonBlocking ) );
    std::printf( "| what | bytes | us | GB/s |\n|---|---:|---:|---:|\n" );
    measureLaunches( stream );
    measureCopies( stream );
    require( cudaStreamDestroy( stream ) );
    return 0;
}
