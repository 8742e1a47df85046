// SPDX-License-Identifier: Zlib
/// \file CulletSearch.cpp
/// Pairs at once, for callers who read the cache on the line after createProxy or setAabb, as character controllers do.
/// What is offered here comes up again in the next update's changes; m_offered keeps it from being offered twice, and
/// tells which pairs to look at again, for they may be over before the core ever hears of them.
///
/// In most steps nobody reads in between. So where only a reader could tell, setAabb notes that a search is owed, and the
/// cache has it made when it is read. calculateOverlappingPairs leaves nothing owed.

#include "CulletBroadphase.h"

#include "CulletBox.h"

#include "BulletCollision/CollisionDispatch/btCollisionObject.h"

#include <algorithm>

namespace
{
bool collectProxy( cltProxyId proxy, uint64_t, void* context )
{
    static_cast<btAlignedObjectArray<cltProxyId>*>( context )->push_back( proxy );
    return true;
}

/// A ghost callback takes every client object for a btCollisionObject, so where there is one, they are.
bool isGhost( const btBroadphaseProxy& proxy )
{
    const btCollisionObject* object = static_cast<const btCollisionObject*>( proxy.m_clientObject );
    return object && ( object->getInternalType() & btCollisionObject::CO_GHOST_OBJECT ) != 0;
}
} // namespace

/// Whether a filter, a ghost callback or a given cache hears of single pairs, in the order in which they come. If not, the
/// search may wait until somebody looks.
bool CulletBroadphase::isAnyoneAsked() const
{
    return !m_coreFilters || hasGhostCallback() || m_ownPairCache->getOverlapFilterCallback();
}

/// The proxy's box changed.
void CulletBroadphase::noteMoved( CulletProxy* proxy )
{
    const bool isEager = m_eagerMoves > 0 || ( hasGhostCallback() && isGhost( *proxy ) );
    m_eagerMoves -= m_eagerMoves > 0;
    if ( !isEager || m_cacheDefers || m_deferedcollide )
    {
        return;
    }
    if ( isAnyoneAsked() )
    {
        searchPairs( proxy );
        return;
    }
    m_owed[m_owedCount++] = proxy; // never too many, for each has cost one of m_eagerMoves
    m_ownPairCache->setOwed( true );
}

/// Several threads may get here when they read the cache at once: the others wait, and find nothing left to do.
void CulletBroadphase::searchOwed()
{
    const std::lock_guard<std::mutex> lock( m_owedLock );
    for ( int i = 0; i < m_owedCount; ++i )
    {
        searchPairs( m_owed[i] );
    }
    forgetOwed();
}

/// Whether the cache holds the pair by now, whatever is owed.
bool CulletBroadphase::isCached( const CulletProxyPair& pair ) const
{
    return m_ownPairCache ? m_ownPairCache->hasPair( pair.m_pProxy0, pair.m_pProxy1 )
                          : m_pairCache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
}

void CulletBroadphase::forgetOwed()
{
    if ( m_owedCount > 0 )
    {
        m_owedCount = 0;
        m_ownPairCache->setOwed( false );
    }
}

/// Offers the cache every pair of the proxy, by ascending uids, so that the order does not depend on how they were found.
void CulletBroadphase::searchPairs( CulletProxy* proxy )
{
    chooseWhoFilters();
    m_found.resize( 0 );
    const CulletBox box = culletBox( proxy->m_aabbMin, proxy->m_aabbMax );
    const cltStatus status = culletQueryBox( m_core, box, collectProxy, &m_found );
    btAssert( status == clt_ok );
    (void)status;
    if ( m_found.size() > 1 )
    {
        const CulletProxyPool& proxies = m_proxies;
        std::sort( &m_found[0], &m_found[0] + m_found.size(),
                   [&]( cltProxyId a, cltProxyId b )
                   { return proxies.get( a )->m_uniqueId < proxies.get( b )->m_uniqueId; } );
    }

    noticeEdits();
    for ( int i = 0; i < m_found.size(); ++i )
    {
        CulletProxy* other = m_proxies.get( m_found[i] );
        const bool isFirst = proxy->m_uniqueId < other->m_uniqueId;
        const CulletProxyPair pair = { isFirst ? proxy : other, isFirst ? other : proxy };
        if ( other == proxy || isCached( pair ) || wasAsked( pair ) )
        {
            continue;
        }
        if ( offer( pair ) || coreHolds( pair ) ) // else nobody will hear of it again
        {
            const cltPair slots = { btMin( proxy->m_slot, other->m_slot ), btMax( proxy->m_slot, other->m_slot ) };
            m_offered.push_back( slots );
        }
    }
    rememberCache();
}
