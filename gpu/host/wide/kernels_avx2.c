// SPDX-License-Identifier: Zlib
// The hot loops with AVX2; this file alone is compiled for it.

#include "gpu/host/wide/kernels.h"

// Not in the part of a universal binary of macOS that is for another processor.
#if defined( __x86_64__ )
#define CLT_KERNELS cltWideKernels_Avx2
#define CLT_KERNELS_SIMD clt_simdAvx2
#include "gpu/host/wide/kernels_body.h"
#endif
