// SPDX-License-Identifier: Zlib
/// \file CulletBroadphase.cpp
/// Creation and proxies: Bullet's words in. The changes that come out are in CulletChanges.cpp, what is found at once in
/// CulletSearch.cpp, who may pair in CulletFilters.cpp, the queries in CulletQueries.cpp.

#include "CulletBroadphase.h"

#include "CulletBox.h"
#include "CulletPairCache.h"

// -------------------------------------------------------------------------------------------- creation and destruction

CulletBroadphase::CulletBroadphase( btOverlappingPairCache* pairCache )
{
    initialize( cltDefaultBroadphaseDef(), pairCache );
}

CulletBroadphase::CulletBroadphase( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache )
{
    initialize( def, pairCache );
}

void CulletBroadphase::initialize( const cltBroadphaseDef& def, btOverlappingPairCache* pairCache )
{
    m_ownPairCache = pairCache ? 0 : new CulletPairCache;
    m_pairCache = pairCache ? pairCache : m_ownPairCache;
    m_cacheDefers = m_pairCache->hasDeferredRemoval();
    m_deferedcollide = false;
    m_velocityPrediction = 0;
    m_coreFilters = m_ownPairCache != 0;
    m_owedCount = 0;
    clearHistory();
    if ( m_ownPairCache )
    {
        m_ownPairCache->setSource( this );
        m_ownPairCache->noteEdits( true );
    }

    m_def = def;
    m_def.precision = CULLET_PRECISION;
    m_def.filterMasks = true;
    m_creationStatus = openCore( &m_core );
    if ( m_creationStatus == clt_invalidArgument )
    {
        m_def = cltDefaultBroadphaseDef();
        m_def.precision = CULLET_PRECISION;
    }
    else if ( m_creationStatus == clt_noDevice || m_creationStatus == clt_deviceMemory ||
              m_creationStatus == clt_deviceFailed )
    {
        m_def.device = clt_deviceCpu;
    }
    m_status = m_core ? clt_ok : openCore( &m_core );
}

/// As if nothing had happened yet.
void CulletBroadphase::clearHistory()
{
    m_waitingCount = 0;
    m_lastUid = 0;
    m_freshSlot = 0;
    m_slotsFollowUids = true;
    m_circumstances = 0;
    m_knownCallback = 0;
    m_eagerMoves = EAGER_MOVES;
    m_offerAll = false;
    m_filtersMixed = false;
    m_cacheEdited = false;
    m_cacheMs = 0;
    m_offered.resize( 0 );
    m_kept.resize( 0 );
    m_setAgain.resize( 0 );
    m_setCount = 0;
    m_nextLook = 0;
    if ( m_ownPairCache )
    {
        m_ownPairCache->getEdits().resize( 0 );
    }
    rememberCache();
}

CulletBroadphase::~CulletBroadphase()
{
    delete m_ownPairCache;
    cltDestroyBroadphase( m_core );
}

cltStatus CulletBroadphase::openCore( cltBroadphase** core ) const
{
    *core = 0;
    return cltCreateBroadphase( &m_def, core );
}

void CulletBroadphase::resetPool( btDispatcher* )
{
    cltBroadphase* core;
    if ( m_proxies.getCount() > 0 || openCore( &core ) != clt_ok )
    {
        return;
    }
    cltDestroyBroadphase( m_core ); // a new one gives out slots in order again, which spares the sort by uid
    m_core = core;
    clearHistory();
}

void CulletBroadphase::printStats()
{
}

btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache()
{
    if ( m_ownPairCache )
    {
        m_ownPairCache->searchOwed();
    }
    return m_pairCache;
}

const btOverlappingPairCache* CulletBroadphase::getOverlappingPairCache() const
{
    if ( m_ownPairCache )
    {
        m_ownPairCache->searchOwed();
    }
    return m_pairCache;
}

// -------------------------------------------------------------------------------------------------------------- proxies

btBroadphaseProxy* CulletBroadphase::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int,
                                                  void* userPtr, int collisionFilterGroup, int collisionFilterMask,
                                                  btDispatcher* )
{
    CulletProxy proxy( aabbMin, aabbMax, userPtr, collisionFilterGroup, collisionFilterMask );
    proxy.m_uniqueId = ++m_lastUid;
    const cltProxyId slot = takeSlot( proxy );
    m_waitingCount += slot == CLT_NULL_PROXY;
    CulletProxy* own = m_proxies.add( proxy, slot );
    if ( slot != CLT_NULL_PROXY && !m_cacheDefers && !m_deferedcollide )
    {
        searchPairs( own );
    }
    return own;
}

/// CLT_NULL_PROXY if the core has no memory for one more.
cltProxyId CulletBroadphase::takeSlot( const CulletProxy& proxy )
{
    const CulletBox box = culletBox( proxy.m_aabbMin, proxy.m_aabbMax );
    cltProxyId slot = CLT_NULL_PROXY;
    const cltStatus status = m_core ? culletCreateProxy( m_core, box, filterOf( proxy ), &slot ) : clt_hostMemory;
    if ( status != clt_ok )
    {
        m_status = status;
        return CLT_NULL_PROXY;
    }
    m_slotsFollowUids = m_slotsFollowUids && slot >= m_freshSlot;
    m_freshSlot = btMax( m_freshSlot, slot + 1 );
    return slot;
}

void CulletBroadphase::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    searchOwed(); // while all of them are alive, and before a dispatcher looks at a cache that is being thinned out
    m_turnedDown.forgetProxy( own, 0 );
    if ( m_ownPairCache )
    {
        m_ownPairCache->forgetProxy( own, dispatcher );
    }
    else
    {
        noticeEdits();
        m_pairCache->removeOverlappingPairsContainingProxy( own, dispatcher );
        rememberCache();
    }
    if ( own->m_slot == CLT_NULL_PROXY )
    {
        --m_waitingCount;
    }
    else
    {
        const cltStatus status = cltBroadphase_DestroyProxy( m_core, own->m_slot );
        btAssert( status == clt_ok );
        (void)status;
    }
    m_proxies.remove( own );
}

/// Bullet calls this for every body in every step, mostly with the box that is there: what is rare is left to others.
void CulletBroadphase::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                                btDispatcher* )
{
    CulletProxy* own = static_cast<CulletProxy*>( proxy );
    noteSetting( own );
    if ( ( culletDifference( own->m_aabbMin, aabbMin ) | culletDifference( own->m_aabbMax, aabbMax ) ) == 0 )
    {
        return;
    }
    own->m_aabbMin = aabbMin;
    own->m_aabbMax = aabbMax;
    m_moveOrder.note( own );
    if ( own->m_slot == CLT_NULL_PROXY )
    {
        return; // the core gets the last box when it has memory for the proxy
    }
    const cltStatus status = culletMoveProxy( m_core, own->m_slot, culletBox( aabbMin, aabbMax ) );
    btAssert( status == clt_ok );
    (void)status;
    if ( m_eagerMoves > 0 || hasGhostCallback() )
    {
        noteMoved( own );
    }
}

void CulletBroadphase::getAabb( btBroadphaseProxy* proxy, btVector3& aabbMin, btVector3& aabbMax ) const
{
    aabbMin = proxy->m_aabbMin;
    aabbMax = proxy->m_aabbMax;
}

/// Gives the core what it had no memory for, oldest first, and leaves in m_status whether it took everything.
void CulletBroadphase::settleWaiting()
{
    m_status = m_core ? clt_ok : openCore( &m_core );
    const btAlignedObjectArray<CulletProxy*>& apart = m_proxies.getApart();
    for ( int i = 0; m_waitingCount > 0 && i < apart.size(); ++i )
    {
        if ( apart[i]->m_slot != CLT_NULL_PROXY )
        {
            continue;
        }
        apart[i]->readFilter();
        const cltProxyId slot = takeSlot( *apart[i] );
        if ( slot == CLT_NULL_PROXY )
        {
            return;
        }
        m_proxies.settle( apart[i], slot );
        m_slotsFollowUids = false;
        --m_waitingCount;
    }
}
