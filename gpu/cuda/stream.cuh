// SPDX-License-Identifier: Zlib
/// \file stream.cuh
/// What is put into a device's stream beside kernels (launch.cuh), and waiting for it.
#ifndef CLT_CUDA_STREAM_CUH
#define CLT_CUDA_STREAM_CUH

#include "gpu/cuda/device.cuh"

/// Copies in the order of the stream, between any two places. Pinned memory must be left alone until the next wait.
cltStatus cltCudaCopy( cltCudaDevice* device, void* to, const void* from, size_t bytes );

/// Sets all bytes to one value, in the order of the stream.
cltStatus cltCudaFill( cltCudaDevice* device, void* to, int value, size_t bytes );

/// Waits for all that was put into the stream, or was to be.
cltStatus cltCudaDevice_Wait( cltCudaDevice* device );

/// Puts a mark into the stream.
cltStatus cltCudaDevice_Mark( cltCudaDevice* device, cltMark mark );

#endif
