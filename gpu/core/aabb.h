// SPDX-License-Identifier: Zlib
/// \file aabb.h Boxes: the overlap test that decides every pair, unions, and outward rounding from double to float.
#ifndef CLT_CORE_AABB_H
#define CLT_CORE_AABB_H

#include "bridge/cullet.h"
#include "gpu/core/bits.h"

#if defined( CLT_SSE2 )
#include <emmintrin.h>

/// (upper[1], upper[2], 0, 0): the bounds that follow a box's first four. Two overlapping loads of four bounds would be
/// shorter, but a load that spans two recent stores waits until both stores are complete.
CLT_HD __m128 cltAabb_Tail( const cltAabb* box )
{
    return _mm_castsi128_ps( _mm_loadl_epi64( (const __m128i*)( box->upper + 1 ) ) );
}

#endif

/// Whether the closed intervals of an axis overlap.
CLT_HD bool cltAabb_OverlapsOnAxis( const cltAabb* a, const cltAabb* b, int axis )
{
    return ( ( a->lower[axis] <= b->upper[axis] ) & ( b->lower[axis] <= a->upper[axis] ) ) != 0;
}

CLT_HD bool cltAabbD_OverlapsOnAxis( const cltAabbD* a, const cltAabbD* b, int axis )
{
    return ( ( a->lower[axis] <= b->upper[axis] ) & ( b->lower[axis] <= a->upper[axis] ) ) != 0;
}

/// Closed intervals: boxes that touch overlap. The result depends on comparisons only, never on rounding, and a NaN
/// overlaps nothing. Written without branches: the outcome of one comparison is too random for a branch predictor. Not
/// composed of axes: the kernel of `frontier` would take 60 registers instead of 48.
CLT_HD bool cltAabb_Overlaps( const cltAabb* a, const cltAabb* b )
{
#if defined( CLT_SSE2 )
    // Compares three axes at once: less than half the instructions of one axis at a time. No load reads beyond the box:
    //     lower[0] lower[1] lower[2] upper[0] upper[1] upper[2]
    //     '-------- from 0 -------'
    //                       '-------- from 2 -------'   shifted down by one lane: upper[0] upper[1] upper[2]
    enum
    {
        up = _MM_SHUFFLE( 3, 3, 2, 1 )
    };
    const __m128 tailA = _mm_loadu_ps( a->lower + 2 );
    const __m128 tailB = _mm_loadu_ps( b->lower + 2 );
    const __m128 belowB = _mm_cmple_ps( _mm_loadu_ps( a->lower ), _mm_shuffle_ps( tailB, tailB, up ) );
    const __m128 belowA = _mm_cmple_ps( _mm_loadu_ps( b->lower ), _mm_shuffle_ps( tailA, tailA, up ) );
    return ( _mm_movemask_ps( _mm_and_ps( belowB, belowA ) ) & 7 ) == 7;
#else
    return ( ( a->lower[0] <= b->upper[0] ) & ( b->lower[0] <= a->upper[0] ) & ( a->lower[1] <= b->upper[1] ) &
             ( b->lower[1] <= a->upper[1] ) & ( a->lower[2] <= b->upper[2] ) & ( b->lower[2] <= a->upper[2] ) ) != 0;
#endif
}

CLT_HD bool cltAabbD_Overlaps( const cltAabbD* a, const cltAabbD* b )
{
    return ( ( a->lower[0] <= b->upper[0] ) & ( b->lower[0] <= a->upper[0] ) & ( a->lower[1] <= b->upper[1] ) &
             ( b->lower[1] <= a->upper[1] ) & ( a->lower[2] <= b->upper[2] ) & ( b->lower[2] <= a->upper[2] ) ) != 0;
}

CLT_HD bool cltAabb_HasNan( const cltAabb* box )
{
#if defined( CLT_SSE2 )
    return _mm_movemask_ps( _mm_cmpunord_ps( _mm_loadu_ps( box->lower ), cltAabb_Tail( box ) ) ) != 0;
#else
    bool nan = false;
    for ( int axis = 0; axis < 3; ++axis )
    {
        nan = nan || box->lower[axis] != box->lower[axis] || box->upper[axis] != box->upper[axis];
    }
    return nan;
#endif
}

CLT_HD bool cltAabbD_HasNan( const cltAabbD* box )
{
    bool nan = false;
    for ( int axis = 0; axis < 3; ++axis )
    {
        nan = nan || box->lower[axis] != box->lower[axis] || box->upper[axis] != box->upper[axis];
    }
    return nan;
}

/// An empty box: a union with it changes nothing.
CLT_HD cltAabb cltAabb_Empty( void )
{
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = CLT_LARGEST_FLOAT;
        box.upper[axis] = -CLT_LARGEST_FLOAT;
    }
    return box;
}

/// A box of NaNs, which overlaps nothing.
CLT_HD cltAabb cltAabb_Nan( void )
{
    cltAabb box;
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] = cltNan();
        box.upper[axis] = cltNan();
    }
    return box;
}

/// The smallest box that overlaps everything that `a` or `b` overlaps, even if `a` or `b` is inverted. `b` must not
/// contain NaN. NaN bounds of `a` are replaced by those of `b`.
CLT_HD cltAabb cltAabb_Union( const cltAabb* a, const cltAabb* b )
{
    cltAabb both;
    for ( int axis = 0; axis < 3; ++axis )
    {
        both.lower[axis] = a->lower[axis] < b->lower[axis] ? a->lower[axis] : b->lower[axis];
        both.upper[axis] = a->upper[axis] > b->upper[axis] ? a->upper[axis] : b->upper[axis];
    }
    return both;
}

/// The longest edge. Negative if the box is inverted on all axes. NaN if both bounds of x are the same infinity.
CLT_HD float cltAabb_LongestEdge( const cltAabb* box )
{
    float longest = box->upper[0] - box->lower[0];
    for ( int axis = 1; axis < 3; ++axis )
    {
        float edge = box->upper[axis] - box->lower[axis];
        longest = edge > longest ? edge : longest;
    }
    return longest;
}

CLT_HD cltAabbD cltAabb_ToDouble( const cltAabb* box )
{
    cltAabbD wide;
    for ( int axis = 0; axis < 3; ++axis )
    {
        wide.lower[axis] = (double)box->lower[axis];
        wide.upper[axis] = (double)box->upper[axis];
    }
    return wide;
}

#if defined( CLT_SSE2 )

/// The greatest floats that are not above the two values, in the lower half; as in cltRoundDown, but without its check.
static inline __m128 cltRoundPairDown( __m128d values )
{
    const __m128 nearest = _mm_cvtpd_ps( values );
    const __m128i isAbove = _mm_castpd_si128( _mm_cmpgt_pd( _mm_cvtps_pd( nearest ), values ) );
    const __m128i bits = _mm_castps_si128( nearest );
    const __m128i step = _mm_or_si128( _mm_srai_epi32( bits, 31 ), _mm_set1_epi32( 1 ) ); // 1, or -1 if negative
    return _mm_castsi128_ps(
        _mm_sub_epi32( bits, _mm_and_si128( step, _mm_shuffle_epi32( isAbove, _MM_SHUFFLE( 3, 3, 2, 0 ) ) ) ) );
}

/// As cltAabb_FromDouble. \return false if the caller's floating-point mode takes subnormal numbers for zero, and the
/// result is wrong by that
static inline bool cltAabb_TryFromDouble( const cltAabbD* box, cltAabb* outer )
{
    // upper bounds are negated, so that all are rounded down
    const __m128d signs[3] = { _mm_setzero_pd(), _mm_set_pd( -0.0, 0.0 ), _mm_set1_pd( -0.0 ) };
    __m128 bounds[3];
    int wrong = 0;
    for ( int pair = 0; pair < 3; ++pair )
    {
        const __m128d values = _mm_xor_pd( _mm_loadu_pd( (const double*)box + 2 * pair ), signs[pair] );
        const __m128 below = cltRoundPairDown( values );
        wrong |= _mm_movemask_pd( _mm_cmpgt_pd( _mm_cvtps_pd( below ), values ) );
        bounds[pair] = _mm_xor_ps( below, _mm_cvtpd_ps( signs[pair] ) );
    }
    _mm_storeu_ps( outer->lower, _mm_movelh_ps( bounds[0], bounds[1] ) );
    _mm_storel_epi64( (__m128i*)( outer->upper + 1 ), _mm_castps_si128( bounds[2] ) );
    return wrong == 0;
}

#endif

/// The smallest float box around a double box. It overlaps everything that the double box overlaps. NaNs stay NaN.
CLT_HD cltAabb cltAabb_FromDouble( const cltAabbD* box )
{
    cltAabb outer;
#if defined( CLT_SSE2 )
    if ( cltAabb_TryFromDouble( box, &outer ) )
    {
        return outer;
    }
#endif
    for ( int axis = 0; axis < 3; ++axis )
    {
        outer.lower[axis] = cltRoundDown( box->lower[axis] );
        outer.upper[axis] = cltRoundUp( box->upper[axis] );
    }
    return outer;
}

#endif
