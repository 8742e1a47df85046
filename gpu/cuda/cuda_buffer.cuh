// SPDX-License-Identifier: Zlib
/// \file cuda_buffer.cuh
/// Growable arrays in device memory and in pinned host memory. They grow by half and never shrink, so after warm-up an
/// update allocates nothing.
#ifndef CLT_CUDA_CUDA_BUFFER_CUH
#define CLT_CUDA_CUDA_BUFFER_CUH

#include "gpu/cuda/stream.cuh"

#include <utility>

typedef enum cltMemoryKind
{
    clt_memoryDevice,
    clt_memoryPinned ///< page-locked host memory: copies need no staging
} cltMemoryKind;

/// A growable array. Its destructor frees the memory; it must be destroyed before the device.
struct cltCudaBuffer
{
    void* data = NULL;
    size_t bytes = 0; ///< capacity
    cltMemoryKind place;
    cltCudaDevice* device = NULL; ///< owns the memory; NULL if there is none

    cltCudaBuffer( cltMemoryKind where = clt_memoryDevice ) : place( where )
    {
    }

    ~cltCudaBuffer();

    /// Swaps the two buffers.
    cltCudaBuffer& operator=( cltCudaBuffer&& other )
    {
        std::swap( data, other.data );
        std::swap( bytes, other.bytes );
        std::swap( place, other.place );
        std::swap( device, other.device );
        return *this;
    }
};

/// Ensures capacity for `count` items. On growth only the first `kept` items are preserved.
cltStatus cltCudaBuffer_Reserve( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                 size_t kept = 0 );

/// As cltCudaBuffer_Reserve, but on growth nothing is preserved, and all bytes are set to `value`.
cltStatus cltCudaBuffer_ReserveFilled( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                       int value );

#endif
