// SPDX-License-Identifier: Zlib
/// \file launch.cuh
/// The one way in which kernels start: on the broadphase's stream, under a name, and never unchecked.
#ifndef CLT_CUDA_LAUNCH_CUH
#define CLT_CUDA_LAUNCH_CUH

#include "gpu/cuda/device.cuh"

/// Threads of a block in kernels that do not work together: enough warps to hide memory behind, and blocks small enough
/// that the last ones do not keep a processor waiting. Not measured yet.
#define CLT_BLOCK_SIZE 128u

/// The element of a kernel's thread.
static __device__ inline uint32_t cltThreadIndex( void )
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Looks for the errors of a launch: those of the call in every build; those of the kernel itself, which show only once
/// it has run, under CLT_CHECK_KERNELS, which waits for it.
static inline cltStatus cltCudaDevice_CheckLaunch( cltCudaDevice* device, cudaError_t error, const char* name )
{
    CLT_TRY( cltCudaDevice_Check( device, error, name ) );
    CLT_TRY( cltCudaDevice_Check( device, cudaGetLastError(), name ) );
#if defined( CLT_CHECK_KERNELS )
    CLT_TRY( cltCudaDevice_Check( device, cudaStreamSynchronize( device->stream ), name ) );
#endif
    return clt_ok;
}

/// Runs `kernel` on so many blocks of so many threads. No blocks: nothing to do.
template <typename... Parameters, typename... Arguments>
static cltStatus cltLaunchBlocks( cltCudaDevice* device, const char* name, uint32_t blockCount, uint32_t blockSize,
                                  void ( *kernel )( Parameters... ), const Arguments&... arguments )
{
    if ( blockCount == 0 )
    {
        return clt_ok;
    }
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3( blockCount );
    config.blockDim = dim3( blockSize );
    config.stream = device->stream;
    ++device->operationCount;
    return cltCudaDevice_CheckLaunch( device, cudaLaunchKernelEx( &config, kernel, arguments... ), name );
}

/// Runs `kernel` with a thread for each of `count` elements, and some more, which the kernel has to send away.
template <typename... Parameters, typename... Arguments>
static cltStatus cltLaunch( cltCudaDevice* device, const char* name, uint32_t count, void ( *kernel )( Parameters... ),
                            const Arguments&... arguments )
{
    const uint32_t blockCount = count / CLT_BLOCK_SIZE + ( count % CLT_BLOCK_SIZE != 0u ? 1u : 0u );
    return cltLaunchBlocks( device, name, blockCount, CLT_BLOCK_SIZE, kernel, arguments... );
}

#endif
