// SPDX-License-Identifier: Zlib
/// \file launch.cuh
/// The one way in which kernels start: on the broadphase's stream, under a name, and never unchecked.
#ifndef CLT_CUDA_LAUNCH_CUH
#define CLT_CUDA_LAUNCH_CUH

#include "gpu/cuda/update_graph.cuh"

#include <tuple>
#include <utility>

/// Threads of a block in kernels that do not work together: enough warps to hide memory behind, and blocks small enough
/// that the last ones do not keep a processor waiting. Not measured yet.
#if !defined( CLT_BLOCK_SIZE ) // tests/device/programs measures others beside it
#define CLT_BLOCK_SIZE 128u
#endif

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

/// A launch, by value: what lies in a graph's list.
template <typename... Parameters>
struct cltKernelCall
{
    void ( *kernel )( Parameters... ); ///< first: no graph is set to another one
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

/// Runs `kernel` on so many blocks of so many threads. No blocks: nothing to do.
template <typename... Parameters, typename... Arguments>
static cltStatus cltLaunchBlocks( cltCudaDevice* device, const char* name, uint32_t blockCount, uint32_t blockSize,
                                  void ( *kernel )( Parameters... ), const Arguments&... arguments )
{
    if ( blockCount == 0 )
    {
        return clt_ok;
    }
    using Call = cltKernelCall<Parameters...>;
    static_assert( alignof( Call ) <= 16, "as a list's calls are" );
    static const cltOperation operation = { Call::Issue, Call::Set, sizeof kernel, NULL };
    const Call call = { kernel, name, blockCount, blockSize, std::tuple<Parameters...>( arguments... ) };
    return cltEnqueue( device, &operation, &call, sizeof call );
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
