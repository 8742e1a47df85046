// SPDX-License-Identifier: Zlib
// Waking a device, waiting for it, and turning its errors into ours.

#include "gpu/cuda/context.cuh"

#include "gpu/platform/system.h"

#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

cltStatus cltCudaDevice_Check( cltCudaDevice* device, cudaError_t error, const char* what )
{
    if ( error == cudaSuccess )
    {
        return clt_ok;
    }
    cudaGetLastError(); // the runtime keeps it too, and would report it again at the next launch
    snprintf( device->failure, sizeof device->failure, "%s (%.100s)", cudaGetErrorString( error ), what );
    return error == cudaErrorMemoryAllocation ? clt_deviceMemory : clt_deviceFailed;
}

bool cltCudaDevice_IsOurs( const cltCudaDevice* device )
{
    return device->stream == NULL || device->process == cltProcessId();
}

/// Never runs. It stands for all kernels, which are compiled for the same devices.
static __global__ void ProbeKernel( void )
{
}

static bool IsLackOfCode( cudaError_t error )
{
    return error == cudaErrorInvalidDeviceFunction || error == cudaErrorNoKernelImageForDevice ||
           error == cudaErrorInvalidPtx || error == cudaErrorUnsupportedPtxVersion ||
           error == cudaErrorJitCompilerNotFound;
}

/// A device may answer, and yet the code in this library may be for others only. The first launch would fail of it, in
/// words that do not help.
static cltStatus FindCode( cltCudaDevice* device )
{
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes( &attributes, ProbeKernel );
    CLT_TRY( IsLackOfCode( error ) ? clt_ok : cltCudaDevice_Check( device, error, "looking for code" ) );
    if ( error == cudaSuccess )
    {
        return clt_ok;
    }
    cudaGetLastError();
    snprintf( device->failure, sizeof device->failure, "this build of cullet has no code for the device (%.60s)",
              cudaGetErrorString( error ) );
    return clt_noDevice;
}

/// Makes the context, which takes the better part of a second, and what every update needs.
static cltStatus Wake( cltCudaDevice* device )
{
    device->process = cltProcessId();
    int multiprocessorCount = 0;
    CLT_TRY_CUDA( device,
                  cudaDeviceGetAttribute( &multiprocessorCount, cudaDevAttrMultiProcessorCount, device->ordinal ) );
    device->multiprocessorCount = (uint32_t)multiprocessorCount;
    CLT_TRY( FindCode( device ) );
    for ( int mark = 0; mark < clt_markCount; ++mark )
    {
        if ( device->marks[mark] == NULL ) // else a first try got so far
        {
            CLT_TRY_CUDA( device, cudaEventCreate( device->marks + mark ) );
        }
    }
    device->stream = device->givenStream;
    if ( device->stream == NULL )
    {
        // without waiting for the stream that everything of the application's may run in
        CLT_TRY_CUDA( device, cudaStreamCreateWithFlags( &device->stream, cudaStreamNonBlocking ) );
    }
    return clt_ok;
}

/// The device becomes the calling thread's, if it is not.
static cltStatus Switch( cltCudaDevice* device, bool* isPushed )
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

static cltStatus Enter( cltCudaDevice* device, bool* isPushed, bool* isThere )
{
    if ( !cltCudaDevice_IsOurs( device ) )
    {
        snprintf( device->failure, sizeof device->failure, "a forked process cannot use its parent's CUDA device" );
        return clt_deviceFailed;
    }
    cudaGetLastError(); // one that the application has not looked at would pass for ours
    CLT_TRY( Switch( device, isPushed ) );
    *isThere = true;
    if ( device->isLost )
    {
        return clt_deviceFailed;
    }
    return device->stream != NULL ? clt_ok : Wake( device );
}

cltCudaVisit::cltCudaVisit( cltCudaDevice* device, const char* name )
{
    nvtxRangePushA( name );
    status = Enter( device, &m_isPushed, &isThere );
}

cltCudaVisit::~cltCudaVisit()
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
        cudaGetLastError(); // a time that is not known is no reason to fail
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
