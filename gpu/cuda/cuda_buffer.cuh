// SPDX-License-Identifier: Zlib
/// \file cuda_buffer.cuh
/// Growable arrays on the device, and in host memory that the device can copy from while the host goes on. They grow by
/// half again and never shrink, so that after warm-up an update allocates nothing.
#ifndef CLT_CUDA_CUDA_BUFFER_CUH
#define CLT_CUDA_CUDA_BUFFER_CUH

#include "gpu/cuda/stream.cuh"

#include <utility>

typedef enum cltPlace
{
    clt_placeDevice,
    clt_placePinned ///< host memory that stays where it is, so that copies need no detour
} cltPlace;

/// Gives its memory back when it goes, which must be before the device does.
struct cltCudaBuffer
{
    void* data = NULL;
    size_t bytes = 0; ///< capacity
    cltPlace place;
    cltCudaDevice* device = NULL; ///< whose it is, once there is memory

    cltCudaBuffer( cltPlace where = clt_placeDevice ) : place( where )
    {
    }

    ~cltCudaBuffer();

    /// The two change places.
    cltCudaBuffer& operator=( cltCudaBuffer&& other )
    {
        std::swap( data, other.data );
        std::swap( bytes, other.bytes );
        std::swap( place, other.place );
        std::swap( device, other.device );
        return *this;
    }
};

/// Room for count * itemSize bytes. If it has to grow, only the first `kept` items stay.
cltStatus cltCudaBuffer_Reserve( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                 size_t kept = 0 );

/// The same, with all bytes set to one value whenever memory is new.
cltStatus cltCudaBuffer_ReserveFilled( cltCudaBuffer* buffer, cltCudaDevice* device, size_t count, size_t itemSize,
                                       int value );

#endif
