// SPDX-License-Identifier: Zlib
/// \file stream.cuh
/// Stream operations other than kernels (launch.cuh), waiting, and destruction.
#ifndef CLT_CUDA_STREAM_CUH
#define CLT_CUDA_STREAM_CUH

#include "gpu/cuda/device.cuh"

#include <utility>

/// Enqueues a copy between pinned and device memory, or within one of them. Pinned memory must not change until the
/// next wait.
cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes );

/// Enqueues a fill of memory with a byte value.
cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes );

/// Waits for all operations enqueued so far.
cltStatus cltCudaDevice_Wait( cltCudaDevice* device );

/// Records an event in the stream.
cltStatus cltCudaDevice_Mark( cltCudaDevice* device, cltMark mark );

/// Destroys an object and its device resources, without releasing the object's own memory. Does nothing if the device
/// cannot be reached: the resources of a forked parent are not the child's, and a free on another device would fail.
/// \tparam Owner  has a member cltCudaDevice `device`
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
        cltCudaDevice last = {}; // outlives the guard: a context may not be released while it is current
        // without the guard, freeing would create a context on the thread's current device
        const cltCudaDeviceScope visit( device, "cullet destroy" );
        last.ordinal = device->ordinal;
        std::swap( last.context, device->context );
        if ( visit.isCurrent )
        {
            cltCudaDevice_Wait( device ); // after a failure kernels may still run
            owner->~Owner();
        }
    }
}

#endif
