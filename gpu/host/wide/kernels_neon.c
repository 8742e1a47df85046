// SPDX-License-Identifier: Zlib
// The hot loops with NEON.

#include "gpu/host/wide/kernels.h"

#if defined( CLT_HAS_NEON_KERNELS )
#define CLT_KERNELS cltWideKernels_Neon
#define CLT_KERNELS_SIMD clt_simdNeon
#include "gpu/host/wide/kernels_body.h"
#endif
