// SPDX-License-Identifier: Zlib
// The hot loops in plain C.

#define CLT_SIMD_PLAIN
#define CLT_KERNELS cltWideKernels_Plain
#define CLT_KERNELS_SIMD clt_simdPlain
#include "gpu/host/wide/kernels_body.h"
