// SPDX-License-Identifier: Zlib
/// \file cuda.h
/// Replaces the CUDA driver's header for the emulated device, as cuda_runtime.h replaces the runtime's. Implemented in
/// contexts.cpp.
#ifndef CLT_TESTS_EMULATED_CUDA_H
#define CLT_TESTS_EMULATED_CUDA_H

enum CUresult
{
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_FAILED = 719
};

using CUdevice = int;
using CUcontext = struct CUctx_st*;

using CUdeviceptr = unsigned long long;

enum CUmemorytype
{
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2
};

enum CUpointer_attribute
{
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
};

/// All device memory is that of device 0. Each value is an int.
CUresult cuPointerGetAttributes( unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr address );

CUresult cuDeviceGet( CUdevice* device, int ordinal );
CUresult cuDevicePrimaryCtxRetain( CUcontext* context, CUdevice device );
CUresult cuDevicePrimaryCtxRelease( CUdevice device );
CUresult cuCtxPushCurrent( CUcontext context );
CUresult cuCtxPopCurrent( CUcontext* context );

#endif
