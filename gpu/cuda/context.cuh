// SPDX-License-Identifier: Zlib
/// \file context.cuh
/// A device made the calling thread's own, and taken from it again, so that the thread is as it was.
///
/// cudaSetDevice would do for the first. But to go back by it makes a context on the other device, since CUDA 12, which
/// is hundreds of megabytes where the application may never have been. So the context is pushed and popped, as only the
/// driver can; the runtime is asked for its functions, because there may be no driver when a program starts.
/// A thread that is on the device already needs none of it: only a machine with two devices runs this.
#ifndef CLT_CUDA_CONTEXT_CUH
#define CLT_CUDA_CONTEXT_CUH

#include "gpu/cuda/device.cuh"

cltStatus cltCudaContext_Push( cltCudaDevice* device );

/// Of the thread that pushed last.
void cltCudaContext_Pop( void );

/// Once nobody will push it any more.
void cltCudaContext_Release( cltCudaDevice* device );

#endif
