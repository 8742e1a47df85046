// SPDX-License-Identifier: Zlib
/// \file launch.cuh
/// The only way to launch kernels: on the broadphase's stream, with a name, and checked.
#ifndef CLT_CUDA_LAUNCH_CUH
#define CLT_CUDA_LAUNCH_CUH

#include "gpu/cuda/update_graph.cuh"

#include <tuple>
#include <utility>

/// Threads per block of kernels without cooperating threads: enough warps to hide memory latency, and small enough
/// that the last blocks do not hold up a multiprocessor. Not measured yet.
#if !defined( CLT_BLOCK_SIZE ) // tests/device/programs measures other sizes
#define CLT_BLOCK_SIZE 128u
#endif

/// Index of the element that a thread processes.
static __device__ inline uint32_t cltThreadIndex( void )
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Checks a launch: errors of the call in every build; errors of the kernel itself, which appear only after it has run,
/// with CLT_CHECK_KERNELS, which waits for it.
static inline cltStatus cltCudaDevice_CheckLaunch( cltCudaDevice* device, cudaError_t error, const char* name )
{
    CLT_TRY( cltCudaDevice_Check( device, error, name ) );
    CLT_TRY( cltCudaDevice_Check( device, cudaGetLastError(), name ) );
#if defined( CLT_CHECK_KERNELS )
    CLT_TRY( cltCudaDevice_Check( device, cudaStreamSynchronize( device->stream ), name ) );
#endif
    return clt_ok;
}

/// A kernel launch by value, as stored in the list of a graph.
template <typename... Parameters>
struct cltKernelCall
{
    void ( *kernel )( Parameters... ); ///< first: part of the form that cannot be updated
    const char* name;
    uint32_t blockCount;
    uint32_t blockSize;
    std::tuple<Parameters...> arguments;

    static cltStatus Issue( cltCudaDevice* device, const void* what )
    {
        const cltKernelCall* call = (const cltKernelCall*)what;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3( call->blockCount );
        config.blockDim = dim3( call->blockSize );
        config.stream = device->stream;
        ++device->operationCount;
        const auto launch = [&]( const Parameters&... arguments )
        { return cudaLaunchKernelEx( &config, call->kernel, arguments... ); };
        return cltCudaDevice_CheckLaunch( device, std::apply( launch, call->arguments ), call->name );
    }

    static cudaError_t Set( cudaGraphExec_t graph, cudaGraphNode_t node, const void* what )
    {
        const cltKernelCall* call = (const cltKernelCall*)what;
        const auto set = [&]( const Parameters&... arguments )
        {
            void* addresses[] = { (void*)&arguments... };
            cudaKernelNodeParams params = {};
            params.func = (void*)call->kernel;
            params.gridDim = dim3( call->blockCount );
            params.blockDim = dim3( call->blockSize );
            params.kernelParams = addresses;
            return cudaGraphExecKernelNodeSetParams( graph, node, &params );
        };
        return std::apply( set, call->arguments );
    }
};

/// Launches `kernel`. Does nothing if there are no blocks.
template <typename... Parameters, typename... Arguments>
static cltStatus cltLaunchBlocks( cltCudaDevice* device, const char* name, uint32_t blockCount, uint32_t blockSize,
                                  void ( *kernel )( Parameters... ), const Arguments&... arguments )
{
    if ( blockCount == 0 )
    {
        return clt_ok;
    }
    using Call = cltKernelCall<Parameters...>;
    static_assert( alignof( Call ) <= 16, "alignment of a list's calls" );
    static const cltOperation operation = { Call::Issue, Call::Set, sizeof kernel, NULL };
    const Call call = { kernel, name, blockCount, blockSize, std::tuple<Parameters...>( arguments... ) };
    return cltEnqueue( device, &operation, &call, sizeof call );
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
