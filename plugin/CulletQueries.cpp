// SPDX-License-Identifier: Zlib
/// \file CulletQueries.cpp
/// The queries of CulletBroadphase: one scan over the proxies' own boxes. Nothing is built or remembered, so they see
/// every change at once, and any number of threads and nested calls can run them together.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include "LinearMath/btAabbUtil2.h"

void CulletBroadphase::rayTest( const btVector3& rayFrom, const btVector3&, btBroadphaseRayCallback& rayCallback,
                                const btVector3& aabbMin, const btVector3& aabbMax )
{
    // Copied before the first process(): a callback that shortens its own ray must lose nothing.
    const btVector3 inverse = rayCallback.m_rayDirectionInverse;
    const unsigned int signs[3] = { rayCallback.m_signs[0], rayCallback.m_signs[1], rayCallback.m_signs[2] };
    const btScalar length = rayCallback.m_lambda_max;

    m_proxies.forEach(
        [&]( const CulletProxy& proxy )
        {
            // Moving a box along a ray meets what the ray meets of everything else grown by that box, mirrored.
            const btVector3 bounds[2] = { proxy.m_aabbMin - aabbMax, proxy.m_aabbMax - aabbMin };
            btScalar entry;
            if ( btRayAabb2( rayFrom, inverse, signs, bounds, entry, 0, length ) &&
                 !culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) )
            {
                rayCallback.process( &proxy );
            }
        } );
}

void CulletBroadphase::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax,
                                 btBroadphaseAabbCallback& callback )
{
    m_proxies.forEach(
        [&]( const CulletProxy& proxy )
        {
            if ( culletOverlap( aabbMin, aabbMax, proxy.m_aabbMin, proxy.m_aabbMax ) )
            {
                callback.process( &proxy );
            }
        } );
}

void CulletBroadphase::getBroadphaseAabb( btVector3& aabbMin, btVector3& aabbMax ) const
{
    bool isEmpty = true;
    aabbMin.setValue( 0, 0, 0 );
    aabbMax.setValue( 0, 0, 0 );
    m_proxies.forEach(
        [&]( const CulletProxy& proxy )
        {
            if ( culletHasNan( proxy.m_aabbMin, proxy.m_aabbMax ) )
            {
                return;
            }
            if ( isEmpty )
            {
                aabbMin = proxy.m_aabbMin;
                aabbMax = proxy.m_aabbMax;
                isEmpty = false;
            }
            aabbMin.setMin( proxy.m_aabbMin );
            aabbMax.setMax( proxy.m_aabbMax );
        } );
}
