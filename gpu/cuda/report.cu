// SPDX-License-Identifier: Zlib
// Reports whether there is a usable CUDA device, and if not, what is missing. Creates no context.

#include "gpu/cuda/device.cuh"

#include <stdio.h>

/// Ten times the compute capability of the oldest supported devices; set by the build.
#if !defined( CLT_CUDA_OLDEST )
#error "CLT_CUDA_OLDEST must say for which devices this is compiled"
#endif

static cltStatus ReportUnusable( cltDeviceReport* report, const char* reason )
{
    snprintf( report->reason, sizeof report->reason, "%s", reason );
    return clt_noDevice;
}

/// Checks for a driver that works with the linked runtime, and for a device.
static cltStatus CheckDriver( cltDeviceReport* report, int* deviceCount )
{
    int driver = 0;
    if ( cudaDriverGetVersion( &driver ) != cudaSuccess || driver == 0 )
    {
        return ReportUnusable( report, "no CUDA driver is installed" );
    }
    const cudaError_t error = cudaGetDeviceCount( deviceCount );
    if ( error == cudaErrorInsufficientDriver )
    {
        return ReportUnusable( report, "the CUDA driver is older than this library's CUDA runtime; update the driver" );
    }
    if ( error == cudaErrorNoDevice || ( error == cudaSuccess && *deviceCount == 0 ) )
    {
        return ReportUnusable( report, "a CUDA driver, but no device" );
    }
    return error == cudaSuccess ? clt_ok : ReportUnusable( report, cudaGetErrorString( error ) );
}

/// Checks the compute capability.
static cltStatus CheckDevice( cltDeviceReport* report, int ordinal )
{
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceProperties( &properties, ordinal );
    if ( error != cudaSuccess )
    {
        return ReportUnusable( report, cudaGetErrorString( error ) );
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
    cltStatus status = CheckDriver( report, &deviceCount );
    if ( status == clt_ok && cudaGetDevice( ordinal ) != cudaSuccess ) // the current device of the calling thread
    {
        *ordinal = 0;
    }
    if ( status == clt_ok )
    {
        status = CheckDevice( report, *ordinal );
    }
    cudaGetLastError(); // clears the error for the next caller
    report->usable = status == clt_ok;
    return status;
}

void cltReportCuda( cltDeviceReport* report )
{
    int ordinal;
    cltFindCudaDevice( &ordinal, report );
}
