// SPDX-License-Identifier: Zlib
/// \file CulletQueries.cpp
/// The queries of CulletBroadphase. The core finds the hits, by Bullet's formulas in Bullet's precision. This file
/// passes them to Bullet's callbacks, and tests the few proxies that the core had no memory for.
///
/// Between steps, a body may have moved out of its box, which dates from the last updateAabbs. btDbvtBroadphase hides
/// this by its margin, and applications rely on that. So queries, unlike pairs, use boxes grown by gDbvtMargin.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include "cullet_queries.h"

#include "LinearMath/btAabbUtil2.h"

/// Bullet's library defines it in every version; its headers declare it since 2.88.
extern btScalar gDbvtMargin;

namespace
{
/// Receives the hits of a query. The result of process() is ignored, as in Bullet.
template <typename Callback>
struct HitReceiver
{
    Callback& m_callback;
    const CulletProxyPool& m_proxies;
};

bool reportBox( cltProxyId slot, uint64_t, void* context )
{
    const HitReceiver<btBroadphaseAabbCallback>* receiver =
        static_cast<HitReceiver<btBroadphaseAabbCallback>*>( context );
    receiver->m_callback.process( receiver->m_proxies.get( slot ) );
    return true;
}

double reportRay( size_t, cltProxyId slot, uint64_t, double, double length, void* context )
{
    const HitReceiver<btBroadphaseRayCallback>* receiver =
        static_cast<HitReceiver<btBroadphaseRayCallback>*>( context );
    receiver->m_callback.process( receiver->m_proxies.get( slot ) );
    return length; // unchanged even if the callback shortened its own ray, because all proxies must be reported
}

void expectSuccess( cltStatus status )
{
    btAssert( status == clt_ok );
    (void)status;
}

/// Tests the proxies that the core has no memory for, except those with a NaN.
template <typename Meets, typename Callback>
void queryPending( const CulletProxyPool& proxies, Meets meets, Callback& callback )
{
    const btAlignedObjectArray<CulletProxy*>& apart = proxies.getApart();
    for ( int i = 0; i < apart.size(); ++i )
    {
        const CulletProxy& proxy = *apart[i];
        if ( proxy.m_slot == CLT_NULL_PROXY && !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) && meets( proxy ) )
        {
            callback.process( &proxy );
        }
    }
}

/// Grown by Bullet's margin. By m_floats, as in CulletBox.h: a query of a small box takes less time than an unoptimised
/// build's calls of btVector3's operators.
CulletBox grownBox( const btVector3& aabbMin, const btVector3& aabbMax )
{
    const btScalar margin = gDbvtMargin;
    const btScalar* lower = aabbMin.m_floats;
    const btScalar* upper = aabbMax.m_floats;
    return { { lower[0] - margin, lower[1] - margin, lower[2] - margin },
             { upper[0] + margin, upper[1] + margin, upper[2] + margin } };
}

btVector3 cornerOf( const btScalar ( &corner )[3] )
{
    return btVector3( corner[0], corner[1], corner[2] );
}

/// \param swept  the box that moves along the ray, relative to the ray's point
cltRay rayOf( const btVector3& from, const btBroadphaseRayCallback& callback, const CulletBox& swept )
{
    cltRay ray;
    for ( int axis = 0; axis < 3; ++axis )
    {
        ray.from[axis] = from.m_floats[axis];
        ray.inverse[axis] = callback.m_rayDirectionInverse.m_floats[axis];
        ray.swept.lower[axis] = swept.lower[axis];
        ray.swept.upper[axis] = swept.upper[axis];
    }
    ray.length = callback.m_lambda_max;
    return ray;
}
} // namespace

void CulletBroadphase::rayTest( const btVector3& rayFrom, const btVector3&, btBroadphaseRayCallback& rayCallback,
                                const btVector3& aabbMin, const btVector3& aabbMax )
{
    const CulletBox swept = grownBox( aabbMin, aabbMax );
    const cltRay ray = rayOf( rayFrom, rayCallback, swept );
    if ( m_core.get() )
    {
        HitReceiver<btBroadphaseRayCallback> receiver = { rayCallback, m_core.getProxies() };
        expectSuccess( cltBroadphase_CastRays( m_core.get(), 1, &ray, reportRay, &receiver ) );
    }
    if ( !m_core.hasPending() )
    {
        return;
    }
    const btScalar length = btScalar( ray.length );
    const auto meets = [&]( const CulletProxy& proxy )
    {
        const btVector3 bounds[2] = { proxy.m_aabbMin - cornerOf( swept.upper ),
                                      proxy.m_aabbMax - cornerOf( swept.lower ) };
        btScalar enter;
        return btRayAabb2( rayFrom, rayCallback.m_rayDirectionInverse, rayCallback.m_signs, bounds, enter, 0, length );
    };
    queryPending( m_core.getProxies(), meets, rayCallback );
}

void CulletBroadphase::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax,
                                 btBroadphaseAabbCallback& callback )
{
    const CulletBox box = grownBox( aabbMin, aabbMax );
    if ( m_core.get() )
    {
        HitReceiver<btBroadphaseAabbCallback> receiver = { callback, m_core.getProxies() };
        expectSuccess( culletQueryBox( m_core.get(), &box, reportBox, &receiver ) );
    }
    if ( !m_core.hasPending() )
    {
        return;
    }
    const btVector3 lower = cornerOf( box.lower );
    const btVector3 upper = cornerOf( box.upper );
    if ( culletHasNan( lower, upper ) ) // such a query hits nothing, as in the core
    {
        return;
    }
    const auto meets = [&]( const CulletProxy& proxy )
    { return TestAabbAgainstAabb2( lower, upper, proxy.m_aabbMin, proxy.m_aabbMax ); };
    queryPending( m_core.getProxies(), meets, callback );
}

void CulletBroadphase::getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const
{
    bool isEmpty = true;
    aabbMin.setValue( 0, 0, 0 );
    aabbMax.setValue( 0, 0, 0 );
    m_core.getProxies().forEach(
        [&]( const CulletProxy& proxy )
        {
            if ( !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) )
            {
                aabbMin = isEmpty ? proxy.m_aabbMin : aabbMin;
                aabbMax = isEmpty ? proxy.m_aabbMax : aabbMax;
                aabbMin.setMin( proxy.m_aabbMin );
                aabbMax.setMax( proxy.m_aabbMax );
                isEmpty = false;
            }
        } );
}
