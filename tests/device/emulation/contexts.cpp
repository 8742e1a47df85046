// SPDX-License-Identifier: Zlib
// Emulates the choice of a device and its contexts as in CUDA 12, where cudaSetDevice creates a context.
#include "tests/device/emulation/emulation.h"

#include "tests/device/emulation/cuda.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

using namespace emulation;

static thread_local int chosen = 0;
static thread_local std::vector<int> pushed;

static int currentDevice()
{
    return pushed.empty() ? chosen : pushed.back();
}

static cudaError_t beginCallOn( int ordinal )
{
    counts.contexts |= 1u << ordinal;
    return beginCall();
}

void emulation::useContext()
{
    counts.contexts |= 1u << currentDevice();
}

cudaError_t cudaGetDevice( int* ordinal )
{
    *ordinal = currentDevice();
    return cudaSuccess;
}

cudaError_t cudaSetDevice( int ordinal )
{
    chosen = ordinal;
    return beginCallOn( ordinal );
}

static CUresult resultOf( cudaError_t error )
{
    return error == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}

CUresult cuDeviceGet( CUdevice* device, int ordinal )
{
    *device = ordinal;
    return resultOf( beginCall() );
}

/// The handle of a context is its device's ordinal plus one.
CUresult cuDevicePrimaryCtxRetain( CUcontext* context, CUdevice device )
{
    const CUresult result = resultOf( beginCallOn( device ) );
    if ( result == CUDA_SUCCESS )
    {
        *context = reinterpret_cast<CUcontext>( static_cast<uintptr_t>( device + 1 ) );
        ++counts.contextsHeld;
    }
    return result;
}

/// Fails while the context is on the calling thread's stack: the thread would use a destroyed context.
CUresult cuDevicePrimaryCtxRelease( CUdevice device )
{
    if ( std::find( pushed.begin(), pushed.end(), device ) != pushed.end() )
    {
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    --counts.contextsHeld;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent( CUcontext context )
{
    const CUresult result = resultOf( beginCall() );
    if ( result == CUDA_SUCCESS )
    {
        pushed.push_back( static_cast<int>( reinterpret_cast<uintptr_t>( context ) - 1 ) );
        ++counts.switches;
    }
    return result;
}

CUresult cuCtxPopCurrent( CUcontext* )
{
    pushed.pop_back();
    return CUDA_SUCCESS;
}

template <typename Function>
static void* addressOf( Function* function )
{
    return reinterpret_cast<void*>( function );
}

cudaError_t cudaGetDriverEntryPointByVersion( const char* name, void** function, unsigned, unsigned long long )
{
    static const std::map<std::string, void*> functions = {
        { "cuPointerGetAttributes", addressOf( cuPointerGetAttributes ) },
        { "cuDeviceGet", addressOf( cuDeviceGet ) },
        { "cuDevicePrimaryCtxRetain", addressOf( cuDevicePrimaryCtxRetain ) },
        { "cuDevicePrimaryCtxRelease", addressOf( cuDevicePrimaryCtxRelease ) },
        { "cuCtxPushCurrent", addressOf( cuCtxPushCurrent ) },
        { "cuCtxPopCurrent", addressOf( cuCtxPopCurrent ) } };
    *function = functions.at( name );
    return cudaSuccess;
}
