// SPDX-License-Identifier: Zlib
/// \file CulletLanes.h
/// Four btScalars at once, in vectors of 16 bytes, which gcc and clang support on every processor: one vector in single
/// precision, two in double.
#ifndef CULLET_LANES_H
#define CULLET_LANES_H

#include "LinearMath/btScalar.h"

#include <limits>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// Unrolls a loop of three or four. At -O2 gcc does not, and then passes vectors through memory.
#ifdef __clang__
#define CULLET_UNROLL _Pragma( "unroll" )
#else
#define CULLET_UNROLL _Pragma( "GCC unroll 4" )
#endif

#ifdef BT_USE_DOUBLE_PRECISION
typedef int64_t CulletLaneBits;
#else
typedef int32_t CulletLaneBits;
#endif

/// In each lane all bits are set, or none.
struct CulletLaneMask
{
    typedef CulletLaneBits Part __attribute__( ( vector_size( 16 ) ) );
    static constexpr int s_partCount = int( sizeof( btScalar ) / 4 );
    static constexpr int s_partLanes = 4 / s_partCount;

    /// \return one bit for each lane
    unsigned bits() const
    {
        unsigned bits = 0;
        for ( int k = 0; k < s_partCount; ++k )
        {
#ifdef __SSE2__
#ifdef BT_USE_DOUBLE_PRECISION
            bits |= unsigned( _mm_movemask_pd( __m128d( part[k] ) ) ) << ( 2 * k );
#else
            bits |= unsigned( _mm_movemask_ps( __m128( part[k] ) ) );
#endif
#else
            for ( int lane = 0; lane < s_partLanes; ++lane )
            {
                bits |= unsigned( part[k][lane] & 1 ) << ( k * s_partLanes + lane );
            }
#endif
        }
        return bits;
    }

    Part part[s_partCount];
};

struct CulletLanes
{
    typedef btScalar Part __attribute__( ( vector_size( 16 ) ) );

    btScalar get( int lane ) const
    {
        return part[lane / CulletLaneMask::s_partLanes][lane % CulletLaneMask::s_partLanes];
    }

    Part part[CulletLaneMask::s_partCount];
};

// Operators by lane, without loops, because gcc does not unroll these at -O2.
#define CULLET_LANES( Result, Operand, symbol )                                                                        \
    inline Result operator symbol( const Operand& a, const Operand& b )                                                \
    {                                                                                                                  \
        constexpr int last = CulletLaneMask::s_partCount - 1;                                                          \
        Result result;                                                                                                 \
        result.part[0] = a.part[0] symbol b.part[0];                                                                   \
        if ( last > 0 )                                                                                                \
        {                                                                                                              \
            result.part[last] = a.part[last] symbol b.part[last];                                                      \
        }                                                                                                              \
        return result;                                                                                                 \
    }
CULLET_LANES( CulletLanes, CulletLanes, +)
CULLET_LANES( CulletLanes, CulletLanes, -)
CULLET_LANES( CulletLanes, CulletLanes, * )
CULLET_LANES( CulletLanes, CulletLanes, / )
CULLET_LANES( CulletLaneMask, CulletLanes, > )
CULLET_LANES( CulletLaneMask, CulletLaneMask, | )
CULLET_LANES( CulletLaneMask, CulletLaneMask, & )
#undef CULLET_LANES

/// The same value in each lane.
inline CulletLanes culletBroadcast( btScalar value )
{
    constexpr int last = CulletLaneMask::s_partCount - 1;
    CulletLanes lanes;
    lanes.part[0] = CulletLanes::Part{} + value;
    lanes.part[last] = lanes.part[0];
    return lanes;
}

inline CulletLanes culletLanesOf( btScalar first, btScalar second, btScalar third, btScalar fourth )
{
    CulletLanes lanes;
#ifdef BT_USE_DOUBLE_PRECISION
    lanes.part[0] = CulletLanes::Part{ first, second };
    lanes.part[1] = CulletLanes::Part{ third, fourth };
#else
    lanes.part[0] = CulletLanes::Part{ first, second, third, fourth };
#endif
    return lanes;
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
    CULLET_UNROLL
    for ( int i = 0; i < 3; ++i )
    {
        points[i] = culletLanesOf( btScalar( a[i] ), btScalar( b[i] ), btScalar( c[i] ), btScalar( d[i] ) );
    }
}

#if defined( __SSE2__ ) && !defined( BT_USE_DOUBLE_PRECISION )
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
    points[0].part[0] = CulletLanes::Part( _mm_shuffle_ps( xy01, xy23, _MM_SHUFFLE( 2, 0, 2, 0 ) ) );
    points[1].part[0] = CulletLanes::Part( _mm_shuffle_ps( xy01, xy23, _MM_SHUFFLE( 3, 1, 3, 1 ) ) );
    points[2].part[0] = CulletLanes::Part( _mm_shuffle_ps( yz01, yz23, _MM_SHUFFLE( 3, 1, 3, 1 ) ) );
}
#endif

/// Adds in the order of btVector3::dot.
inline CulletLanes culletDot( const CulletLanes ( &a )[3], const CulletLanes ( &b )[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline CulletLanes culletSqrt( const CulletLanes& a )
{
#if defined( __SSE2__ ) && !defined( BT_USE_DOUBLE_PRECISION )
    CulletLanes lanes;
    lanes.part[0] = CulletLanes::Part( _mm_sqrt_ps( __m128( a.part[0] ) ) );
    return lanes;
#else
    return culletLanesOf( btSqrt( a.get( 0 ) ), btSqrt( a.get( 1 ) ), btSqrt( a.get( 2 ) ), btSqrt( a.get( 3 ) ) );
#endif
}

/// The absolute value; a NaN stays a NaN.
inline CulletLanes culletAbs( const CulletLanes& a )
{
    constexpr int last = CulletLaneMask::s_partCount - 1;
    const CulletLaneMask::Part allButSign = CulletLaneMask::Part{} + std::numeric_limits<CulletLaneBits>::max();
    CulletLanes lanes;
    lanes.part[0] = CulletLanes::Part( CulletLaneMask::Part( a.part[0] ) & allButSign );
    lanes.part[last] = CulletLanes::Part( CulletLaneMask::Part( a.part[last] ) & allButSign );
    return lanes;
}

#endif
