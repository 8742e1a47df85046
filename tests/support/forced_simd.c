// SPDX-License-Identifier: Zlib
// Forces an instruction set in tests: CULLET_TEST_SIMD=plain, sse2, avx2, avx512 or neon in the environment replaces
// the best one of this processor (clt_simdAuto, the default). Test programs link this with --wrap=cltWideKernels_Get,
// so the library has no code for it. Tests that run the command `cullet` use its option --simd instead.
#include "gpu/host/wide/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_SKIPPED 77 // cannot be tested here

// The linker prescribes these two names.
const cltWideKernels* __real_cltWideKernels_Get( cltSimd simd ); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c)
const cltWideKernels* __wrap_cltWideKernels_Get( cltSimd simd ); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c)

static cltSimd SimdOf( const char* name )
{
    for ( cltSimd simd = clt_simdPlain; simd <= clt_simdNeon; ++simd )
    {
        if ( strcmp( name, cltSimdName( simd ) ) == 0 )
        {
            return simd;
        }
    }
    fprintf( stderr, "CULLET_TEST_SIMD=%s: this is not an instruction set\n", name );
    exit( EXIT_FAILURE );
}

const cltWideKernels* __wrap_cltWideKernels_Get( cltSimd simd )
{
    const char* forced = getenv( "CULLET_TEST_SIMD" );
    if ( simd != clt_simdAuto || forced == NULL || *forced == '\0' )
    {
        return __real_cltWideKernels_Get( simd );
    }
    const cltWideKernels* kernels = __real_cltWideKernels_Get( SimdOf( forced ) );
    if ( kernels == NULL )
    {
        fprintf( stderr, "CULLET_TEST_SIMD=%s: this processor or this build lacks it\n", forced );
        exit( EXIT_SKIPPED );
    }
    return kernels;
}
