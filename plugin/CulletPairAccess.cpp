// SPDX-License-Identifier: Zlib
/// \file CulletPairAccess.cpp
/// What anybody may call. Each of these first has the pairs searched that are owed, so that the cache looks as if they had
/// been there since setAabb.

#include "CulletPairCache.h"

// ------------------------------------------------------------------------------------------------------------- reading

btBroadphasePair* CulletPairCache::findPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    searchOwed();
    putSmallerUidFirst( proxy0, proxy1 );
    const uint32_t found = search( proxy0, proxy1, hashOf( proxy0, proxy1 ) );
    return found == CulletPairIndex::NONE ? 0 : &array()[int( found )];
}

btBroadphasePair* CulletPairCache::getOverlappingPairArrayPtr()
{
    searchOwed();
    return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
}

const btBroadphasePair* CulletPairCache::getOverlappingPairArrayPtr() const
{
    searchOwed();
    return btHashedOverlappingPairCache::getOverlappingPairArrayPtr();
}

btBroadphasePairArray& CulletPairCache::getOverlappingPairArray()
{
    searchOwed();
    return array();
}

const btBroadphasePairArray& CulletPairCache::getOverlappingPairArray() const
{
    searchOwed();
    return array();
}

int CulletPairCache::getNumOverlappingPairs() const
{
    searchOwed();
    return getPairCount();
}

void CulletPairCache::processAllOverlappingPairs( btOverlapCallback* callback, btDispatcher* dispatcher )
{
    searchOwed();
    btHashedOverlappingPairCache::processAllOverlappingPairs( callback, dispatcher );
}

// ------------------------------------------------------------------------------------------------------------ changing

btBroadphasePair* CulletPairCache::addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    searchOwed();
    putSmallerUidFirst( proxy0, proxy1 );
    noteEdit( proxy0, proxy1 );
    return addPair( proxy0, proxy1 );
}

void* CulletPairCache::removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                              btDispatcher* dispatcher )
{
    searchOwed();
    putSmallerUidFirst( proxy0, proxy1 );
    noteEdit( proxy0, proxy1 );
    return removeHashed( proxy0, proxy1, hashOf( proxy0, proxy1 ), dispatcher );
}

void CulletPairCache::removeOverlappingPairsContainingProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    if ( !proxy )
    {
        return;
    }
    searchOwed();
    if ( m_notesEdits )
    {
        btAlignedObjectArray<int> indices;
        listPairsOf( proxy, indices );
        for ( int i = 0; i < indices.size(); ++i )
        {
            const btBroadphasePair& pair = array()[indices[i]];
            noteEdit( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }
    forgetProxy( proxy, dispatcher );
}

void CulletPairCache::cleanProxyFromPairs( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    if ( !proxy )
    {
        return;
    }
    searchOwed();
    btAlignedObjectArray<int> indices;
    listPairsOf( proxy, indices );
    for ( int i = 0; i < indices.size(); ++i )
    {
        cleanOverlappingPair( array()[indices[i]], dispatcher );
    }
}

/// All pairs leave and enter again, as in Bullet, where that starts each with a new m_algorithm.
void CulletPairCache::sortOverlappingPairs( btDispatcher* dispatcher )
{
    searchOwed();
    btBroadphasePairArray sorted( array() );
    for ( int i = 0; i < sorted.size(); ++i )
    {
        removeOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1, dispatcher );
    }
    sorted.quickSort( btBroadphasePairSortPredicate() );
    for ( int i = 0; i < sorted.size(); ++i )
    {
        addOverlappingPair( sorted[i].m_pProxy0, sorted[i].m_pProxy1 );
    }
}

// ----------------------------------------------------------------------------------------------------------- callbacks

void CulletPairCache::setOverlapFilterCallback( btOverlapFilterCallback* callback )
{
    searchOwed();
    btHashedOverlappingPairCache::setOverlapFilterCallback( callback );
}

void CulletPairCache::setInternalGhostPairCallback( btOverlappingPairCallback* callback )
{
    searchOwed();
    m_ghostPairCallback = callback;
}
