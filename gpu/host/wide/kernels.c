// SPDX-License-Identifier: Zlib
// Which instruction set runs: the best that this processor has, or the one that is asked for.

#include "gpu/host/wide/kernels.h"

extern const cltWideKernels cltWideKernels_Plain;

#if defined( __x86_64__ ) && defined( __GNUC__ )

extern const cltWideKernels cltWideKernels_Sse2;
extern const cltWideKernels cltWideKernels_Avx2;
extern const cltWideKernels cltWideKernels_Avx512;

/// With what the files of these sets are compiled with besides; virtual machines may hide one and show the other.
static bool HasAvx2( void )
{
    return __builtin_cpu_supports( "avx2" ) && __builtin_cpu_supports( "bmi" ) && __builtin_cpu_supports( "popcnt" );
}

static bool HasAvx512( void )
{
    return HasAvx2() && __builtin_cpu_supports( "avx512f" ) && __builtin_cpu_supports( "avx512bw" ) &&
           __builtin_cpu_supports( "avx512dq" ) && __builtin_cpu_supports( "avx512vl" );
}

static bool Has( cltSimd simd )
{
    return simd == clt_simdPlain || simd == clt_simdSse2 || ( simd == clt_simdAvx2 && HasAvx2() ) ||
           ( simd == clt_simdAvx512 && HasAvx512() );
}

static const cltWideKernels* const tables[] = { [clt_simdPlain] = &cltWideKernels_Plain,
                                                [clt_simdSse2] = &cltWideKernels_Sse2,
                                                [clt_simdAvx2] = &cltWideKernels_Avx2,
                                                [clt_simdAvx512] = &cltWideKernels_Avx512 };
static const cltSimd bestFirst[] = { clt_simdAvx512, clt_simdAvx2, clt_simdSse2, clt_simdPlain };

#elif defined( __aarch64__ ) && defined( __GNUC__ )

extern const cltWideKernels cltWideKernels_Neon;

static bool Has( cltSimd simd )
{
    return simd == clt_simdPlain || simd == clt_simdNeon;
}

static const cltWideKernels* const tables[] = {
    [clt_simdPlain] = &cltWideKernels_Plain, [clt_simdNeon] = &cltWideKernels_Neon };
static const cltSimd bestFirst[] = { clt_simdNeon, clt_simdPlain };

#else

static bool Has( cltSimd simd )
{
    return simd == clt_simdPlain;
}

static const cltWideKernels* const tables[] = { [clt_simdPlain] = &cltWideKernels_Plain };
static const cltSimd bestFirst[] = { clt_simdPlain };

#endif

const cltWideKernels* cltWideKernels_Get( cltSimd simd )
{
    if ( simd != clt_simdAuto )
    {
        return Has( simd ) ? tables[simd] : NULL;
    }
    uint32_t best = 0;
    while ( !Has( bestFirst[best] ) )
    {
        ++best; // plain C is last and always there
    }
    return tables[bestFirst[best]];
}
