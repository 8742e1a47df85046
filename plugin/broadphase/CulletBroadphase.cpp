// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.cpp
/// Bullet's words: each goes to the one who knows.

#include "CulletBroadphase.h"

#include "CulletBox.h"

CulletBroadphase::CulletBroadphase( btOverlappingPairCache* pairCache )
    : CulletBroadphase( cltDefaultBroadphaseDef(), pairCache )
{
}

CulletBroadphase::CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache )
    : m_deferedcollide( false ), m_core( def ), m_pairs( m_core, pairCache ), m_velocityPrediction( 0 )
{
}

void CulletBroadphase::resetPool( btDispatcher* )
{
    if ( !m_pairs.isChanging() && m_core.reset() ) // else what is being handed out would be lost
    {
        m_pairs.clear();
    }
}

btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache()
{
    m_pairs.look();
    return m_pairs.getCache();
}

const btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache() const
{
    m_pairs.look();
    return m_pairs.getCache();
}

btBroadphaseProxy* CulletBroadphase::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int,
                                                  void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                  btDispatcher* )
{
    CulletProxy* proxy = m_core.create( aabbMin, aabbMax, userPtr, collisionFilterGroup, collisionFilterMask );
    if ( !m_deferedcollide )
    {
        m_pairs.searchCreated( proxy );
    }
    return proxy;
}

void CulletBroadphase::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    m_pairs.destroy( static_cast<CulletProxy*>( proxy ), dispatcher );
}

/// Bullet calls this for every body in every step, mostly with the box that is there: what is rare is left to others.
void CulletBroadphase::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                                btDispatcher* )
{
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    m_pairs.beforeSetting( own );
    if ( ( culletDifference( own->m_aabbMin, aabbMin ) | culletDifference( own->m_aabbMax, aabbMax ) ) == 0 )
    {
        return;
    }
    own->m_aabbMin = aabbMin;
    own->m_aabbMax = aabbMax;
    m_moveOrder.note( own );
    if ( own->m_slot != CLT_NULL_PROXY ) // else the core gets the last box when it has memory for the proxy
    {
        m_core.move( own );
        m_pairs.afterMoving( own, !m_deferedcollide );
    }
}

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    if ( m_pairs.update( dispatcher ) )
    {
        m_moveOrder.endStep();
    }
}
