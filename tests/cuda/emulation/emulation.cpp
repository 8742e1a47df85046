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

namespace
{

constexpr int64_t never = -1;

struct State
{
    Machine machine;
    Order order = Order::forward;
    int64_t allocationsToFailure = never;
    int64_t callsToFailure = never;
    bool breaks = false; ///< when the calls run out
    bool broken = false;
    bool failed = false;
    cudaError_t lastError = cudaSuccess;
    int ordinal = 0;
    Counts counts = {};
    DeviceMemory memory;
    std::set<cudaStream_t> streams;
    std::set<void*> pinned;
};

State& state()
{
    static State state;
    return state;
}

cudaError_t note( cudaError_t error )
{
    if ( error != cudaSuccess )
    {
        state().lastError = error;
    }
    return error;
}

/// True if the countdown reaches its end.
bool runsOut( int64_t& countdown )
{
    if ( countdown == never )
    {
        return false;
    }
    return countdown-- == 0;
}

/// Every call that can fail begins with this.
cudaError_t beginCall()
{
    State& here = state();
    ++here.counts.calls;
    if ( runsOut( here.callsToFailure ) )
    {
        here.broken = here.breaks;
        here.failed = true;
        return note( cudaErrorLaunchFailure );
    }
    return note( here.broken ? cudaErrorLaunchFailure : cudaSuccess );
}

cudaError_t beginAllocation( void** data )
{
    State& here = state();
    ++here.counts.allocations;
    *data = nullptr;
    if ( here.broken )
    {
        return note( cudaErrorLaunchFailure );
    }
    if ( runsOut( here.allocationsToFailure ) )
    {
        here.failed = true;
        return note( cudaErrorMemoryAllocation );
    }
    return cudaSuccess;
}

void runStream( cudaStream_t stream )
{
    std::vector<std::function<void()>> work;
    work.swap( stream->work );
    if ( work.empty() || state().broken )
    {
        return;
    }
    state().memory.setAccessible( true );
    for ( std::function<void()>& item : work )
    {
        item();
    }
    state().memory.setAccessible( false );
}

void runAllStreams()
{
    for ( cudaStream_t stream : state().streams )
    {
        runStream( stream );
    }
}

void runGrid( const cudaLaunchConfig_t& config, const std::function<void()>& thread, Order order )
{
    blockDim = config.blockDim;
    gridDim = config.gridDim;
    for ( unsigned i = 0; i < config.gridDim.x; ++i )
    {
        blockIdx = { order == Order::forward ? i : config.gridDim.x - 1 - i, 0, 0 };
        runBlock( thread, config.blockDim.x, order );
    }
}

} // namespace

void reset()
{
    State& here = state();
    here.machine = Machine();
    here.order = Order::forward;
    here.allocationsToFailure = never;
    here.callsToFailure = never;
    here.broken = false;
    here.failed = false;
    here.lastError = cudaSuccess;
}

void setMachine( const Machine& machine )
{
    state().machine = machine;
}

void setOrder( Order order )
{
    state().order = order;
}

void failAllocationAfter( int64_t count )
{
    state().allocationsToFailure = count;
}

void failCallAfter( int64_t count )
{
    state().callsToFailure = count;
    state().breaks = false;
}

void breakAfter( int64_t count )
{
    state().callsToFailure = count;
    state().breaks = true;
}

bool hasFailed()
{
    return state().failed;
}

Counts counts()
{
    Counts now = state().counts;
    now.blocksHeld = state().memory.blockCount() + state().pinned.size();
    return now;
}

cudaError_t enqueue( cudaStream_t stream, std::function<void()> work )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        stream->work.push_back( std::move( work ) );
    }
    return error;
}

cudaError_t launch( const cudaLaunchConfig_t& config, std::function<void()> thread )
{
    const Order order = state().order;
    return enqueue( config.stream, [=] { runGrid( config, thread, order ); } );
}

} // namespace emulation

using namespace emulation;

// ---------------------------------------------------------------------------------------------------------- errors

cudaError_t cudaGetLastError()
{
    const cudaError_t error = state().lastError;
    state().lastError = cudaSuccess;
    return error;
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

// --------------------------------------------------------------------------------------------------------- devices

cudaError_t cudaDriverGetVersion( int* version )
{
    *version = state().machine.driverVersion;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount( int* count )
{
    *count = state().machine.deviceCount;
    return note( state().machine.deviceCountError );
}

cudaError_t cudaGetDeviceProperties( cudaDeviceProp* properties, int ordinal )
{
    if ( ordinal >= state().machine.deviceCount )
    {
        return note( cudaErrorInvalidDevice );
    }
    std::snprintf( properties->name, sizeof properties->name, "a processor that plays the device" );
    properties->major = state().machine.major;
    properties->minor = state().machine.minor;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute( int* value, cudaDeviceAttr, int )
{
    *value = 2;
    return beginCall();
}

cudaError_t cudaGetDevice( int* ordinal )
{
    *ordinal = state().ordinal;
    return cudaSuccess;
}

cudaError_t cudaSetDevice( int ordinal )
{
    state().counts.switches += state().ordinal != ordinal;
    state().ordinal = ordinal;
    return beginCall();
}

cudaError_t emulatedFuncGetAttributes()
{
    const cudaError_t error = beginCall();
    return error != cudaSuccess ? error : note( state().machine.codeError );
}

// ---------------------------------------------------------------------------------------------- streams and events

cudaError_t cudaStreamCreateWithFlags( cudaStream_t* stream, unsigned )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        *stream = new EmulatedStream;
        state().streams.insert( *stream );
        ++state().counts.streamsHeld;
    }
    return error;
}

cudaError_t cudaStreamSynchronize( cudaStream_t stream )
{
    ++state().counts.waits;
    const cudaError_t error = beginCall();
    runStream( stream );
    return error;
}

cudaError_t cudaStreamDestroy( cudaStream_t stream )
{
    runStream( stream );
    state().streams.erase( stream );
    delete stream;
    --state().counts.streamsHeld;
    return cudaSuccess;
}

cudaError_t cudaEventCreate( cudaEvent_t* event )
{
    const cudaError_t error = beginCall();
    if ( error == cudaSuccess )
    {
        *event = new EmulatedEvent;
        ++state().counts.streamsHeld;
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
    --state().counts.streamsHeld;
    return cudaSuccess;
}

// ---------------------------------------------------------------------------------------------------------- memory

cudaError_t cudaMalloc( void** data, size_t bytes )
{
    const cudaError_t error = beginAllocation( data );
    if ( error == cudaSuccess )
    {
        *data = state().memory.allocate( bytes );
    }
    return *data != nullptr ? cudaSuccess : note( error != cudaSuccess ? error : cudaErrorMemoryAllocation );
}

cudaError_t cudaFree( void* data )
{
    runAllStreams(); // freeing waits for the device
    state().memory.release( data );
    return cudaSuccess;
}

cudaError_t cudaMallocHost( void** data, size_t bytes )
{
    const cudaError_t error = beginAllocation( data );
    if ( error == cudaSuccess )
    {
        *data = std::malloc( bytes );
        std::memset( *data, 0xcd, bytes );
        state().pinned.insert( *data );
    }
    return error;
}

cudaError_t cudaFreeHost( void* data )
{
    runAllStreams();
    state().pinned.erase( data );
    std::free( data );
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync( void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t stream )
{
    if ( state().memory.contains( to ) && !state().memory.contains( from ) )
    {
        ++state().counts.copiesToDevice;
        state().counts.bytesToDevice += bytes;
    }
    return enqueue( stream, [=] { std::memcpy( to, from, bytes ); } );
}

cudaError_t cudaMemsetAsync( void* to, int value, size_t bytes, cudaStream_t stream )
{
    return enqueue( stream, [=] { std::memset( to, value, bytes ); } );
}
