// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.cpp
/// Bullet's caches hold on to a place in their array while they clean a pair. So pairs are cleaned before, while the
/// cache is at rest.

#include "CulletGivenCache.h"

#include "CulletBox.h"

namespace
{
CulletProxyPair proxiesOf( const btBroadphasePair& pair )
{
    const CulletProxyPair proxies = { pair.m_pProxy0, pair.m_pProxy1 };
    return proxies;
}

bool isSame( const CulletProxyPair& a, const CulletProxyPair& b )
{
    return a.m_pProxy0 == b.m_pProxy0 && a.m_pProxy1 == b.m_pProxy1;
}
} // namespace

CulletGivenCache::CulletGivenCache( btOverlappingPairCache* cache )
    : m_cache( cache ), m_isDeferring( cache && cache->hasDeferredRemoval() ), m_isEdited( false ), m_count( 0 ),
      m_first(), m_last()
{
    if ( cache )
    {
        remember();
    }
}

bool CulletGivenCache::addPair( const CulletProxyPair& pair )
{
    noticeEdits();
    const bool isTaken = m_cache->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    remember();
    return isTaken;
}

void CulletGivenCache::removePair( const CulletProxyPair& pair, btDispatcher* dispatcher )
{
    btBroadphasePair* found = dispatcher ? m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) : 0;
    if ( found && found->m_algorithm )
    {
        btBroadphasePair ended( *found );
        found->m_algorithm = 0;
        m_cache->cleanOverlappingPair( ended, dispatcher );
    }
    if ( pair.isAlive() )
    {
        noticeEdits();
        m_cache->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
        remember();
    }
}

void CulletGivenCache::removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    noticeEdits();
    m_cache->removeOverlappingPairsContainingProxy( proxy, dispatcher );
    remember();
}

/// Such caches ignore removeOverlappingPair. Their array is thinned out before anybody is called.
void CulletGivenCache::dropSeparated( btDispatcher* dispatcher )
{
    btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    btBroadphasePairArray separated;
    int kept = 0;
    for ( int i = 0; i < pairs.size(); ++i )
    {
        if ( culletOverlap( *pairs[i].m_pProxy0, *pairs[i].m_pProxy1 ) )
        {
            pairs[kept++] = pairs[i];
        }
        else if ( pairs[i].m_algorithm )
        {
            separated.push_back( pairs[i] );
        }
    }
    pairs.resize( kept );
    for ( int i = 0; i < separated.size() && dispatcher;
          ++i ) // without one, btSortedOverlappingPairCache calls through NULL
    {
        m_cache->cleanOverlappingPair( separated[i], dispatcher );
    }
}

void CulletGivenCache::listSeparated( btAlignedObjectArray<CulletPairNote>& separated ) const
{
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    for ( int i = pairs.size() - 1; i >= 0; --i )
    {
        if ( !culletOverlap( *pairs[i].m_pProxy0, *pairs[i].m_pProxy1 ) )
        {
            separated.push_back( CulletPairNote( proxiesOf( pairs[i] ) ) );
        }
    }
}

bool CulletGivenCache::isEdited()
{
    noticeEdits();
    return m_isEdited;
}

/// What was taken out leaves another number of pairs, and what was put in instead another last one.
void CulletGivenCache::noticeEdits()
{
    if ( m_isDeferring || m_isEdited )
    {
        return;
    }
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    const int last = pairs.size() - 1;
    m_isEdited =
        pairs.size() != m_count ||
        ( last >= 0 && !( isSame( proxiesOf( pairs[0] ), m_first ) && isSame( proxiesOf( pairs[last] ), m_last ) ) );
}

void CulletGivenCache::remember()
{
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    m_count = m_isDeferring ? 0 : pairs.size();
    if ( m_count > 0 )
    {
        m_first = proxiesOf( pairs[0] );
        m_last = proxiesOf( pairs[m_count - 1] );
    }
}
