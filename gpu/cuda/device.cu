// SPDX-License-Identifier: Zlib
// Initializes a device, makes it current, and converts its errors.

#include "gpu/cuda/device.cuh"

#include "gpu/platform/system.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

cltStatus cltCudaDevice_Check( cltCudaDevice* device, cudaError_t error, const char* what )
{
    if ( error == cudaSuccess )
    {
        return clt_ok;
    }
    cudaGetLastError(); // clears the runtime's last error; otherwise the next launch would report it again
    snprintf( device->failure, sizeof device->failure, "%s (%.100s)", cudaGetErrorString( error ), what );
    return error == cudaErrorMemoryAllocation ? clt_deviceMemory : clt_deviceFailed;
}

void cltCudaDevice_BeginOperation( cltCudaDevice* device, const char* name )
{
    ++device->operationCount;
    if ( device->watch != NULL )
    {
        device->watch( device, name );
    }
}

cltStatus cltCudaDevice_EndOperation( cltCudaDevice* device, cudaError_t error, const char* name )
{
    if ( device->watch != NULL )
    {
        device->watch( device, NULL );
    }
    return cltCudaDevice_Check( device, error, name );
}

bool cltCudaDevice_IsOurs( const cltCudaDevice* device )
{
    return device->stream == NULL || device->process == cltProcessId();
}

/// Never launched. CheckDeviceCode queries the attributes of this kernel alone: all kernels are compiled for the same
/// devices.
static __global__ void ProbeKernel( void )
{
}

static bool IsMissingCodeError( cudaError_t error )
{
    return error == cudaErrorInvalidDeviceFunction || error == cudaErrorNoKernelImageForDevice ||
           error == cudaErrorInvalidPtx || error == cudaErrorUnsupportedPtxVersion ||
           error == cudaErrorJitCompilerNotFound;
}

/// Checks that the library has code for the device. Otherwise the first launch would fail with an unhelpful error.
static cltStatus CheckDeviceCode( cltCudaDevice* device )
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes( &attributes, ProbeKernel );
    CLT_TRY( IsMissingCodeError( error ) ? clt_ok : cltCudaDevice_Check( device, error, "looking for code" ) );
    if ( error == cudaSuccess )
    {
        return clt_ok;
    }
    cudaGetLastError();
    snprintf( device->failure, sizeof device->failure, "this build of cullet has no code for the device (%.60s)",
              cudaGetErrorString( error ) );
    return clt_noDevice;
}

/// Creates the context, the events and the stream. Creating the context takes most of a second.
static cltStatus InitializeDevice( cltCudaDevice* device )
{
    device->process = cltProcessId();
    int multiprocessorCount = 0;
    CLT_TRY_CUDA( device,
                  cudaDeviceGetAttribute( &multiprocessorCount, cudaDevAttrMultiProcessorCount, device->ordinal ) );
    device->multiprocessorCount = (uint32_t)multiprocessorCount;
    CLT_TRY( CheckDeviceCode( device ) );
    for ( cudaEvent_t& mark : device->marks )
    {
        if ( mark == NULL ) // else from an earlier attempt
        {
            CLT_TRY_CUDA( device, cudaEventCreate( &mark ) );
        }
    }
    device->stream = device->givenStream;
    if ( device->stream == NULL )
    {
        // non-blocking: the stream does not synchronize implicitly with the default stream of the application
        CLT_TRY_CUDA( device, cudaStreamCreateWithFlags( &device->stream, cudaStreamNonBlocking ) );
    }
    return clt_ok;
}

/// Makes the device current for the calling thread.
static cltStatus MakeCurrent( cltCudaDevice* device, bool* isPushed )
{
    int callersOrdinal;
    CLT_TRY_CUDA( device, cudaGetDevice( &callersOrdinal ) );
    if ( callersOrdinal != device->ordinal )
    {
        CLT_TRY( cltCudaContext_Push( device ) );
        *isPushed = true;
    }
    return clt_ok;
}

static cltStatus Enter( cltCudaDevice* device, bool* isPushed, bool* isCurrent )
{
    if ( !cltCudaDevice_IsOurs( device ) )
    {
        snprintf( device->failure, sizeof device->failure, "a forked process cannot use its parent's CUDA device" );
        return clt_deviceFailed;
    }
    cudaGetLastError(); // discards an earlier error of the application
    CLT_TRY( MakeCurrent( device, isPushed ) );
    *isCurrent = true;
    if ( device->isLost )
    {
        return clt_deviceFailed;
    }
    return device->stream != NULL ? clt_ok : InitializeDevice( device );
}

cltCudaDeviceScope::cltCudaDeviceScope( cltCudaDevice* device, const char* name )
{
    nvtxRangePushA( name );
    status = Enter( device, &m_isPushed, &isCurrent );
}

cltCudaDeviceScope::~cltCudaDeviceScope()
{
    if ( m_isPushed )
    {
        cltCudaContext_Pop();
    }
    nvtxRangePop();
}

float cltCudaDevice_Elapsed( const cltCudaDevice* device, cltMark from, cltMark to )
{
    float milliseconds = 0.0f;
    if ( cudaEventElapsedTime( &milliseconds, device->marks[from], device->marks[to] ) != cudaSuccess )
    {
        cudaGetLastError(); // an unknown time is no failure
        return 0.0f;
    }
    return milliseconds;
}

cltCudaDevice::~cltCudaDevice()
{
    for ( cudaEvent_t mark : marks )
    {
        if ( mark != NULL )
        {
            cudaEventDestroy( mark );
        }
    }
    if ( stream != NULL && stream != givenStream )
    {
        cudaStreamDestroy( stream );
    }
    cltCudaContext_Release( this );
}
