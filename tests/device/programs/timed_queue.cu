// SPDX-License-Identifier: Zlib
// Times operations one by one: a kernel holds the stream until the host has enqueued event, operation and event, so
// host delays are not measured. The time of two events is included.
#include "tests/device/programs/timed_queue.cuh"

#include <cstdio>
#include <cstdlib>

namespace test
{

namespace
{

struct TimedOperation
{
    const char* name;
    cudaEvent_t begin;
    cudaEvent_t end;
};

std::vector<TimedOperation> all; ///< their events are reused
size_t count = 0;                ///< used entries of `all`
uint32_t* opened = nullptr;      ///< pinned: number of operations that may begin

/// Waits until operation `number` may begin. Gives up after a second or so: a read across the bus takes about 1 us.
__global__ void HoldKernel( const volatile uint32_t* reached, uint32_t number )
{
    for ( uint32_t looks = 0; *reached < number && looks < 1000000u; ++looks )
    {
    }
}

void hold( cudaStream_t stream, uint32_t number )
{
    if ( opened == nullptr )
    {
        void* pinned = nullptr;
        require( cudaMallocHost( &pinned, sizeof *opened ), "cudaMallocHost" );
        opened = static_cast<uint32_t*>( pinned );
        *opened = 0;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3( 1 );
    config.blockDim = dim3( 1 );
    config.stream = stream;
    require( cudaLaunchKernelEx( &config, HoldKernel, static_cast<const volatile uint32_t*>( opened ), number ),
             "holding the stream" );
}

TimedOperation* addOperation( const char* name )
{
    if ( count == all.size() )
    {
        TimedOperation timed = {};
        require( cudaEventCreate( &timed.begin ), "cudaEventCreate" );
        require( cudaEventCreate( &timed.end ), "cudaEventCreate" );
        all.push_back( timed );
    }
    all[count].name = name;
    return &all[count++];
}

/// Records the events of an operation: called before and after it (cltCudaDevice::watch).
void timeOperation( const cltCudaDevice* device, const char* name )
{
    static uint32_t number = 0;
    if ( name != nullptr )
    {
        hold( device->stream, ++number );
        require( cudaEventRecord( addOperation( name )->begin, device->stream ), "cudaEventRecord" );
        return;
    }
    require( cudaEventRecord( all[count - 1].end, device->stream ), "cudaEventRecord" );
    *static_cast<volatile uint32_t*>( opened ) = number;
}

} // namespace

void fail( const std::string& why )
{
    std::fprintf( stderr, "cullet_device_kernels: %s\n", why.c_str() );
    std::exit( 1 );
}

void require( cudaError_t error, const char* what )
{
    if ( error != cudaSuccess )
    {
        fail( std::string( what ) + ": " + cudaGetErrorString( error ) );
    }
}

void startTiming( cltCudaDevice* device )
{
    count = 0;
    device->watch = timeOperation;
}

std::vector<TimedRow> stopTiming( cltCudaDevice* device )
{
    device->watch = nullptr;
    std::vector<TimedRow> rows;
    for ( size_t i = 0; i < count; ++i )
    {
        float ms = 0.0f;
        require( cudaEventSynchronize( all[i].end ), all[i].name );
        require( cudaEventElapsedTime( &ms, all[i].begin, all[i].end ), all[i].name );
        if ( rows.empty() || rows.back().name != all[i].name )
        {
            rows.push_back( { all[i].name, 0, 0.0 } );
        }
        ++rows.back().count;
        rows.back().us += 1000.0 * double( ms );
    }
    return rows;
}

void releaseTimes()
{
    for ( const TimedOperation& timed : all )
    {
        require( cudaEventDestroy( timed.begin ), "cudaEventDestroy" );
        require( cudaEventDestroy( timed.end ), "cudaEventDestroy" );
    }
    all.clear();
    require( cudaFreeHost( opened ), "cudaFreeHost" );
    opened = nullptr;
}

} // namespace test
