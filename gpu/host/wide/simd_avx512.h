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

static inline cltFloats cltFloats_Load( const float* from )
{
    return _mm512_loadu_ps( from );
}

static inline void cltFloats_Store( float* to, cltFloats value )
{
    _mm512_storeu_ps( to, value );
}

static inline cltFloats cltFloats_Splat( float value )
{
    return _mm512_set1_ps( value );
}

static inline cltFloats cltFloats_Min( cltFloats a, cltFloats b )
{
    return _mm512_min_ps( a, b );
}

static inline cltFloats cltFloats_Max( cltFloats a, cltFloats b )
{
    return _mm512_max_ps( a, b );
}

static inline cltFloats cltFloats_Subtract( cltFloats a, cltFloats b )
{
    return _mm512_sub_ps( a, b );
}

static inline cltFloats cltFloats_Add( cltFloats a, cltFloats b )
{
    return _mm512_add_ps( a, b );
}

static inline cltFlags cltFloats_Less( cltFloats a, cltFloats b )
{
    return _mm512_cmp_ps_mask( a, b, _CMP_LT_OQ );
}

static inline cltFlags cltFloats_LessEqual( cltFloats a, cltFloats b )
{
    return _mm512_cmp_ps_mask( a, b, _CMP_LE_OQ );
}

static inline cltFlags cltFloats_GreaterEqual( cltFloats a, cltFloats b )
{
    return _mm512_cmp_ps_mask( a, b, _CMP_GE_OQ );
}

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

static inline uint32_t cltFlags_Bits( cltFlags flags )
{
    return flags;
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
