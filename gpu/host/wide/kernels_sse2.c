// SPDX-License-Identifier: Zlib
// The hot loops with SSE2.

#include "gpu/host/wide/kernels.h"

#if defined( CLT_HAS_SSE2_KERNELS )
#define CLT_KERNELS cltWideKernels_Sse2
#define CLT_KERNELS_SIMD clt_simdSse2
#include "gpu/host/wide/kernels_body.h"
#endif
