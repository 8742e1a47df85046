// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.cpp
/// Bullet's interface: what it changes here, and the classes that do the rest.

#include "CulletBroadphase.h"

#include "CulletBox.h"
#include "pair_cache/CulletGivenCache.h"

namespace
{
CulletPairStore* createStore( btOverlappingPairCache* givenCache )
{
    if ( givenCache )
    {
        return new CulletGivenCache( *givenCache );
    }
    return new CulletPairCache;
}
} // namespace

CulletBroadphase::CulletBroadphase( btOverlappingPairCache* pairCache )
    : CulletBroadphase( cltDefaultBroadphaseDef(), pairCache )
{
}

CulletBroadphase::CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache )
    : m_deferedcollide( false ), m_core( def ), m_store( createStore( pairCache ) ), m_filter( m_core, *m_store ),
      m_search( m_core, *m_store, m_filter ), m_update( m_core, *m_store, m_filter, m_search ),
      m_velocityPrediction( 0 )
{
    m_store->setSource( &m_search );
}

void CulletBroadphase::resetPool( btDispatcher* )
{
    if ( !m_search.isChanging() && m_core.reset() ) // during a change, a reset would lose pairs of the running update
    {
        m_filter.clear();
        m_search.clear();
        m_update.clear();
    }
}

btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache()
{
    m_search.searchPending();
    return m_store->getCache();
}

const btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache() const
{
    m_search.searchPending();
    return m_store->getCache();
}

btBroadphaseProxy* CulletBroadphase::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int,
                                                  void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                  btDispatcher* )
{
    CulletProxy* proxy = m_core.create( aabbMin, aabbMax, userPtr, collisionFilterGroup, collisionFilterMask );
    if ( !m_deferedcollide )
    {
        m_search.searchCreated( proxy );
    }
    return proxy;
}

void CulletBroadphase::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    m_search.searchPending(); // while all proxies are alive, and before a dispatcher sees a cache that is being changed
    m_search.change(
        [&]
        {
            m_filter.getRejected().forget( own );
            m_store->removePairsOf( own, dispatcher );
            m_search.forget( own );
            m_core.destroy( own );
        } );
}

/// Bullet calls this for every body in every step, usually with an unchanged box.
void CulletBroadphase::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                                btDispatcher* )
{
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    m_filter.beforeSetting( own );
    if ( ( culletDifference( own->m_aabbMin, aabbMin ) | culletDifference( own->m_aabbMax, aabbMax ) ) == 0 )
    {
        return;
    }
    own->m_aabbMin = aabbMin;
    own->m_aabbMax = aabbMax;
    m_moveOrder.note( own );
    if ( own->m_slot != CLT_NULL_PROXY ) // else the core gets the latest box when it has memory for the proxy
    {
        m_core.move( own );
        m_search.afterMoving( own, !m_deferedcollide );
    }
}

void CulletBroadphase::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    if ( !m_search.isChanging() )
    {
        m_update.update( dispatcher );
        m_moveOrder.endStep();
    }
}
