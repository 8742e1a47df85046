// SPDX-License-Identifier: Zlib
/// \file CulletLanes.h
/// Four numbers of Bullet's at once, in vectors of 16 bytes, which gcc and clang have on every processor: one in single
/// precision, two in double.
#ifndef CULLET_LANES_H
#define CULLET_LANES_H

#include "LinearMath/btScalar.h"

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef BT_USE_DOUBLE_PRECISION
typedef int64_t CulletLaneBits;
#else
typedef int32_t CulletLaneBits;
#endif

/// Of each lane all bits, or none.
struct CulletLaneMask
{
    typedef CulletLaneBits Part __attribute__( ( vector_size( 16 ) ) );
    static constexpr int s_partCount = int( sizeof( btScalar ) / 4 );
    static constexpr int s_partLanes = 4 / s_partCount;

    /// One bit a lane.
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

    void set( int lane, btScalar value )
    {
        part[lane / CulletLaneMask::s_partLanes][lane % CulletLaneMask::s_partLanes] = value;
    }

    Part part[CulletLaneMask::s_partCount];
};

// Without loops, which gcc leaves as they are at -O2.
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

/// The same in each lane.
inline CulletLanes culletAll( btScalar value )
{
    constexpr int last = CulletLaneMask::s_partCount - 1;
    CulletLanes lanes;
    lanes.part[0] = CulletLanes::Part{} + value;
    lanes.part[last] = lanes.part[0];
    return lanes;
}

inline CulletLanes culletFour( btScalar first, btScalar second, btScalar third, btScalar fourth )
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

/// Without its sign; a NaN stays one.
inline CulletLanes culletSize( const CulletLanes& a )
{
    constexpr int last = CulletLaneMask::s_partCount - 1;
    CulletLanes lanes;
    lanes.part[0] = a.part[0] < 0 ? -a.part[0] : a.part[0];
    lanes.part[last] = a.part[last] < 0 ? -a.part[last] : a.part[last];
    return lanes;
}

/// Whether `a` without its sign is larger. Not so if either is NaN.
inline CulletLaneMask culletIsBeyond( const CulletLanes& a, const CulletLanes& limit )
{
    return ( a > limit ) | ( limit * culletAll( -1 ) > a );
}

#endif
