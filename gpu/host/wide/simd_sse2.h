// SPDX-License-Identifier: Zlib
/// \file simd_sse2.h
/// The operations of simd.h with the SSE2 of every x86-64: vectors of four lanes. Emscripten has the same functions for
/// the vectors of WebAssembly.
#ifndef CLT_HOST_SIMD_SSE2_H
#define CLT_HOST_SIMD_SSE2_H

#include "gpu/core/callable.h"

#include <emmintrin.h>

#define CLT_WIDTH 4u

typedef __m128 cltFloats;
typedef __m128 cltFlags;

#define CLT_MM( operation ) _mm_##operation
#define CLT_COMPARE( a, b, lower, upper ) _mm_cmp##lower##_ps( a, b )
#include "gpu/host/wide/simd_x86.h"

static inline float cltFloats_Lowest( cltFloats value )
{
    const __m128 half = _mm_min_ps( value, _mm_movehl_ps( value, value ) );
    return _mm_cvtss_f32( _mm_min_ss( half, _mm_shuffle_ps( half, half, 1 ) ) );
}

static inline float cltFloats_Highest( cltFloats value )
{
    const __m128 half = _mm_max_ps( value, _mm_movehl_ps( value, value ) );
    return _mm_cvtss_f32( _mm_max_ss( half, _mm_shuffle_ps( half, half, 1 ) ) );
}

/// Which integers have a bit in common with `bits`, as a mask.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    const __m128i shared = _mm_and_si128( _mm_loadu_si128( (const __m128i*)from ), _mm_set1_epi32( bits ) );
    const __m128i none = _mm_cmpeq_epi32( shared, _mm_setzero_si128() );
    return ~(uint32_t)_mm_movemask_ps( _mm_castsi128_ps( none ) ) & 0xfu;
}

#endif
