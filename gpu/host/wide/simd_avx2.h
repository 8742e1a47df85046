// SPDX-License-Identifier: Zlib
/// \file simd_avx2.h
/// The operations of simd.h with AVX2: vectors of eight lanes, and a table for lists of lanes.
#ifndef CLT_HOST_SIMD_AVX2_H
#define CLT_HOST_SIMD_AVX2_H

#include "bridge/cullet_bits.h"
#include "gpu/core/callable.h"

#include <immintrin.h>

#define CLT_WIDTH 8u

typedef __m256 cltFloats;
typedef __m256 cltFlags;

#define CLT_MM( operation ) _mm256_##operation
#define CLT_COMPARE( a, b, lower, upper ) _mm256_cmp_ps( a, b, _CMP_##upper##_OQ )
#include "gpu/host/wide/simd_x86.h"

static inline float cltFloats_Lowest( cltFloats value )
{
    __m128 half = _mm_min_ps( _mm256_castps256_ps128( value ), _mm256_extractf128_ps( value, 1 ) );
    half = _mm_min_ps( half, _mm_movehl_ps( half, half ) );
    return _mm_cvtss_f32( _mm_min_ss( half, _mm_movehdup_ps( half ) ) );
}

static inline float cltFloats_Highest( cltFloats value )
{
    __m128 half = _mm_max_ps( _mm256_castps256_ps128( value ), _mm256_extractf128_ps( value, 1 ) );
    half = _mm_max_ps( half, _mm_movehl_ps( half, half ) );
    return _mm_cvtss_f32( _mm_max_ss( half, _mm_movehdup_ps( half ) ) );
}

/// Which integers have a bit in common with `bits`, as a mask.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    const __m256i shared = _mm256_and_si256( _mm256_loadu_si256( (const __m256i*)from ), _mm256_set1_epi32( bits ) );
    const __m256i none = _mm256_cmpeq_epi32( shared, _mm256_setzero_si256() );
    return ~(uint32_t)_mm256_movemask_ps( _mm256_castsi256_ps( none ) ) & 0xffu;
}

/// Row b of the table lists the set bits of b as lanes, a byte each. CLT_BELOW3( b ) counts the set bits below bit 3.
#define CLT_BIT( b, i ) ( (uint64_t)( ( ( b ) >> ( i ) ) & 1u ) )
#define CLT_BELOW1( b ) CLT_BIT( b, 0 )
#define CLT_BELOW2( b ) ( CLT_BELOW1( b ) + CLT_BIT( b, 1 ) )
#define CLT_BELOW3( b ) ( CLT_BELOW2( b ) + CLT_BIT( b, 2 ) )
#define CLT_BELOW4( b ) ( CLT_BELOW3( b ) + CLT_BIT( b, 3 ) )
#define CLT_BELOW5( b ) ( CLT_BELOW4( b ) + CLT_BIT( b, 4 ) )
#define CLT_BELOW6( b ) ( CLT_BELOW5( b ) + CLT_BIT( b, 5 ) )
#define CLT_BELOW7( b ) ( CLT_BELOW6( b ) + CLT_BIT( b, 6 ) )
#define CLT_LANE( b, i ) ( CLT_BIT( b, i ) * (uint64_t)( i ) << ( 8u * CLT_BELOW##i( b ) ) )
#define CLT_ROW( b )                                                                                                   \
    ( CLT_LANE( b, 1 ) | CLT_LANE( b, 2 ) | CLT_LANE( b, 3 ) | CLT_LANE( b, 4 ) | CLT_LANE( b, 5 ) |                   \
      CLT_LANE( b, 6 ) | CLT_LANE( b, 7 ) )
#define CLT_ROWS4( b ) CLT_ROW( b ), CLT_ROW( ( b ) + 1u ), CLT_ROW( ( b ) + 2u ), CLT_ROW( ( b ) + 3u )
#define CLT_ROWS16( b ) CLT_ROWS4( b ), CLT_ROWS4( ( b ) + 4u ), CLT_ROWS4( ( b ) + 8u ), CLT_ROWS4( ( b ) + 12u )
#define CLT_ROWS64( b ) CLT_ROWS16( b ), CLT_ROWS16( ( b ) + 16u ), CLT_ROWS16( ( b ) + 32u ), CLT_ROWS16( ( b ) + 48u )

#define CLT_HAS_LANES_LIST

/// cltLanes_List for eight lanes.
static inline uint32_t cltLanes_ListEight( uint32_t* to, uint32_t first, uint32_t lanes )
{
    static const uint64_t rows[256] = { CLT_ROWS64( 0u ), CLT_ROWS64( 64u ), CLT_ROWS64( 128u ), CLT_ROWS64( 192u ) };
    const __m256i steps = _mm256_cvtepu8_epi32( _mm_loadl_epi64( (const __m128i*)( rows + lanes ) ) );
    _mm256_storeu_si256( (__m256i*)to, _mm256_add_epi32( _mm256_set1_epi32( (int)first ), steps ) );
    return cltBitCount( lanes );
}

/// cltLanes_List of simd.h, with the same result.
static inline uint32_t cltLanes_List( uint32_t* to, uint32_t first, uint32_t lanes )
{
    const uint32_t count = cltLanes_ListEight( to, first, lanes & 0xffu );
    return count + cltLanes_ListEight( to + count, first + 8u, lanes >> 8 );
}

#endif
