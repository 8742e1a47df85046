// SPDX-License-Identifier: Zlib
// Functions of the driver: makes a device current, and finds the device of an array. Each call looks its function up
// again, because calls are rare: threads with another current device make them, and updates from arrays.

#include "gpu/arrays.h"
#include "gpu/cuda/device.cuh"

#include <cuda.h>
#include <stdio.h>

/// The version of the driver's functions, with toolkits from 12.5 on. Older toolkits take their own.
#define DRIVER_VERSION 12000u

/// Finds a function of the driver by its name. Returns NULL if there is none.
static void* FindFunction( const char* name )
{
    void* function = NULL; // stays NULL if the function is not found
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion( name, &function, DRIVER_VERSION, cudaEnableDefault );
#else
    cudaGetDriverEntryPoint( name, &function, cudaEnableDefault );
#endif
    return function;
}

/// Calls a function of the driver.
template <typename Function, typename... Arguments>
static cltStatus Call( cltCudaDevice* device, const char* name, Arguments... arguments )
{
    const Function function = (Function)FindFunction( name );
    const CUresult result = function != NULL ? function( arguments... ) : CUDA_ERROR_NOT_FOUND;
    if ( result != CUDA_SUCCESS )
    {
        snprintf( device->failure, sizeof device->failure, "error %d of the driver (%s)", (int)result, name );
        return result == CUDA_ERROR_OUT_OF_MEMORY ? clt_deviceMemory : clt_deviceFailed;
    }
    return clt_ok;
}

/// Retains the primary context, which the runtime uses too, and creates it if there is none.
static cltStatus Retain( cltCudaDevice* device )
{
    CUdevice handle;
    CLT_TRY( Call<decltype( &cuDeviceGet )>( device, "cuDeviceGet", &handle, device->ordinal ) );
    return Call<decltype( &cuDevicePrimaryCtxRetain )>( device, "cuDevicePrimaryCtxRetain", &device->context, handle );
}

cltStatus cltCudaContext_Push( cltCudaDevice* device )
{
    if ( device->context == NULL )
    {
        CLT_TRY( Retain( device ) );
    }
    return Call<decltype( &cuCtxPushCurrent )>( device, "cuCtxPushCurrent", device->context );
}

void cltCudaContext_Pop( void )
{
    const auto pop = (decltype( &cuCtxPopCurrent ))FindFunction( "cuCtxPopCurrent" );
    CUcontext popped;
    if ( pop != NULL )
    {
        pop( &popped );
    }
}

void cltCudaContext_Release( cltCudaDevice* device )
{
    if ( device->context != NULL )
    {
        CUdevice handle;
        if ( Call<decltype( &cuDeviceGet )>( device, "cuDeviceGet", &handle, device->ordinal ) == clt_ok )
        {
            Call<decltype( &cuDevicePrimaryCtxRelease )>( device, "cuDevicePrimaryCtxRelease", handle );
        }
        device->context = NULL;
    }
}

/// For memory of the host's allocators, which the driver does not know, all attributes are 0.
int cltDeviceOfArray( const void* array, bool* isManaged )
{
    const auto get = (decltype( &cuPointerGetAttributes ))FindFunction( "cuPointerGetAttributes" );
    int type = 0;
    int managed = 0;
    int ordinal = -1;
    CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                         CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL };
    void* values[] = { &type, &managed, &ordinal };
    const bool isKnown = get != NULL && get( 3, attributes, values, (CUdeviceptr)(uintptr_t)array ) == CUDA_SUCCESS;
    *isManaged = isKnown && managed != 0;
    return isKnown && ( type == CU_MEMORYTYPE_DEVICE || *isManaged ) ? ordinal : -1;
}

bool cltIsDeviceMemory( const void* array )
{
    bool isManaged;
    return array != NULL && cltDeviceOfArray( array, &isManaged ) >= 0 && !isManaged;
}
