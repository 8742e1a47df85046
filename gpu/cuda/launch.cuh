// SPDX-License-Identifier: Zlib
/// \file launch.cuh
/// The only way to launch kernels: on the broadphase's stream, with a name, and checked.
#ifndef CLT_CUDA_LAUNCH_CUH
#define CLT_CUDA_LAUNCH_CUH

#include "gpu/cuda/device.cuh"

/// Threads per block of kernels without cooperating threads: enough warps to hide memory latency, and small enough
/// that the last blocks do not hold up a multiprocessor. On an H200, updates of a million bodies took as long
/// with 64 threads, and 3 % longer with 256.
#define CLT_BLOCK_SIZE 128u

#define CLT_ALL_LANES UINT32_MAX ///< mask of a full warp

/// Index of the element that a thread processes.
static __device__ inline uint32_t cltThreadIndex( void )
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Ends an operation that launched kernels. Errors of the launch are checked in every build. Errors of the kernels
/// themselves appear only after they have run: a build with CLT_CHECK_KERNELS waits for them and checks these, too.
static inline cltStatus cltCudaDevice_EndLaunch( cltCudaDevice* device, cudaError_t error, const char* name )
{
    CLT_TRY( cltCudaDevice_EndOperation( device, error, name ) );
    CLT_TRY( cltCudaDevice_Check( device, cudaGetLastError(), name ) );
#if defined( CLT_CHECK_KERNELS )
    CLT_TRY( cltCudaDevice_Check( device, cudaStreamSynchronize( device->stream ), name ) );
#endif
    return clt_ok;
}

/// Launches `kernel`. Does nothing if there are no blocks.
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
    cltCudaDevice_BeginOperation( device, name );
    return cltCudaDevice_EndLaunch( device, cudaLaunchKernelEx( &config, kernel, arguments... ), name );
}

/// Launches `kernel` with one thread for each of `count` elements, rounded up to whole blocks: the kernel checks the
/// index.
template <typename... Parameters, typename... Arguments>
static cltStatus cltLaunch( cltCudaDevice* device, const char* name, uint32_t count, void ( *kernel )( Parameters... ),
                            const Arguments&... arguments )
{
    const uint32_t blockCount = count / CLT_BLOCK_SIZE + ( count % CLT_BLOCK_SIZE != 0u ? 1u : 0u );
    return cltLaunchBlocks( device, name, blockCount, CLT_BLOCK_SIZE, kernel, arguments... );
}

#endif
