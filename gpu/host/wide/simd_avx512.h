// SPDX-License-Identifier: Zlib
/// \file simd_avx512.h
/// The operations of simd.h with AVX-512: vectors of sixteen lanes, comparisons into mask registers, and one
/// instruction for a list of lanes.
#ifndef CLT_HOST_SIMD_AVX512_H
#define CLT_HOST_SIMD_AVX512_H

#include "bridge/cullet_bits.h"
#include "gpu/core/box_lanes.h"

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

/// cltFloats_Meet of simd.h, with the same result. A comparison under a mask waits for the comparison that made the
/// mask. From the code in simd.h, gcc makes a single chain of comparisons over all axes. Here each axis is a chain of
/// its own, and a test takes three quarters of the time.
static inline cltFlags cltFloats_Meet( cltFloats lowers, cltFloats uppers, cltFloats lower, cltFloats upper )
{
    return _mm512_mask_cmp_ps_mask( _mm512_cmp_ps_mask( lowers, upper, _CMP_LE_OQ ), uppers, lower, _CMP_GE_OQ );
}

#define CLT_HAS_PREVIOUS_BOXES

/// The previous boxes, compared into vectors of eight as with AVX2. All comparisons into mask registers share one
/// unit of the processor. If half of the tests use other units, all tests take four fifths of the time (Zen 4).
typedef struct cltPreviousBoxes
{
    __m256 halves[2][6];
} cltPreviousBoxes;

static inline cltPreviousBoxes cltPreviousBoxes_Load( const cltBoxLanes* block )
{
    cltPreviousBoxes boxes;
    for ( uint32_t half = 0; half < 2u; ++half )
    {
        for ( uint32_t axis = 0; axis < 3u; ++axis )
        {
            boxes.halves[half][axis] = _mm256_loadu_ps( block->lower[axis] + 8u * half );
            boxes.halves[half][3u + axis] = _mm256_loadu_ps( block->upper[axis] + 8u * half );
        }
    }
    return boxes;
}

static inline uint32_t cltPreviousBoxes_OverlapHalf( const __m256* rows, const float* box, size_t stride )
{
    __m256 meet[3];
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        const __m256 below = _mm256_cmp_ps( rows[axis], _mm256_set1_ps( box[( 3 + axis ) * stride] ), _CMP_LE_OQ );
        const __m256 above = _mm256_cmp_ps( rows[3 + axis], _mm256_set1_ps( box[axis * stride] ), _CMP_GE_OQ );
        meet[axis] = _mm256_and_ps( below, above );
    }
    return (uint32_t)_mm256_movemask_ps( _mm256_and_ps( _mm256_and_ps( meet[0], meet[1] ), meet[2] ) );
}

static inline uint32_t cltPreviousBoxes_Overlap( const cltPreviousBoxes* boxes, const float* box, size_t stride )
{
    const uint32_t first = cltPreviousBoxes_OverlapHalf( boxes->halves[0], box, stride );
    return first | cltPreviousBoxes_OverlapHalf( boxes->halves[1], box, stride ) << 8;
}

/// Which integers have a bit in common with `bits`, as a mask.
static inline uint32_t cltInts_Share( const int32_t* from, int32_t bits )
{
    return _mm512_test_epi32_mask( _mm512_loadu_si512( from ), _mm512_set1_epi32( bits ) );
}

#define CLT_HAS_LANES_LIST

/// cltLanes_List of simd.h, with the same result.
static inline uint32_t cltLanes_List( uint32_t* to, uint32_t first, uint32_t lanes )
{
    const __m512i steps = _mm512_set_epi32( 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 );
    const __m512i all = _mm512_add_epi32( _mm512_set1_epi32( (int)first ), steps );
    _mm512_storeu_si512( to, _mm512_maskz_compress_epi32( (__mmask16)lanes, all ) );
    return cltBitCount( lanes );
}

#define CLT_HAS_LANES_PICK

static inline uint32_t cltLanes_Pick( uint32_t* to, const uint32_t* from, uint32_t lanes, uint32_t before,
                                      uint32_t now )
{
    __m512i all = _mm512_loadu_si512( from );
    all = _mm512_mask_or_epi32( all, (__mmask16)before, all, _mm512_set1_epi32( 1 << 30 ) );
    all = _mm512_mask_or_epi32( all, (__mmask16)now, all, _mm512_set1_epi32( (int)( 1u << 31 ) ) );
    _mm512_storeu_si512( to, _mm512_maskz_compress_epi32( (__mmask16)lanes, all ) );
    return cltBitCount( lanes );
}

#endif
