// SPDX-License-Identifier: Zlib
// Tests on every instruction set: with CULLET_TEST_SIMD=plain, sse2, avx2, avx512 or neon in the environment, what
// takes the best instruction set of this processor (clt_simdAuto, the default) takes that one. Programs that link this
// are linked with --wrap=cltWideKernels_Get, so the library knows nothing of it. All tests that search for pairs do,
// but for those that run the command `cullet`, which has an option of its own.
#include "gpu/host/wide/kernels.h"

#include <stdio.h>
#include <stdlib.h>

#define EXIT_SKIPPED 77 // what tests/simd.sh takes for "cannot be tested here"

// The two names are the linker's.
const cltWideKernels* __real_cltWideKernels_Get( cltSimd simd ); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c)
const cltWideKernels* __wrap_cltWideKernels_Get( cltSimd simd ); // NOLINT(bugprone-reserved-identifier,cert-dcl37-c)

static cltSimd SimdOf( const char* name )
{
    cltSimd simd = clt_simdAuto;
    if ( cltSimdFromName( name, &simd ) != clt_ok || simd == clt_simdAuto )
    {
        fprintf( stderr, "CULLET_TEST_SIMD=%s: that is no instruction set\n", name );
        exit( EXIT_FAILURE );
    }
    return simd;
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
