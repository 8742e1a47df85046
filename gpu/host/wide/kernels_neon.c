// SPDX-License-Identifier: Zlib
// The hot loops with NEON.

#include "gpu/host/wide/kernels.h"

// Not in the part of a universal binary of macOS that is for another processor.
#if defined( __aarch64__ )
#define CLT_KERNELS cltWideKernels_Neon
#define CLT_KERNELS_SIMD clt_simdNeon
#include "gpu/host/wide/kernels_body.h"
#endif
