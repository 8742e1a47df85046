// SPDX-License-Identifier: Zlib
// The runtime except memory: streams that run only when the host waits, events, errors on request. Single-threaded.
#include "tests/device/emulation/emulation.h"

#include "tests/support/float_mode.h"

#include <chrono>
#include <cstdio>
#include <set>
#include <vector>

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

cudaError_t emulation::recordError( cudaError_t error )
{
    machine.lastError = error != cudaSuccess ? error : machine.lastError;
    return error;
}

bool emulation::runsOut( int64_t& countdown )
{
    const bool isOut = countdown >= 0 && countdown-- == 0;
    machine.hasFailed = machine.hasFailed || isOut;
    return isOut;
}

/// Every call that can fail begins with a call of this function.
cudaError_t emulation::beginCall()
{
    ++counts.calls;
    if ( runsOut( machine.callsToFailure ) )
    {
        machine.isBroken = machine.breaks;
        return recordError( cudaErrorLaunchFailure );
    }
    return recordError( machine.isBroken ? cudaErrorLaunchFailure : cudaSuccess );
}

/// Sets the default float mode while it exists: a device ignores the flush-to-zero mode of the calling thread.
class DefaultFloatMode
{
public:
    DefaultFloatMode()
    {
        test::setFloatMode( test::defaultFloatMode );
    }

    ~DefaultFloatMode()
    {
        test::setFloatMode( m_callers );
    }

private:
    unsigned m_callers = test::getFloatMode();
};

static void runStream( cudaStream_t stream )
{
    std::vector<std::function<void()>> work;
    work.swap( stream->work );
    if ( work.empty() || machine.isBroken )
    {
        return;
    }
    const DefaultFloatMode floatMode;
    makeAccessible( true );
    for ( std::function<void()>& item : work )
    {
        item();
    }
    makeAccessible( false );
}

void emulation::runAllStreams()
{
    for ( cudaStream_t stream : streams )
    {
        runStream( stream );
    }
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

cudaError_t cudaGetLastError()
{
    return std::exchange( machine.lastError, cudaSuccess );
}

const char* cudaGetErrorString( cudaError_t )
{
    return "an emulated error";
}

cudaError_t cudaDriverGetVersion( int* version )
{
    *version = machine.driverVersion;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount( int* count )
{
    *count = machine.deviceCount;
    return recordError( machine.deviceCountError );
}

cudaError_t cudaGetDeviceProperties( cudaDeviceProp* properties, int ordinal )
{
    std::snprintf( properties->name, sizeof properties->name, "a processor that plays the device" );
    properties->major = machine.major;
    properties->minor = machine.minor;
    return recordError( ordinal < machine.deviceCount ? cudaSuccess : cudaErrorInvalidDevice );
}

/// Sixteen multiprocessors: several warps share the searches of `wide` from up to 112 blocks.
cudaError_t cudaDeviceGetAttribute( int* value, cudaDeviceAttr, int )
{
    *value = 16;
    return beginCall();
}

cudaError_t cudaFuncGetAttributes( cudaFuncAttributes*, void ( * )() )
{
    useContext();
    const cudaError_t error = beginCall();
    return error != cudaSuccess ? error : recordError( machine.codeError );
}

cudaError_t cudaStreamCreateWithFlags( cudaStream_t* stream, unsigned )
{
    useContext();
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
    useContext();
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

cudaError_t cudaEventSynchronize( cudaEvent_t )
{
    const cudaError_t error = beginCall();
    runAllStreams();
    return error;
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
    const auto runGrid = [=]
    {
        blockDim = config.blockDim;
        gridDim = config.gridDim;
        for ( unsigned i = 0; i < gridDim.x; ++i )
        {
            blockIdx.x = machine.order == Order::forward ? i : gridDim.x - 1 - i;
            runBlock( thread, blockDim.x, machine.order );
        }
    };
    return enqueue( config.stream, runGrid );
}
