// SPDX-License-Identifier: Zlib
/// \file cuda_buffer.cuh
/// Growable arrays on the device, and in host memory that the device can copy from while the host goes on. They grow by
/// half again and never shrink, so that after warm-up an update allocates nothing.
#ifndef CLT_CUDA_CUDA_BUFFER_CUH
#define CLT_CUDA_CUDA_BUFFER_CUH

#include "gpu/cuda/device.cuh"

typedef enum cltPlace
{
    clt_placeDevice,
    clt_placePinned ///< host memory that stays where it is, so that copies need no detour
} cltPlace;

/// Zero-initialised it is an empty array on the device.
typedef struct cltCudaBuffer
{
    void* data;
    size_t bytes; ///< capacity
    cltPlace place;
} cltCudaBuffer;

/// Room for count * itemSize bytes; what was in the buffer is lost if it has to grow.
cltStatus cltCudaBuffer_Reserve( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize );

/// The same, but keeps the first `kept` items. For buffers on the device.
cltStatus cltCudaBuffer_Grow( cltCudaBuffer* buffer, cltCudaDevice* device, size_t kept, size_t count,
                              size_t itemSize );

void cltCudaBuffer_Release( cltCudaBuffer* buffer, cltCudaDevice* device );

/// Copies in the order of the stream, between any two places. Pinned memory must be left alone until the next wait.
cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes );

/// Sets all bytes to one value, in the order of the stream.
cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes );

#endif
