// SPDX-License-Identifier: Zlib
// The hot loops with AVX2; this file alone is compiled for it.

#include "gpu/host/wide/kernels.h"

#if defined( CLT_HAS_AVX_KERNELS )
#define CLT_KERNELS cltWideKernels_Avx2
#define CLT_KERNELS_SIMD clt_simdAvx2
#include "gpu/host/wide/kernels_body.h"
#endif
