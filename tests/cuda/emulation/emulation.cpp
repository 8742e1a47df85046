// SPDX-License-Identifier: Zlib
// The emulated runtime: lazy streams, memory, and errors on request. For one thread at a time.
#include "tests/cuda/emulation/emulation.h"

#include "tests/cuda/emulation/device_memory.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

struct EmulatedStream
{
    std::vector<std::function<void()>> work;
};

struct EmulatedEvent
{
    std::chrono::steady_clock::time_point passed;
};

namespace emulation
{

Machine machine;
Counts counts;

} // namespace emulation

using namespace emulation;

static std::set<cudaStream_t> streams;
static int currentOrdinal = 0;

static cudaError_t note( cudaError_t error )
{
    machine.lastError = error != cudaSuccess ? error : machine.lastError;
    return error;
}

/// True if the countdown reaches its end, which it does once.
static bool runsOut( int64_t& countdown )
{
    return countdown >= 0 && countdown-- == 0;
}

/// Every call that can fail begins with this.
static cudaError_t beginCall()
{
    ++counts.calls;
    if ( runsOut( machine.callsToFailure ) )
    {
        machine.isBroken = machine.breaks;
        machine.hasFailed = true;
        return note( cudaErrorLaunchFailure );
    }
    return note( machine.isBroken ? cudaErrorLaunchFailure : cudaSuccess );
}

/// Gives what `allocate` does, unless it is to fail.
template <typename Allocate>
static cudaError_t allocateWith( Allocate allocate, void** data, size_t bytes )
{
    ++counts.allocations;
    *data = nullptr;
    if ( machine.isBroken )
    {
        return note( cudaErrorLaunchFailure );
    }
    if ( runsOut( machine.allocationsToFailure ) )
    {
        machine.hasFailed = true;
        return note( cudaErrorMemoryAllocation );
    }
    *data = allocate( bytes );
    counts.blocksHeld += *data != nullptr;
    return note( *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation );
}

static void runStream( cudaStream_t stream )
{
    std::vector<std::function<void()>> work;
    work.swap( stream->work );
    if ( work.empty() || machine.isBroken )
    {
        return;
    }
    setAccessible( true );
    for ( std::function<void()>& item : work )
    {
        item();
    }
    setAccessible( false );
}

/// Giving memory back waits for the device.
static void beforeRelease()
{
    for ( cudaStream_t stream : streams )
    {
        runStream( stream );
    }
    --counts.blocksHeld;
}

cudaError_t emulation::enqueue( cudaStream_t stream, std::function<void()> work )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        stream->work.push_back( std::move( work ) );
    }
    return error;
}

// --------------------------------------------------------------------------------------------- errors and devices

cudaError_t cudaGetLastError()
{
    return std::exchange( machine.lastError, cudaSuccess );
}

const char* cudaGetErrorString( cudaError_t error )
{
    switch ( error )
    {
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorLaunchFailure:
        return "unspecified launch failure";
    default:
        return "another error";
    }
}

cudaError_t cudaDriverGetVersion( int* version )
{
    *version = machine.driverVersion;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount( int* count )
{
    *count = machine.deviceCount;
    return note( machine.deviceCountError );
}

cudaError_t cudaGetDeviceProperties( cudaDeviceProp* properties, int ordinal )
{
    std::snprintf( properties->name, sizeof properties->name, "a processor that plays the device" );
    properties->major = machine.major;
    properties->minor = machine.minor;
    return note( ordinal < machine.deviceCount ? cudaSuccess : cudaErrorInvalidDevice );
}

cudaError_t cudaDeviceGetAttribute( int* value, cudaDeviceAttr, int )
{
    *value = 2;
    return beginCall();
}

cudaError_t cudaGetDevice( int* ordinal )
{
    *ordinal = currentOrdinal;
    return cudaSuccess;
}

cudaError_t cudaSetDevice( int ordinal )
{
    counts.switches += currentOrdinal != ordinal;
    currentOrdinal = ordinal;
    return beginCall();
}

cudaError_t cudaFuncGetAttributes( cudaFuncAttributes*, void ( * )() )
{
    const cudaError_t error = beginCall();
    return error != cudaSuccess ? error : note( machine.codeError );
}

// ------------------------------------------------------------------------------------ streams, events and kernels

cudaError_t cudaStreamCreateWithFlags( cudaStream_t* stream, unsigned )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        *stream = *streams.insert( new EmulatedStream ).first;
        ++counts.streamsHeld;
    }
    return error;
}

cudaError_t cudaStreamSynchronize( cudaStream_t stream )
{
    ++counts.waits;
    const cudaError_t error = beginCall();
    runStream( stream );
    return error;
}

cudaError_t cudaStreamDestroy( cudaStream_t stream )
{
    runStream( stream );
    streams.erase( stream );
    delete stream;
    --counts.streamsHeld;
    return cudaSuccess;
}

cudaError_t cudaEventCreate( cudaEvent_t* event )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        *event = new EmulatedEvent;
        ++counts.streamsHeld;
    }
    return error;
}

cudaError_t cudaEventRecord( cudaEvent_t event, cudaStream_t stream )
{
    return enqueue( stream, [event] { event->passed = std::chrono::steady_clock::now(); } );
}

cudaError_t cudaEventElapsedTime( float* milliseconds, cudaEvent_t from, cudaEvent_t to )
{
    *milliseconds = std::chrono::duration<float, std::milli>( to->passed - from->passed ).count();
    return cudaSuccess;
}

cudaError_t cudaEventDestroy( cudaEvent_t event )
{
    delete event;
    --counts.streamsHeld;
    return cudaSuccess;
}

cudaError_t emulation::launch( const cudaLaunchConfig_t& config, std::function<void()> thread )
{
    const auto runGrid = [=, order = machine.order]
    {
        blockDim = config.blockDim;
        gridDim = config.gridDim;
        for ( unsigned i = 0; i < gridDim.x; ++i )
        {
            blockIdx.x = order == Order::forward ? i : gridDim.x - 1 - i;
            runBlock( thread, blockDim.x, order );
        }
    };
    return enqueue( config.stream, runGrid );
}

// ---------------------------------------------------------------------------------------------------------- memory

cudaError_t cudaMalloc( void** data, size_t bytes )
{
    return allocateWith( allocateOnDevice, data, bytes );
}

cudaError_t cudaFree( void* data )
{
    beforeRelease();
    releaseOnDevice( data );
    return cudaSuccess;
}

cudaError_t cudaMallocHost( void** data, size_t bytes )
{
    return allocateWith( []( size_t size ) { return std::memset( std::malloc( size ), 0xcd, size ); }, data, bytes );
}

cudaError_t cudaFreeHost( void* data )
{
    beforeRelease();
    std::free( data );
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync( void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream )
{
    if ( isOnDevice( to ) && !isOnDevice( from ) )
    {
        ++counts.copiesToDevice;
        counts.bytesToDevice += bytes;
    }
    return enqueue( stream, [=] { std::memcpy( to, from, bytes ); } );
}

cudaError_t cudaMemsetAsync( void* to, int value, size_t bytes, cudaStream_t stream )
{
    return enqueue( stream, [=] { std::memset( to, value, bytes ); } );
}
