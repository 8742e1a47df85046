// SPDX-License-Identifier: Zlib
// The hot loops with SSE2.

#include "gpu/host/wide/kernels.h"

// Not in the part of a universal binary of macOS that is for another processor.
#if defined( __x86_64__ ) || defined( __EMSCRIPTEN__ )
#define CLT_KERNELS cltWideKernels_Sse2
#define CLT_KERNELS_SIMD clt_simdSse2
#include "gpu/host/wide/kernels_body.h"
#endif
