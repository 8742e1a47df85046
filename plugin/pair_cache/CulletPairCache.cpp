// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.cpp
/// The functions of Bullet's interface, and those of the broadphase that owns the cache.

#include "CulletPairCache.h"

#include "BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h"
#include "BulletCollision/BroadphaseCollision/btDispatcher.h"
#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <string.h>

namespace
{
/// Without run-time types, a class that derives from btGhostPairCallback is not recognized.
bool isForGhosts( btOverlappingPairCallback* callback )
{
#if defined( __cpp_rtti ) || defined( __GXX_RTTI ) || defined( _CPPRTTI )
    return dynamic_cast<btGhostPairCallback*>( callback ) != 0;
#else
    const btGhostPairCallback bullets;
    return callback && memcmp( static_cast<const void*>( callback ), static_cast<const void*>( &bullets ),
                               sizeof( void* ) ) == 0; // both begin with the table of their virtual functions
#endif
}
} // namespace

// ------------------------------------------------------------------------------------------------------------- reading

btBroadphasePair* CulletPairCache::findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    searchPending();
    const int place = m_pairs.find( culletPairOf( proxy0, proxy1 ) );
    return place == CulletPairArray::NONE ? 0 : &m_pairs.at( place );
}

btBroadphasePair* CulletPairCache::getOverlappingPairArrayPtr()
{
    searchPending();
    return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
}

const btBroadphasePair* CulletPairCache::getOverlappingPairArrayPtr() const
{
    searchPending();
    return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
}

btBroadphasePairArray& CulletPairCache::getOverlappingPairArray()
{
    searchPending();
    return btHashedOverlappingPairCache::getOverlappingPairArray();
}

const btBroadphasePairArray& CulletPairCache::getOverlappingPairArray() const
{
    searchPending();
    return btHashedOverlappingPairCache::getOverlappingPairArray();
}

int CulletPairCache::getNumOverlappingPairs() const
{
    searchPending();
    return m_pairs.getCount();
}

void CulletPairCache::processAllOverlappingPairs( btOverlapCallback* callback, btDispatcher* dispatcher )
{
    searchPending();
    btHashedOverlappingPairCache::processAllOverlappingPairs( callback, dispatcher );
}

// ------------------------------------------------------------------------------------------------------------ changing

btBroadphasePair* CulletPairCache::addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    const CulletProxyPair pair = edit( proxy0, proxy1 );
    return addHashed( pair, CulletPairArray::hashOf( pair ) );
}

void* CulletPairCache::removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                              btDispatcher* dispatcher )
{
    const CulletProxyPair pair = edit( proxy0, proxy1 );
    return removeHashed( pair, CulletPairArray::hashOf( pair ), dispatcher );
}

void CulletPairCache::removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    if ( !proxy )
    {
        return;
    }
    searchPending();
    btAlignedObjectArray<int> places;
    m_pairs.listPairsOf( proxy, places );
    for ( int i = 0; i < places.size() && m_source; ++i )
    {
        m_source->pairEdited( m_pairs.proxiesAt( places[i] ) );
    }
    removePairsOf( proxy, dispatcher );
}

/// The destructor of an algorithm may change the cache. In that case the function starts again; pairs that were cleaned
/// already have no algorithm.
void CulletPairCache::cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    if ( !proxy )
    {
        return;
    }
    searchPending();
    btAlignedObjectArray<int> places;
    uint32_t version;
    do
    {
        version = m_pairs.getVersion();
        places.resize( 0 );
        m_pairs.listPairsOf( proxy, places );
        for ( int i = 0; i < places.size() && m_pairs.getVersion() == version; ++i )
        {
            cleanOverlappingPair( m_pairs.at( places[i] ), dispatcher );
        }
    } while ( m_pairs.getVersion() != version );
}

/// As in Bullet, except that the algorithm leaves the pair first: its destructor may move or remove the pair.
void CulletPairCache::cleanOverlappingPair( btBroadphasePair& pair, btDispatcher* dispatcher )
{
    btCollisionAlgorithm* algorithm = pair.m_algorithm;
    if ( algorithm && dispatcher )
    {
        pair.m_algorithm = 0;
        algorithm->~btCollisionAlgorithm();
        dispatcher->freeCollisionAlgorithm( algorithm );
    }
}

/// Removes all pairs and adds them again, as Bullet does, so each pair gets a new m_algorithm.
void CulletPairCache::sortOverlappingPairs( btDispatcher* dispatcher )
{
    searchPending();
    btBroadphasePairArray sorted( btHashedOverlappingPairCache::getOverlappingPairArray() );
    for ( int i = 0; i < sorted.size(); ++i )
    {
        removeOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1, dispatcher );
    }
    sorted.quickSort( btBroadphasePairSortPredicate() );
    for ( int i = 0; i < sorted.size(); ++i )
    {
        if ( !m_source || culletPairOf( sorted[i].m_pProxy0, sorted[i].m_pProxy1 ).isAlive() )
        {
            addOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1 );
        }
    }
}

void CulletPairCache::setOverlapFilterCallback( btOverlapFilterCallback* callback )
{
    searchPending();
    btHashedOverlappingPairCache::setOverlapFilterCallback( callback );
}

void CulletPairCache::setInternalGhostPairCallback( btOverlappingPairCallback* callback )
{
    searchPending();
    m_ghostPairCallback = callback;
    m_hasCollisionObjects = isForGhosts( callback );
}

/// Tells the source that the application adds or removes the pair.
CulletProxyPair CulletPairCache::edit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    searchPending();
    const CulletProxyPair pair = culletPairOf( proxy0, proxy1 );
    if ( m_source )
    {
        m_source->pairEdited( pair );
    }
    return pair;
}

// ------------------------------------------------------------------------------------------------------- pair by pair

void CulletPairCache::leaveOutPresent( CulletPairNotes& notes ) const
{
    culletLeaveOut( notes, [this]( const CulletPairNote& note ) { return hasPair( note.m_pair ); } );
}

bool CulletPairCache::addPair( const CulletProxyPair& pair )
{
    return addHashed( pair, CulletPairArray::hashOf( pair ) ) != 0;
}

void CulletPairCache::addAccepted( const CulletProxyPair& pair )
{
    if ( !hasPair( pair ) )
    {
        insertHashed( pair, CulletPairArray::hashOf( pair ) );
    }
}

btBroadphasePair* CulletPairCache::addHashed( const CulletProxyPair& pair, uint32_t hash )
{
    const int place = m_pairs.find( pair, hash );
    if ( place != CulletPairArray::NONE )
    {
        return &m_pairs.at( place );
    }
    const bool isLetIn = needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 );
    const bool isAlive = !m_source || pair.isAlive(); // the filter callback may have removed a body
    return isLetIn && isAlive ? insertHashed( pair, hash ) : 0;
}

/// The ghost callback is called last, so that it may read and change the cache. Bullet calls it before the pair is
/// written.
btBroadphasePair* CulletPairCache::insertHashed( const CulletProxyPair& pair, uint32_t hash )
{
    int place = m_pairs.append( pair, hash );
    if ( m_ghostPairCallback )
    {
        const uint32_t version = m_pairs.getVersion();
        m_ghostPairCallback->addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        place = version == m_pairs.getVersion() ? place : m_pairs.find( pair, hash );
    }
    return place == CulletPairArray::NONE ? 0 : &m_pairs.at( place );
}

void* CulletPairCache::removeHashed( const CulletProxyPair& pair, uint32_t hash, btDispatcher* dispatcher )
{
    const int place = m_pairs.find( pair, hash );
    return place == CulletPairArray::NONE ? 0 : removeAt( place, dispatcher );
}

void* CulletPairCache::removeAt( int place, btDispatcher* dispatcher )
{
    const CulletProxyPair pair = m_pairs.proxiesAt( place );
    const uint32_t version = m_pairs.getVersion();
    cleanOverlappingPair( m_pairs.at( place ), dispatcher );
    if ( version != m_pairs.getVersion() )
    {
        return removeHashed( pair, CulletPairArray::hashOf( pair ), dispatcher ); // the pair may have moved, or be gone
    }
    void* userInfo = m_pairs.at( place ).m_internalInfo1;
    m_pairs.takeOut( place );
    if ( m_ghostPairCallback )
    {
        m_ghostPairCallback->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
    }
    return userInfo;
}

/// Removes the pairs in Bullet's order, so that the array and the calls of callbacks are the same. Bullet walks the
/// array from the front, and looks again at a pair that filled a hole: if the last pair of the array is one to remove,
/// it fills the hole and is next. If a callback changes the cache meanwhile, the remaining pairs are listed again.
void CulletPairCache::removePairsOf( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    btAlignedObjectArray<int> places;
    uint32_t version;
    do
    {
        version = m_pairs.getVersion();
        places.resize( 0 );
        m_pairs.listPairsOf( proxy, places );
        int last = places.size() - 1;
        for ( int first = 0; first <= last && m_pairs.getVersion() == version; ++version )
        {
            removeAt( places[first], dispatcher );
            const bool refilled = first < last && places[last] == m_pairs.getCount();
            first += refilled ? 0 : 1;
            last -= refilled ? 1 : 0;
        }
    } while ( m_pairs.getVersion() != version );
    m_pairs.forget( proxy );
}

// ---------------------------------------------------------------------------------------------------------- in groups

void CulletPairCache::addPairs( const CulletProxyPair* pairs, int count,
                                btAlignedObjectArray<CulletProxyPair>& rejected )
{
    const auto addGroup = [&]( int first, int size, const uint32_t* hashes )
    {
        CulletPairArray::prefetchProxies( pairs, first + size, count );
        m_pairs.prefetchLists( pairs + first, size );
        for ( int i = 0; i < size; ++i )
        {
            if ( pairs[first + i].isAlive() && !addHashed( pairs[first + i], hashes[i] ) )
            {
                rejected.push_back( pairs[first + i] );
            }
        }
    };
    m_pairs.forGroups( pairs, count, addGroup );
}

void CulletPairCache::removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    const auto removeGroup = [&]( int first, int size, const uint32_t* hashes )
    {
        CulletPairArray::prefetchProxies( pairs, first + size, count );
        m_pairs.prefetchFound( hashes, size );
        m_pairs.prefetchLast( size );
        for ( int i = 0; i < size; ++i )
        {
            removeHashed( pairs[first + i], hashes[i], dispatcher );
        }
    };
    m_pairs.forGroups( pairs, count, removeGroup );
}
