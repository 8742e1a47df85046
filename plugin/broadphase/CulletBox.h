// SPDX-License-Identifier: Zlib
/// \file CulletBox.h
/// Bullet's boxes and their comparisons. In this folder, only this file depends on whether Bullet computes in float or
/// in double. Only three components are read: the fourth of a btVector3 is garbage. Functions that are called for each
/// body or query read m_floats, because unoptimised builds call a function for each x().
#ifndef CULLET_BOX_H
#define CULLET_BOX_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseProxy.h"
#include "LinearMath/btVector3.h"

#include "cullet.h"

#include <string.h>

#if defined( BT_USE_DOUBLE_PRECISION )

typedef cltAabbD CulletBox;
typedef uint64_t CulletBits; ///< a btScalar's bits
const CulletBits CULLET_SIGN = uint64_t( 1 ) << 63;
const CulletBits CULLET_INFINITY = uint64_t( 0x7ff ) << 52;
const cltPrecision CULLET_PRECISION = clt_precisionDouble;
const auto culletCreateProxy = cltBroadphase_CreateProxyD;
const auto culletMoveProxy = cltBroadphase_MoveProxyD;
const auto culletQueryBox = cltBroadphase_QueryBoxD;

#else

typedef cltAabb CulletBox;
typedef uint32_t CulletBits; ///< a btScalar's bits
const CulletBits CULLET_SIGN = uint32_t( 1 ) << 31;
const CulletBits CULLET_INFINITY = uint32_t( 0xff ) << 23;
const cltPrecision CULLET_PRECISION = clt_precisionFloat;
const auto culletCreateProxy = cltBroadphase_CreateProxy;
const auto culletMoveProxy = cltBroadphase_MoveProxy;
const auto culletQueryBox = cltBroadphase_QueryBox;

#endif

/// True if x, y and z have the same bytes in both vectors.
inline bool culletAreSame( const btVector3& a, const btVector3& b )
{
    return memcmp( a.m_floats, b.m_floats, 3 * sizeof( btScalar ) ) == 0;
}

/// Asserts the success of a call of the core that can fail only by a bug of the plugin.
inline void culletExpectOk( cltStatus status )
{
    btAssert( status == clt_ok );
    (void)status;
}

inline CulletBox culletBox( const btVector3& aabbMin, const btVector3& aabbMax )
{
    const btScalar* lower = aabbMin.m_floats;
    const btScalar* upper = aabbMax.m_floats;
    return { { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

/// Tests the bits, because with -ffast-math a compiler assumes that no value is a NaN and drops `value != value`.
inline bool culletIsNan( btScalar value )
{
    CulletBits bits;
    memcpy( &bits, &value, sizeof( bits ) );
    return ( bits & ~CULLET_SIGN ) > CULLET_INFINITY;
}

inline bool culletHasNan( const btVector3& aabbMin, const btVector3& aabbMax )
{
    const btScalar* lower = aabbMin.m_floats;
    const btScalar* upper = aabbMax.m_floats;
    return culletIsNan( lower[0] ) || culletIsNan( lower[1] ) || culletIsNan( lower[2] ) || culletIsNan( upper[0] ) ||
           culletIsNan( upper[1] ) || culletIsNan( upper[2] );
}

/// True if the pair's boxes overlap or touch. A box with a NaN overlaps nothing, unlike in TestAabbAgainstAabb2.
/// \param pair  a btBroadphasePair or a CulletProxyPair
template <typename Pair>
bool culletOverlap( const Pair& pair )
{
    const btBroadphaseProxy& a = *pair.m_pProxy0;
    const btBroadphaseProxy& b = *pair.m_pProxy1;
    const bool meetX = a.m_aabbMin.x() <= b.m_aabbMax.x() && b.m_aabbMin.x() <= a.m_aabbMax.x();
    const bool meetY = a.m_aabbMin.y() <= b.m_aabbMax.y() && b.m_aabbMin.y() <= a.m_aabbMax.y();
    const bool meetZ = a.m_aabbMin.z() <= b.m_aabbMax.z() && b.m_aabbMin.z() <= a.m_aabbMax.z();
    return meetX && meetY && meetZ && !culletHasNan( a.m_aabbMin, a.m_aabbMax ) &&
           !culletHasNan( b.m_aabbMin, b.m_aabbMax );
}

#endif
