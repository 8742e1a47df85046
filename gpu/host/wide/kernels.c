// SPDX-License-Identifier: Zlib
// Chooses the instruction set: the best one that this processor has, or the one that the def asks for.

#include "gpu/host/wide/kernels.h"

// clang-format off
static const cltWideKernels* const bestFirst[] = {
#if defined( CLT_HAS_AVX_KERNELS )
    &cltWideKernels_Avx512, &cltWideKernels_Avx2,
#endif
#if defined( CLT_HAS_SSE2_KERNELS )
    &cltWideKernels_Sse2,
#endif
#if defined( CLT_HAS_NEON_KERNELS )
    &cltWideKernels_Neon,
#endif
    &cltWideKernels_Plain };
// clang-format on

/// Whether the processor has all instructions that the kernels of `simd` use; a virtual machine may hide some of them.
static bool HasSimd( cltSimd simd )
{
    bool hasAvx2 = false;
    bool hasAvx512 = false;
#if defined( CLT_HAS_AVX_KERNELS )
    hasAvx2 = __builtin_cpu_supports( "avx2" ) && __builtin_cpu_supports( "bmi" ) && __builtin_cpu_supports( "popcnt" );
    hasAvx512 = hasAvx2 && __builtin_cpu_supports( "avx512f" ) && __builtin_cpu_supports( "avx512bw" ) &&
                __builtin_cpu_supports( "avx512dq" ) && __builtin_cpu_supports( "avx512vl" );
#endif
    return simd == clt_simdAvx512 ? hasAvx512 : simd == clt_simdAvx2 ? hasAvx2 : true;
}

const cltWideKernels* cltWideKernels_Get( cltSimd simd )
{
    for ( size_t i = 0; i < sizeof bestFirst / sizeof bestFirst[0]; ++i )
    {
        if ( ( simd == clt_simdAuto || simd == bestFirst[i]->simd ) && HasSimd( bestFirst[i]->simd ) )
        {
            return bestFirst[i];
        }
    }
    return NULL;
}
