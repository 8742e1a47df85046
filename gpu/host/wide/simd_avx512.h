// SPDX-License-Identifier: Zlib
/// \file simd_avx512.h
/// The operations of simd.h with AVX-512: sixteen lanes, comparisons into mask registers, lists in one instruction.
#ifndef CLT_HOST_SIMD_AVX512_H
#define CLT_HOST_SIMD_AVX512_H

#include "gpu/core/callable.h"

#include <immintrin.h>

#define CLT_WIDTH 16u

typedef __m512 cltFloats;
typedef __mmask16 cltFlags;

#define CLT_MM( operation ) _mm512_##operation
#define CLT_COMPARE( a, b, lower, upper ) _mm512_cmp_ps_mask( a, b, _CMP_##upper##_OQ )
#include "gpu/host/wide/simd_x86.h"

static inline float cltFloats_Lowest( cltFloats value )
{
    return _mm512_reduce_min_ps( value );
}

static inline float cltFloats_Highest( cltFloats value )
{
    return _mm512_reduce_max_ps( value );
}

static inline cltFlags cltFlags_And( cltFlags a, cltFlags b )
{
    return (cltFlags)( a & b );
}

static inline cltFlags cltFlags_Or( cltFlags a, cltFlags b )
{
    return (cltFlags)( a | b );
}

static inline uint32_t cltFlags_Bits( cltFlags flags )
{
    return flags;
}

#define CLT_MEETS_INTERVAL

/// What simd.h does with two comparisons and an operation on flags. A comparison under a mask waits for the one that
/// made the mask, and gcc makes one chain of all that are in sight: spelled out there is one for each axis, and a test
/// takes three quarters of the time.
static inline cltFlags cltFloats_Meet( cltFloats lowers, cltFloats uppers, cltFloats lower, cltFloats upper )
{
    return _mm512_mask_cmp_ps_mask( _mm512_cmp_ps_mask( lowers, upper, _CMP_LE_OQ ), uppers, lower, _CMP_GE_OQ );
}

/// The integers that share a bit with `bits`, as bits.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    return _mm512_test_epi32_mask( _mm512_loadu_si512( from ), _mm512_set1_epi32( bits ) );
}

#define CLT_LISTS_LANES

/// What simd.h does bit by bit.
static inline uint32_t cltLanes_List( uint32_t* to, uint32_t first, uint32_t lanes )
{
    const __m512i steps = _mm512_set_epi32( 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 );
    const __m512i all = _mm512_add_epi32( _mm512_set1_epi32( (int)first ), steps );
    _mm512_storeu_si512( to, _mm512_maskz_compress_epi32( (__mmask16)lanes, all ) );
    return (uint32_t)__builtin_popcount( lanes );
}

#endif
