// SPDX-License-Identifier: Zlib
/// \file cuda_runtime.h Replaces the CUDA runtime's header for the emulated device: the functions that gpu/cuda uses,
/// with the same names. They are implemented in emulation.cpp, memory.cpp and contexts.cpp.
#ifndef CLT_TESTS_EMULATED_CUDA_RUNTIME_H
#define CLT_TESTS_EMULATED_CUDA_RUNTIME_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#define CUDART_VERSION 13000

#define __global__
#define __device__
#define __host__
#define __shared__ static // one block runs at a time

struct dim3
{
    unsigned x;

    dim3( unsigned count = 1 ) : x( count )
    {
    }
};

extern dim3 threadIdx;
extern dim3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

void __syncthreads();

/// The ballot of a warp. Unlike on a device, all warps of a block must call it, because it contains barriers.
unsigned __ballot_sync( unsigned mask, bool vote );

inline int __ffs( int word )
{
    return __builtin_ffs( word );
}

inline int __popc( unsigned word )
{
    return __builtin_popcount( word );
}

namespace emulation
{

/// Returns the word that lane `fromLane` of the warp passes. All warps of a block must call it: it contains barriers.
uint32_t shuffle( uint32_t word, unsigned fromLane );

template <typename Word>
Word shuffleAs( Word value, unsigned fromLane )
{
    static_assert( sizeof( Word ) == sizeof( uint32_t ) );
    uint32_t word;
    std::memcpy( &word, &value, sizeof word );
    word = shuffle( word, fromLane );
    std::memcpy( &value, &word, sizeof word );
    return value;
}

} // namespace emulation

template <typename Word>
Word __shfl_sync( unsigned, Word value, int lane )
{
    return emulation::shuffleAs( value, static_cast<unsigned>( lane ) );
}

template <typename Word>
Word __shfl_xor_sync( unsigned, Word value, int distance )
{
    return emulation::shuffleAs( value, threadIdx.x % 32 ^ static_cast<unsigned>( distance ) );
}

// The emulation switches threads of a block only at barriers, so these plain operations are atomic.
template <typename Number, typename Value>
Number atomicAdd( Number* place, Value value )
{
    return std::exchange( *place, *place + static_cast<Number>( value ) );
}

template <typename Number>
Number atomicMax( Number* place, Number value )
{
    return std::exchange( *place, value > *place ? value : *place );
}

enum cudaError_t
{
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorInvalidPtx = 218,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorLaunchFailure = 719
};

cudaError_t cudaGetLastError();
const char* cudaGetErrorString( cudaError_t error );

struct cudaDeviceProp
{
    char name[256];
    int major;
    int minor;
};

enum cudaDeviceAttr
{
    cudaDevAttrMultiProcessorCount = 16
};

cudaError_t cudaDriverGetVersion( int* version );
cudaError_t cudaGetDeviceCount( int* count );
cudaError_t cudaGetDeviceProperties( cudaDeviceProp* properties, int ordinal );
cudaError_t cudaDeviceGetAttribute( int* value, cudaDeviceAttr attribute, int ordinal );
cudaError_t cudaGetDevice( int* ordinal );
cudaError_t cudaSetDevice( int ordinal );

constexpr unsigned long long cudaEnableDefault = 0;

cudaError_t cudaGetDriverEntryPointByVersion( const char* name, void** function, unsigned version,
                                              unsigned long long flags );

using cudaStream_t = struct EmulatedStream*;
using cudaEvent_t = struct EmulatedEvent*;

constexpr unsigned cudaStreamNonBlocking = 1;

cudaError_t cudaStreamCreateWithFlags( cudaStream_t* stream, unsigned flags );
cudaError_t cudaStreamSynchronize( cudaStream_t stream );
cudaError_t cudaStreamDestroy( cudaStream_t stream );
cudaError_t cudaEventCreate( cudaEvent_t* event );
cudaError_t cudaEventRecord( cudaEvent_t event, cudaStream_t stream );
cudaError_t cudaEventSynchronize( cudaEvent_t event );
cudaError_t cudaEventElapsedTime( float* milliseconds, cudaEvent_t from, cudaEvent_t to );
cudaError_t cudaEventDestroy( cudaEvent_t event );

enum cudaMemcpyKind
{
    cudaMemcpyDefault = 4
};

cudaError_t cudaMalloc( void** data, size_t bytes );
cudaError_t cudaFree( void* data );
cudaError_t cudaMallocHost( void** data, size_t bytes );
cudaError_t cudaFreeHost( void* data );
cudaError_t cudaMemcpyAsync( void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream );
cudaError_t cudaMemsetAsync( void* to, int value, size_t bytes, cudaStream_t stream );

struct cudaLaunchConfig_t
{
    dim3 gridDim;
    dim3 blockDim;
    cudaStream_t stream;
};

struct cudaFuncAttributes
{
};

cudaError_t cudaFuncGetAttributes( cudaFuncAttributes* attributes, void ( *kernel )() );

namespace emulation
{

cudaError_t launch( const cudaLaunchConfig_t& config, std::function<void()> thread );

} // namespace emulation

/// Arguments are copied at the call, as on a device.
template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx( const cudaLaunchConfig_t* config, void ( *kernel )( Parameters... ),
                                Arguments&&... arguments )
{
    return emulation::launch( *config, std::bind( kernel, arguments... ) );
}

#endif
