// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.cpp
/// Bullet's caches hold on to a place in their array while they clean a pair. So pairs are cleaned before, while the
/// cache is at rest.

#include "CulletGivenCache.h"

#include "broadphase/CulletBox.h"

#include <string.h>

namespace
{
#if BT_BULLET_VERSION >= 305

/// What tells the caches' rules apart: the function that needsBroadphaseCollision comes down to. A pointer to a virtual
/// function of a class holds its place in the class's table, plus one where code may lie at any address (Itanium C++
/// ABI, section 2.3). With other compilers, the whole table.
const void* ruleOf( const btOverlappingPairCache& cache )
{
    const char* table;
    memcpy( &table, static_cast<const void*>( &cache ), sizeof( table ) );
#if defined( __GXX_ABI_VERSION )
    bool ( btOverlappingPairCache::*const member )( btBroadphaseProxy*, btBroadphaseProxy* ) const =
        &btOverlappingPairCache::needsBroadphaseCollision;
    size_t place;
    memcpy( &place, &member, sizeof( place ) );
    memcpy( &table, table + ( place & ~size_t( 1 ) ), sizeof( table ) );
#endif
    return table;
}

/// Whether a cache's rule is that of this class of Bullet's. It may lie twice in a program: for Bullet's own classes in
/// Bullet, for those made from them where they were compiled.
template <typename Cache>
bool hasRuleOf( const btOverlappingPairCache& cache )
{
    struct Derived : public Cache
    {
    };
    return ruleOf( cache ) == ruleOf( Cache() ) || ruleOf( cache ) == ruleOf( Derived() );
}

bool hasBulletsRule( const btOverlappingPairCache& cache )
{
    return hasRuleOf<btHashedOverlappingPairCache>( cache ) || hasRuleOf<btSortedOverlappingPairCache>( cache );
}

#else

/// Nobody can ask a pair cache for its callback.
bool hasBulletsRule( const btOverlappingPairCache& )
{
    return false;
}

#endif
} // namespace

CulletGivenCache::CulletGivenCache( btOverlappingPairCache* cache )
    : m_cache( cache ), m_isDeferring( cache && cache->hasDeferredRemoval() ),
      m_hasBulletsRule( cache && hasBulletsRule( *cache ) ), m_isEdited( false ), m_count( 0 )
{
}

const btOverlapFilterCallback* CulletGivenCache::getFilterCallback() const
{
#if BT_BULLET_VERSION >= 305
    return m_cache->getOverlapFilterCallback();
#else
    return 0;
#endif
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
        if ( pairs[i].isAlive() )
        {
            removePair( pairs[i], dispatcher );
        }
    }
}

void CulletGivenCache::removePair( const CulletProxyPair& pair, btDispatcher* dispatcher )
{
    btBroadphasePair* found = m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 );
    if ( found && found->m_algorithm && dispatcher )
    {
        btBroadphasePair ended( *found );
        found->m_algorithm = 0;
        m_cache->cleanOverlappingPair( ended, dispatcher );
        found = pair.isAlive() ? m_cache->findPair( pair.m_pProxy0, pair.m_pProxy1 ) : 0;
    }
    if ( found )
    {
        noticeEdits();
        m_cache->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
        remember();
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
