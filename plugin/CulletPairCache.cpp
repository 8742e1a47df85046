// SPDX-License-Identifier: Zlib
/// \file CulletPairCache.cpp
/// Pair by pair. The same for many at once is in CulletPairBatches.cpp, what others than the owner call in
/// CulletPairAccess.cpp.

#include "CulletPairCache.h"

#include <algorithm>
#include <new>

CulletPairCache::CulletPairCache()
    : m_source( 0 ), m_isOwed( false ), m_notesEdits( false ), m_version( 0 ), m_scansLeft( SCANS ), m_occupied( 0 ),
      m_exchangeVersion( 0 )
{
}

btBroadphasePair* CulletPairCache::addPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    putSmallerUidFirst( proxy0, proxy1 );
    return addHashed( proxy0, proxy1, hashOf( proxy0, proxy1 ) );
}

/// Bullet walks the array from the front and looks again at what filled a hole. The same order, so that the array and the
/// calls of callbacks are the same: while the last pair of the array is one to remove, it fills the hole and is next.
void CulletPairCache::forgetProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    btAlignedObjectArray<int> indices;
    listPairsOf( proxy, indices );
    int last = indices.size() - 1;
    for ( int first = 0; first <= last; )
    {
        removeAt( indices[first], dispatcher );
        const bool refilled = first < last && indices[last] == getPairCount();
        first += refilled ? 0 : 1;
        last -= refilled ? 1 : 0;
    }
    m_neighbours.forget( proxy->m_uniqueId );
}

void CulletPairCache::listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& indices )
{
    if ( m_neighbours.isDropped() && m_scansLeft > 0 )
    {
        --m_scansLeft;
        scanPairsOf( proxy, indices );
        return;
    }
    provideNeighbours();
    const int first = indices.size();
    m_neighbours.list( proxy->m_uniqueId, indices );
    if ( indices.size() > first + 1 )
    {
        std::sort( &indices[first], &indices[0] + indices.size() );
    }
}

void CulletPairCache::scanPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& indices )
{
    const btBroadphasePairArray& pairs = array();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        if ( pairs[i].m_pProxy0 == proxy || pairs[i].m_pProxy1 == proxy )
        {
            indices.push_back( i );
        }
    }
}

/// Keeping the lists through so many changes would cost more than making them anew, which may not even be needed.
void CulletPairCache::expectChanges( size_t count )
{
    if ( count * 8u > size_t( getPairCount() ) )
    {
        m_neighbours.drop();
        m_scansLeft = SCANS;
    }
}

void CulletPairCache::provideNeighbours()
{
    if ( !m_neighbours.isDropped() )
    {
        return;
    }
    const btBroadphasePairArray& pairs = array();
    m_neighbours.startAnew();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        if ( i + 2 * GROUP_SIZE < pairs.size() )
        {
            prefetchProxy( pairs[i + 2 * GROUP_SIZE].m_pProxy0 );
            prefetchProxy( pairs[i + 2 * GROUP_SIZE].m_pProxy1 );
            const btBroadphasePair& near = pairs[i + GROUP_SIZE];
            m_neighbours.prefetchHeads( near.m_pProxy0->m_uniqueId, near.m_pProxy1->m_uniqueId );
        }
        m_neighbours.put( i, pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId );
    }
}

btBroadphasePair* CulletPairCache::insertPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    putSmallerUidFirst( proxy0, proxy1 );
    const uint32_t hash = hashOf( proxy0, proxy1 );
    const uint32_t found = search( proxy0, proxy1, hash );
    return found == CulletPairIndex::NONE ? append( proxy0, proxy1, hash ) : &array()[int( found )];
}

void CulletPairCache::noteEdit( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 )
{
    if ( m_notesEdits )
    {
        const CulletProxyPair pair = { proxy0, proxy1 };
        m_edits.push_back( CulletPairNote( pair ) );
    }
}

void CulletPairCache::reservePairs( int count )
{
    btBroadphasePairArray& pairs = array();
    if ( count <= pairs.capacity() )
    {
        return;
    }
    // While the array is copied, both copies are held. So it grows by half, where Bullet doubles, and batches leave room
    // for the steps to come: memory that is not filled is not touched, and costs nothing.
    const int64_t roomy = int64_t( count ) + count / 8;
    const int64_t grown = int64_t( pairs.capacity() ) + pairs.capacity() / 2;
    const int capacity = int( btMin( btMax( roomy, grown ), int64_t( INT32_MAX ) ) );
    pairs.reserve( capacity );
    m_neighbours.reserve( capacity );
}

/// To be called before the array grows.
void CulletPairCache::reserveIndex( int count )
{
    m_index.reserve( count, getPairCount(), [this]( int pair ) { return hashAt( pair ); } );
}

uint32_t CulletPairCache::search( const btBroadphaseProxy* proxy0, const btBroadphaseProxy* proxy1,
                                  uint32_t hash ) const
{
    const btBroadphasePairArray& pairs = array();
    return m_index.find( hash, [&]( uint32_t pair )
                         { return pairs[int( pair )].m_pProxy0 == proxy0 && pairs[int( pair )].m_pProxy1 == proxy1; } );
}

btBroadphasePair* CulletPairCache::addHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash )
{
    const uint32_t found = search( proxy0, proxy1, hash );
    if ( found != CulletPairIndex::NONE )
    {
        return &array()[int( found )];
    }
    return needsBroadphaseCollision( proxy0, proxy1 ) ? append( proxy0, proxy1, hash ) : 0;
}

btBroadphasePair* CulletPairCache::append( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash )
{
    btBroadphasePairArray& pairs = array();
    const int pairIndex = pairs.size();
    reservePairs( pairIndex + 1 );
    reserveIndex( pairIndex + 1 );
    new ( &pairs.expandNonInitializing() ) btBroadphasePair( *proxy0, *proxy1 );
    ++m_version;
    m_index.insert( hash, uint32_t( pairIndex ) );
    m_neighbours.put( pairIndex, proxy0->m_uniqueId, proxy1->m_uniqueId );

    // Last, where Bullet calls it before the pair is written: a callback that looks at the cache sees no garbage.
    if ( m_ghostPairCallback )
    {
        m_ghostPairCallback->addOverlappingPair( proxy0, proxy1 );
    }
    return &pairs[pairIndex];
}

void* CulletPairCache::removeHashed( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1, uint32_t hash,
                                     btDispatcher* dispatcher )
{
    const uint32_t found = search( proxy0, proxy1, hash );
    return found == CulletPairIndex::NONE ? 0 : removeAt( int( found ), dispatcher );
}

void* CulletPairCache::removeAt( int pairIndex, btDispatcher* dispatcher )
{
    btBroadphasePair& pair = array()[pairIndex];
    cleanOverlappingPair( pair, dispatcher );
    void* userInfo = pair.m_internalInfo1;
    if ( m_ghostPairCallback )
    {
        m_ghostPairCallback->removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher );
    }
    takeOut( pairIndex );
    return userInfo;
}

/// The last pair fills the hole, as in Bullet: whoever walks the array by index sees it at the same index again.
void CulletPairCache::takeOut( int pairIndex )
{
    btBroadphasePairArray& pairs = array();
    const int last = pairs.size() - 1;
    ++m_version;
    m_index.erase( hashAt( pairIndex ), uint32_t( pairIndex ) );
    m_neighbours.remove( pairIndex );
    if ( pairIndex != last )
    {
        moveLastTo( pairIndex );
    }
    m_neighbours.popLast();
    pairs.pop_back();
}

/// The last pair's old place is left to be popped.
void CulletPairCache::moveLastTo( int pairIndex )
{
    btBroadphasePairArray& pairs = array();
    const int last = pairs.size() - 1;
    m_index.move( hashAt( last ), uint32_t( last ), uint32_t( pairIndex ) );
    m_neighbours.moveLastTo( pairIndex );
    pairs[pairIndex] = pairs[last];
}
