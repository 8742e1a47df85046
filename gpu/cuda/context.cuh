// SPDX-License-Identifier: Zlib
/// \file context.cuh
/// Makes a device current for the calling thread and restores the previous one.
///
/// cudaSetDevice alone would not do: since CUDA 12, setting the previous device again creates a context there, which
/// costs hundreds of megabytes on a device that the application may never use. So the primary context is pushed and
/// popped with the driver API. Its functions are obtained from the runtime, because a program may start on a machine
/// without a driver. If the device is already current, nothing is pushed or popped.
#ifndef CLT_CUDA_CONTEXT_CUH
#define CLT_CUDA_CONTEXT_CUH

#include "gpu/cuda/device.cuh"

cltStatus cltCudaContext_Push( cltCudaDevice* device );

/// Pops the context that cltCudaContext_Push pushed on the calling thread.
void cltCudaContext_Pop( void );

/// Releases the primary context, after the last push.
void cltCudaContext_Release( cltCudaDevice* device );

#endif
