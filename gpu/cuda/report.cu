// SPDX-License-Identifier: Zlib
// Is there a CUDA device, and if not, what is missing? Asked without making a context on any.

#include "gpu/cuda/device.cuh"

#include <stdio.h>

/// Compute capability times ten of the oldest devices that this library has code for; set by the build.
#if !defined( CLT_CUDA_OLDEST )
#error "CLT_CUDA_OLDEST must say for which devices this is compiled"
#endif

static cltStatus Refuse( cltDeviceReport* report, const char* reason )
{
    snprintf( report->reason, sizeof report->reason, "%s", reason );
    return clt_noDevice;
}

/// Is there a driver that this library's runtime can talk to, with a device behind it?
static cltStatus AskDriver( cltDeviceReport* report, int* deviceCount )
{
    int driver = 0;
    if ( cudaDriverGetVersion( &driver ) != cudaSuccess || driver == 0 )
    {
        return Refuse( report, "no CUDA driver is installed" );
    }
    const cudaError_t error = cudaGetDeviceCount( deviceCount );
    if ( error == cudaErrorInsufficientDriver )
    {
        return Refuse( report, "the CUDA driver is older than this library's CUDA runtime; update the driver" );
    }
    if ( error == cudaErrorNoDevice || ( error == cudaSuccess && *deviceCount == 0 ) )
    {
        return Refuse( report, "a CUDA driver, but no device" );
    }
    return error == cudaSuccess ? clt_ok : Refuse( report, cudaGetErrorString( error ) );
}

/// Is the device new enough?
static cltStatus AskDevice( cltDeviceReport* report, int ordinal )
{
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties( &properties, ordinal );
    if ( error != cudaSuccess )
    {
        return Refuse( report, cudaGetErrorString( error ) );
    }
    snprintf( report->name, sizeof report->name, "CUDA, %.50s", properties.name );
    const int capability = 10 * properties.major + properties.minor;
    if ( capability < CLT_CUDA_OLDEST )
    {
        snprintf( report->reason, sizeof report->reason,
                  "the device is too old: compute capability %d.%d, and this library needs %d.%d", properties.major,
                  properties.minor, CLT_CUDA_OLDEST / 10, CLT_CUDA_OLDEST % 10 );
        return clt_noDevice;
    }
    snprintf( report->reason, sizeof report->reason, "answers, compute capability %d.%d", properties.major,
              properties.minor );
    return clt_ok;
}

cltStatus cltFindCudaDevice( int* ordinal, cltDeviceReport* report )
{
    report->device = clt_deviceCuda;
    snprintf( report->name, sizeof report->name, "CUDA" );
    *ordinal = 0;
    int deviceCount = 0;
    cltStatus status = AskDriver( report, &deviceCount );
    if ( status == clt_ok && cudaGetDevice( ordinal ) != cudaSuccess ) // the one that the calling thread has chosen
    {
        *ordinal = 0;
    }
    if ( status == clt_ok )
    {
        status = AskDevice( report, *ordinal );
    }
    cudaGetLastError(); // what was refused here is no error of whoever asks next
    report->usable = status == clt_ok;
    return status;
}

void cltReportCuda( cltDeviceReport* report )
{
    int ordinal;
    cltFindCudaDevice( &ordinal, report );
}
