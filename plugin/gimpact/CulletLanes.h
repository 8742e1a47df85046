// SPDX-License-Identifier: Zlib
/// \file CulletLanes.h
/// Four btScalars at once. With SSE2 they are one vector in single precision and two in double, else an array.
#ifndef CULLET_LANES_H
#define CULLET_LANES_H

#include "LinearMath/btScalar.h"

#include "cullet_bits.h"

#if defined( __SSE2__ ) || defined( _M_X64 )
#define CULLET_SSE2
#include <emmintrin.h>

#ifdef BT_USE_DOUBLE_PRECISION
#define CULLET_PART( operation ) operation##_pd
#define CULLET_ALL_BUT_SIGN _mm_castsi128_pd( _mm_set_epi32( INT32_MAX, -1, INT32_MAX, -1 ) )
typedef __m128d CulletPart;
constexpr int culletLastPart = 1;
#else
#define CULLET_PART( operation ) operation##_ps
#define CULLET_ALL_BUT_SIGN _mm_castsi128_ps( _mm_set1_epi32( INT32_MAX ) )
typedef __m128 CulletPart;
constexpr int culletLastPart = 0;
#endif

/// In each lane all bits are set, or none.
struct CulletLaneMask
{
    /// \return one bit for each lane
    unsigned bits() const
    {
        return unsigned( CULLET_PART( _mm_movemask )( part[0] ) | CULLET_PART( _mm_movemask )( part[culletLastPart] )
                                                                      << 2 * culletLastPart );
    }

    CulletPart part[culletLastPart + 1];
};

struct CulletLanes
{
    btScalar get( int lane ) const
    {
        return lanes[lane];
    }

    union // not casts of pointers: gcc then takes more registers, and GImpact steps 1.5 % more instructions
    {
        CulletPart part[culletLastPart + 1];
        btScalar lanes[4];
    };
};

// Operators by lane, without loops, because gcc does not unroll these at -O2. If there is one part, both lines are the
// same, and compilers drop one.
#define CULLET_LANES( Result, Operand, symbol, operation )                                                             \
    inline Result operator symbol( const Operand& a, const Operand& b )                                                \
    {                                                                                                                  \
        Result result;                                                                                                 \
        result.part[0] = CULLET_PART( operation )( a.part[0], b.part[0] );                                             \
        result.part[culletLastPart] = CULLET_PART( operation )( a.part[culletLastPart], b.part[culletLastPart] );      \
        return result;                                                                                                 \
    }

inline CulletLanes culletLanesOf( btScalar first, btScalar second, btScalar third, btScalar fourth )
{
    CulletLanes lanes;
#ifdef BT_USE_DOUBLE_PRECISION
    lanes.part[0] = _mm_setr_pd( first, second );
    lanes.part[1] = _mm_setr_pd( third, fourth );
#else
    lanes.part[0] = _mm_setr_ps( first, second, third, fourth );
#endif
    return lanes;
}

inline CulletLanes culletSqrt( const CulletLanes& a )
{
    CulletLanes lanes;
    lanes.part[0] = CULLET_PART( _mm_sqrt )( a.part[0] );
    lanes.part[culletLastPart] = CULLET_PART( _mm_sqrt )( a.part[culletLastPart] );
    return lanes;
}

/// The absolute value; a NaN stays a NaN.
inline CulletLanes culletAbs( const CulletLanes& a )
{
    const CulletPart allButSign = CULLET_ALL_BUT_SIGN; // not andnot with the sign: gcc copies the sign for each use
    CulletLanes lanes;
    lanes.part[0] = CULLET_PART( _mm_and )( a.part[0], allButSign );
    lanes.part[culletLastPart] = CULLET_PART( _mm_and )( a.part[culletLastPart], allButSign );
    return lanes;
}

#else

// Plain loops, which compilers vectorize.

/// A lane is 1 or 0.
struct CulletLaneMask
{
    /// \return one bit for each lane
    unsigned bits() const
    {
        return unsigned( lanes[0] | lanes[1] << 1 | lanes[2] << 2 | lanes[3] << 3 );
    }

    int lanes[4];
};

struct CulletLanes
{
    btScalar get( int lane ) const
    {
        return lanes[lane];
    }

    btScalar lanes[4];
};

#define CULLET_LANES( Result, Operand, symbol, operation )                                                             \
    inline Result operator symbol( const Operand& a, const Operand& b )                                                \
    {                                                                                                                  \
        Result result;                                                                                                 \
        for ( int lane = 0; lane < 4; ++lane )                                                                         \
        {                                                                                                              \
            result.lanes[lane] = a.lanes[lane] symbol b.lanes[lane];                                                   \
        }                                                                                                              \
        return result;                                                                                                 \
    }

inline CulletLanes culletLanesOf( btScalar first, btScalar second, btScalar third, btScalar fourth )
{
    return { { first, second, third, fourth } };
}

inline CulletLanes culletSqrt( const CulletLanes& a )
{
    CulletLanes result;
    for ( int lane = 0; lane < 4; ++lane )
    {
        result.lanes[lane] = btSqrt( a.lanes[lane] );
    }
    return result;
}

/// The absolute value; a NaN stays a NaN.
inline CulletLanes culletAbs( const CulletLanes& a )
{
    CulletLanes result;
    for ( int lane = 0; lane < 4; ++lane )
    {
        result.lanes[lane] = btFabs( a.lanes[lane] );
    }
    return result;
}

#endif

CULLET_LANES( CulletLanes, CulletLanes, +, _mm_add )
CULLET_LANES( CulletLanes, CulletLanes, -, _mm_sub )
CULLET_LANES( CulletLanes, CulletLanes, *, _mm_mul )
CULLET_LANES( CulletLanes, CulletLanes, /, _mm_div )
CULLET_LANES( CulletLaneMask, CulletLanes, >, _mm_cmpgt )
CULLET_LANES( CulletLaneMask, CulletLaneMask, |, _mm_or )
CULLET_LANES( CulletLaneMask, CulletLaneMask, &, _mm_and )
#undef CULLET_LANES

/// The same value in each lane.
inline CulletLanes culletBroadcast( btScalar value )
{
    return culletLanesOf( value, value, value, value );
}

/// Loads x, y and z of four points.
/// \param stride  bytes from one point to the next
template <typename Number>
inline void culletLoadPoints( const unsigned char* first, int stride, CulletLanes ( &points )[3] )
{
    const Number* const a = reinterpret_cast<const Number*>( first );
    const Number* const b = reinterpret_cast<const Number*>( first + stride );
    const Number* const c = reinterpret_cast<const Number*>( first + 2 * stride );
    const Number* const d = reinterpret_cast<const Number*>( first + 3 * stride );
    CLT_UNROLL
    for ( int i = 0; i < 3; ++i )
    {
        points[i] = culletLanesOf( btScalar( a[i] ), btScalar( b[i] ), btScalar( c[i] ), btScalar( d[i] ) );
    }
}

#if defined( CULLET_SSE2 ) && !defined( BT_USE_DOUBLE_PRECISION )
inline __m128 culletLoadTwoHalves( const unsigned char* low, const unsigned char* high )
{
    const __m128 both = _mm_loadl_pi( _mm_setzero_ps(), reinterpret_cast<const __m64*>( low ) );
    return _mm_loadh_pi( both, reinterpret_cast<const __m64*>( high ) );
}

/// Loads two coordinates of a point at once. Loading four would read beyond the last point.
template <>
inline void culletLoadPoints<float>( const unsigned char* first, int stride, CulletLanes ( &points )[3] )
{
    const unsigned char* const third = first + 2 * stride;
    const __m128 xy01 = culletLoadTwoHalves( first, first + stride );
    const __m128 xy23 = culletLoadTwoHalves( third, third + stride );
    const __m128 yz01 = culletLoadTwoHalves( first + sizeof( float ), first + stride + sizeof( float ) );
    const __m128 yz23 = culletLoadTwoHalves( third + sizeof( float ), third + stride + sizeof( float ) );
    points[0].part[0] = _mm_shuffle_ps( xy01, xy23, _MM_SHUFFLE( 2, 0, 2, 0 ) );
    points[1].part[0] = _mm_shuffle_ps( xy01, xy23, _MM_SHUFFLE( 3, 1, 3, 1 ) );
    points[2].part[0] = _mm_shuffle_ps( yz01, yz23, _MM_SHUFFLE( 3, 1, 3, 1 ) );
}
#endif

/// Adds in the order of btVector3::dot.
inline CulletLanes culletDot( const CulletLanes ( &a )[3], const CulletLanes ( &b )[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
