// SPDX-License-Identifier: Zlib
/// \file CulletGivenCache.cpp
/// Bullet's caches keep an index into their array while they clean a pair, and callbacks may change the array
/// meanwhile. So a pair is cleaned first, and removed afterwards.

#include "CulletGivenCache.h"

#include <string.h>

namespace
{
#if BT_BULLET_VERSION >= 305

/// Identifies the filter of a cache: the address of its needsBroadphaseCollision. A pointer to a virtual member
/// function holds the function's offset in the virtual table, plus one where code may lie at any address (Itanium C++
/// ABI, section 2.3). With other compilers, the address of the whole table.
const void* filterOf( const btOverlappingPairCache& cache )
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

/// True if a cache has the filter of this class of Bullet. A program may contain the function twice: in Bullet's
/// library, and in a file with a class that derives from Bullet's.
template <typename Cache>
bool hasFilterOf( const btOverlappingPairCache& cache )
{
    struct Derived : public Cache
    {
    };
    return filterOf( cache ) == filterOf( Cache() ) || filterOf( cache ) == filterOf( Derived() );
}

bool hasBulletsFilter( const btOverlappingPairCache& cache )
{
    return hasFilterOf<btHashedOverlappingPairCache>( cache ) || hasFilterOf<btSortedOverlappingPairCache>( cache );
}

#else

/// These versions have no way to ask a pair cache for its callback.
bool hasBulletsFilter( const btOverlappingPairCache& )
{
    return false;
}

#endif
} // namespace

CulletGivenCache::CulletGivenCache( btOverlappingPairCache& cache )
    : m_cache( cache ), m_hasBulletsFilter( hasBulletsFilter( cache ) ), m_isEdited( false ), m_count( 0 )
{
    m_isDeferring = cache.hasDeferredRemoval();
}

const btOverlapFilterCallback* CulletGivenCache::getFilterCallback()
{
#if BT_BULLET_VERSION >= 305
    return m_cache.getOverlapFilterCallback();
#else
    return 0;
#endif
}

void CulletGivenCache::leaveOutPresent( CulletPairNotes& notes ) const
{
    culletLeaveOut( notes, [this]( const CulletPairNote& note ) { return hasPair( note.m_pair ); } );
}

int CulletGivenCache::selectAbsent( CulletProxyPair* pairs, int count ) const
{
    return int(
        std::remove_if( pairs, pairs + count, [this]( const CulletProxyPair& pair ) { return hasPair( pair ); } ) -
        pairs );
}

bool CulletGivenCache::addPair( const CulletProxyPair& pair )
{
    noticeEdits();
    const bool isTaken = m_cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) != 0;
    remember();
    return isTaken || isDeferring();
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
    btBroadphasePair* found = m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 );
    if ( found && found->m_algorithm && dispatcher )
    {
        btBroadphasePair ended( *found );
        found->m_algorithm = 0;
        m_cache.cleanOverlappingPair( ended, dispatcher );
        found = pair.isAlive() ? m_cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) : 0;
    }
    if ( found )
    {
        noticeEdits();
        m_cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
        remember();
    }
}

void CulletGivenCache::removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    noticeEdits();
    m_cache.removeOverlappingPairsContainingProxy( proxy, dispatcher );
    remember();
}

/// A removal changes the number of pairs; a replacement changes the last one.
void CulletGivenCache::noticeEdits()
{
    const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
    const int size = pairs.size();
    const bool isSame = size == m_count && ( size == 0 || ( pairs[0] == m_first && pairs[size - 1] == m_last ) );
    m_isEdited = m_isEdited || ( !isDeferring() && !isSame );
}

void CulletGivenCache::acceptEdits()
{
    m_isEdited = false;
    remember();
}

void CulletGivenCache::remember()
{
    const btBroadphasePairArray& pairs = m_cache.getOverlappingPairArray();
    m_count = pairs.size();
    if ( m_count > 0 )
    {
        m_first = pairs[0];
        m_last = pairs[m_count - 1];
    }
}
