// SPDX-License-Identifier: Zlib
/// \file box_compare.h
/// Tests of every new box: is it equal to the proxy's current box, and does one of the two boxes have a NaN? The tests
/// have no early exits, because a processor mispredicts the branch at which two boxes differ.
#ifndef CLT_BRIDGE_BOX_COMPARE_H
#define CLT_BRIDGE_BOX_COMPARE_H

#include "gpu/backend.h"
#include "gpu/core/aabb.h"

/// Equality of numbers, not of bytes: -0 and +0 are equal. A box with a NaN differs from itself, so it always counts as
/// new.
static inline bool cltAabb_IsSame( const cltAabb* a, const cltAabb* b )
{
#if defined( CLT_SSE2 )
    const __m128 head = _mm_cmpeq_ps( _mm_loadu_ps( a->lower ), _mm_loadu_ps( b->lower ) );
    const __m128 tail = _mm_cmpeq_ps( cltAabb_Tail( a ), cltAabb_Tail( b ) );
    return _mm_movemask_ps( _mm_and_ps( head, tail ) ) == 15;
#else
    return ( ( a->lower[0] == b->lower[0] ) & ( a->lower[1] == b->lower[1] ) & ( a->lower[2] == b->lower[2] ) &
             ( a->upper[0] == b->upper[0] ) & ( a->upper[1] == b->upper[1] ) & ( a->upper[2] == b->upper[2] ) ) != 0;
#endif
}

static inline bool cltAabbD_IsSame( const cltAabbD* a, const cltAabbD* b )
{
    return ( ( a->lower[0] == b->lower[0] ) & ( a->lower[1] == b->lower[1] ) & ( a->lower[2] == b->lower[2] ) &
             ( a->upper[0] == b->upper[0] ) & ( a->upper[1] == b->upper[1] ) & ( a->upper[2] == b->upper[2] ) ) != 0;
}

static inline bool cltAabb_AnyNan( const cltAabb* a, const cltAabb* b )
{
#if defined( CLT_SSE2 )
    const __m128 head = _mm_cmpunord_ps( _mm_loadu_ps( a->lower ), _mm_loadu_ps( b->lower ) );
    const __m128 tail = _mm_cmpunord_ps( cltAabb_Tail( a ), cltAabb_Tail( b ) );
    return _mm_movemask_ps( _mm_or_ps( head, tail ) ) != 0;
#else
    return cltAabb_HasNan( a ) || cltAabb_HasNan( b );
#endif
}

/// Bits for a box in the result of cltAabb_SameOfFour: one for each of its bounds.
#define CLT_SAME_BITS 6u

/// Compares four consecutive boxes: bit CLT_SAME_BITS * i is set if box i is equal in both arrays.
/// \param[out] anyNan  true if some box has a NaN
static inline uint32_t cltAabb_SameOfFour( const cltAabb* a, const cltAabb* b, bool* anyNan )
{
#if defined( CLT_SSE2 )
    const float* numbers = a->lower;
    const float* others = b->lower;
    __m128 nan = _mm_setzero_ps();
    uint32_t equal = 0; // one bit for each bound
    for ( uint32_t i = 0; i < 24u; i += 4u )
    {
        const __m128 four = _mm_loadu_ps( numbers + i );
        const __m128 other = _mm_loadu_ps( others + i );
        nan = _mm_or_ps( nan, _mm_cmpunord_ps( four, other ) );
        equal |= (uint32_t)_mm_movemask_ps( _mm_cmpeq_ps( four, other ) ) << i;
    }
    *anyNan = _mm_movemask_ps( nan ) != 0;
    equal &= equal >> 1;
    equal &= equal >> 2 & equal >> 4;
    return equal & 0x41041u;
#else
    uint32_t same = 0;
    *anyNan = false;
    for ( uint32_t i = 0; i < 4u; ++i )
    {
        same |= (uint32_t)cltAabb_IsSame( a + i, b + i ) << ( CLT_SAME_BITS * i );
        *anyNan |= cltAabb_AnyNan( a + i, b + i );
    }
    return same;
#endif
}

static inline bool cltAabbD_AnyNan( const cltAabbD* a, const cltAabbD* b )
{
    bool nan = false;
    for ( int axis = 0; axis < 3; ++axis )
    {
        nan |= ( a->lower[axis] != a->lower[axis] ) | ( b->lower[axis] != b->lower[axis] );
        nan |= ( a->upper[axis] != a->upper[axis] ) | ( b->upper[axis] != b->upper[axis] );
    }
    return nan;
}

#endif
