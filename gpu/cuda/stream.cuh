// SPDX-License-Identifier: Zlib
/// \file stream.cuh
/// What is put into a device's stream beside kernels (launch.cuh), waiting for it, and its end.
#ifndef CLT_CUDA_STREAM_CUH
#define CLT_CUDA_STREAM_CUH

#include "gpu/cuda/device.cuh"

#include <utility>

/// Copies in the order of the stream, between any two places. Pinned memory must be left alone until the next wait.
cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes );

/// Sets all bytes to one value, in the order of the stream.
cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes );

/// Waits for all that was put into the stream, or was to be.
cltStatus cltCudaDevice_Wait( cltCudaDevice* device );

/// Puts a mark into the stream.
cltStatus cltCudaDevice_Mark( cltCudaDevice* device, cltMark mark );

/// Destroys what has a device, and on it all that it holds, without releasing its own memory. Nothing where the device
/// cannot be reached: what a forked child has of it went with its parent's, and what is freed elsewhere would be sought
/// on the caller's device.
/// \tparam Owner  has a cltCudaDevice `device`
template <typename Owner>
void cltDestroyOnDevice( Owner* owner )
{
    cltCudaDevice* device = &owner->device;
    if ( device->stream == NULL )
    {
        owner->~Owner();
    }
    else if ( cltCudaDevice_IsOurs( device ) )
    {
        cltCudaDevice last = {}; // outlives the visit: a context is released when no thread stands on it
        const cltCudaVisit visit( device, "cullet destroy" ); // freeing makes a context wherever the thread is
        last.ordinal = device->ordinal;
        std::swap( last.context, device->context );
        if ( visit.isThere )
        {
            cltCudaDevice_Wait( device ); // work that failed on the way may still have kernels in it
            owner->~Owner();
        }
    }
}

#endif
