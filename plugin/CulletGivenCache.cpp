// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.cpp
/// Bullet's caches hold on to a place in their array while they clean a pair. So pairs are cleaned before, while the
/// cache is at rest.

#include "CulletGivenCache.h"

#include "CulletBox.h"

CulletGivenCache::CulletGivenCache( btOverlappingPairCache* cache )
    : m_cache( cache ), m_isDeferring( cache && cache->hasDeferredRemoval() ), m_isEdited( false ), m_count( 0 )
{
}

bool CulletGivenCache::addPair( const CulletProxyPair& pair )
{
    noticeEdits();
    const bool isTaken = m_cache->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    remember();
    return isTaken;
}

void CulletGivenCache::addPairs( const CulletProxyPair* pairs, int count,
                                 btAlignedObjectArray<CulletProxyPair>& rejected )
{
    for ( int i = 0; i < count; ++i )
    {
        if ( pairs[i].isAlive() && !addPair( pairs[i] ) )
        {
            rejected.push_back( pairs[i] );
        }
    }
}

void CulletGivenCache::removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    for ( int i = 0; i < count; ++i )
    {
        const CulletProxyPair& pair = pairs[i];
        btBroadphasePair* found =
            dispatcher && pair.isAlive() ? m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) : 0;
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
}

void CulletGivenCache::forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
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
        if ( culletOverlap( pairs[i] ) )
        {
            pairs[kept++] = pairs[i];
        }
        else if ( pairs[i].m_algorithm && dispatcher ) // without one, btSortedOverlappingPairCache calls through NULL
        {
            separated.push_back( pairs[i] );
        }
    }
    pairs.resize( kept );
    for ( int i = 0; i < separated.size(); ++i )
    {
        m_cache->cleanOverlappingPair( separated[i], dispatcher );
    }
}

void CulletGivenCache::listSeparated( CulletPairNotes& separated ) const
{
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    for ( int i = pairs.size() - 1; i >= 0; --i )
    {
        if ( !culletOverlap( pairs[i] ) )
        {
            separated.push_back( culletNoteOf( { pairs[i].m_pProxy0, pairs[i].m_pProxy1 } ) );
        }
    }
}

/// What was taken out leaves another number of pairs, and what was put in instead another last one.
void CulletGivenCache::noticeEdits()
{
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    const int size = pairs.size();
    const bool isSame = size == m_count && ( size == 0 || ( pairs[0] == m_first && pairs[size - 1] == m_last ) );
    m_isEdited = m_isEdited || ( !m_isDeferring && !isSame );
}

void CulletGivenCache::accept()
{
    m_isEdited = false;
    remember();
}

void CulletGivenCache::remember()
{
    const btBroadphasePairArray& pairs = m_cache->getOverlappingPairArray();
    m_count = pairs.size();
    if ( m_count > 0 )
    {
        m_first = pairs[0];
        m_last = pairs[m_count - 1];
    }
}
