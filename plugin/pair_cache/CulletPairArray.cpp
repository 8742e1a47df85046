// SPDX-License-Identifier: Zlib
/// \file CulletPairArray.cpp
/// A pair touches two proxies, an index entry, its place in the array and its neighbours in the lists, each in another
/// cache line. Batches prefetch these for a group of pairs before they touch the first.

#include "CulletPairArray.h"

#include <new>

// ------------------------------------------------------------------------------------------------------- pair by pair

int CulletPairArray::append( const CulletProxyPair& pair, uint32_t hash )
{
    const int place = m_pairs.size();
    reserve( place + 1 );
    putIfAbsent( place, pair, hash );
    return place;
}

/// Removes a pair; the last pair of the array takes its place. Bullet's loops over the array rely on this: after a
/// removal they visit the same index again.
void CulletPairArray::takeOut( int place )
{
    leave( place, hashAt( place ) );
    if ( place != m_pairs.size() - 1 )
    {
        moveLastTo( place );
    }
    popLast();
}

void CulletPairArray::leave( int place, uint32_t hash )
{
    ++m_version;
    m_index.erase( hash, uint32_t( place ) );
    m_neighbours.remove( place );
}

/// The caller then pops the last place.
void CulletPairArray::moveLastTo( int place )
{
    const int last = m_pairs.size() - 1;
    m_index.move( hashAt( last ), uint32_t( last ), uint32_t( place ) );
    m_neighbours.moveLastTo( place );
    m_pairs[place] = m_pairs[last];
}

void CulletPairArray::popLast()
{
    m_neighbours.popLast();
    m_pairs.pop_back();
}

/// Reads no proxy while the lists are dropped.
bool CulletPairArray::putIfAbsent( int place, const CulletProxyPair& pair, uint32_t hash )
{
    const int entry = m_index.probe( hash, [&]( uint32_t other ) { return isAt( other, pair ); } );
    if ( m_index.get( entry ) != CulletPairIndex::NONE )
    {
        return false;
    }
    ++m_version;
    btBroadphasePair* fresh =
        new ( place < m_pairs.size() ? &m_pairs[place] : &m_pairs.expandNonInitializing() ) btBroadphasePair;
    fresh->m_pProxy0 = pair.m_pProxy0;
    fresh->m_pProxy1 = pair.m_pProxy1;
    m_index.set( entry, hash, uint32_t( place ) );
    if ( !m_neighbours.isDropped() )
    {
        m_neighbours.put( place, pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
    }
    return true;
}

/// While the array is copied, both copies are held, and Bullet's allocator zeroes all memory that it returns. So it
/// grows by half, where Bullet doubles, and memory for lists is reserved only if there are lists.
void CulletPairArray::reserve( int count )
{
    m_index.reserve( count, m_pairs.size(), [this]( int place ) { return hashAt( place ); } );
    if ( count > m_pairs.capacity() )
    {
        const int64_t padded = int64_t( count ) + count / 8;
        const int64_t grown = int64_t( m_pairs.capacity() ) + m_pairs.capacity() / 2;
        const int capacity = int( btMin( btMax( padded, grown ), int64_t( INT32_MAX ) ) );
        m_pairs.reserve( capacity );
        if ( !m_neighbours.isDropped() )
        {
            m_neighbours.reserve( capacity );
        }
    }
}

void CulletPairArray::reserveFor( size_t addedCount, int removedCount )
{
    const int64_t added = int64_t( btMin( addedCount, size_t( INT32_MAX ) ) );
    reserve( int( btMin( m_pairs.size() - removedCount + added, int64_t( INT32_MAX ) ) ) );
}

void CulletPairArray::giveBack()
{
    if ( m_pairs.capacity() >= MANY && m_pairs.capacity() / 4 >= m_pairs.size() )
    {
        shrink();
    }
}

/// Also drops the lists of neighbours, which are rebuilt when needed.
void CulletPairArray::shrink()
{
    culletShrink( m_pairs, m_pairs.size() );
    m_index.fit( m_pairs.size(), [this]( int place ) { return hashAt( place ); } );
    m_neighbours.giveBack();
    m_scansLeft = SCANS;
}

// ---------------------------------------------------------------------------------------------------- pairs of a proxy

void CulletPairArray::listPairsOf( const btBroadphaseProxy* proxy, btAlignedObjectArray<int>& places )
{
    if ( !m_neighbours.isDropped() || m_scansLeft == 0 )
    {
        provideNeighbours();
        const int first = places.size();
        m_neighbours.list( proxy->m_uniqueId, places );
        culletSort( places, first );
        return;
    }
    --m_scansLeft;
    for ( int i = 0; i < m_pairs.size(); ++i )
    {
        if ( m_pairs[i].m_pProxy0 == proxy || m_pairs[i].m_pProxy1 == proxy )
        {
            places.push_back( i );
        }
    }
}

/// Maintaining the lists through so many changes would cost more than rebuilding them, which may not even be needed.
void CulletPairArray::expectChanges( size_t count )
{
    if ( m_shrinkPolicy.isDue( m_pairs.size(), m_pairs.capacity() ) )
    {
        shrink();
    }
    if ( count * 8u > size_t( m_pairs.size() ) )
    {
        m_neighbours.drop();
        m_scansLeft = SCANS;
    }
}

void CulletPairArray::provideNeighbours()
{
    if ( !m_neighbours.isDropped() )
    {
        return;
    }
    m_neighbours.beginRebuild();
    m_neighbours.reserve( m_pairs.capacity() );
    for ( int i = 0; i < m_pairs.size(); ++i )
    {
        if ( i + 2 * GROUP_SIZE < m_pairs.size() )
        {
            culletPrefetch( &m_pairs[i + 2 * GROUP_SIZE].m_pProxy0->m_uniqueId );
            culletPrefetch( &m_pairs[i + 2 * GROUP_SIZE].m_pProxy1->m_uniqueId );
            const btBroadphasePair& near = m_pairs[i + GROUP_SIZE];
            m_neighbours.prefetchHeads( near.m_pProxy0->m_uniqueId, near.m_pProxy1->m_uniqueId );
        }
        m_neighbours.put( i, m_pairs[i].m_pProxy0->m_uniqueId, m_pairs[i].m_pProxy1->m_uniqueId );
    }
}

// ------------------------------------------------------------------------------------------------------------- batches

void CulletPairArray::prefetchProxies( const CulletProxyPair* pairs, int first, int count )
{
    for ( int i = first; i < btMin( first + int( GROUP_SIZE ), count ); ++i )
    {
        culletPrefetch( &pairs[i].m_pProxy0->m_uniqueId );
        culletPrefetch( &pairs[i].m_pProxy1->m_uniqueId );
    }
}

void CulletPairArray::hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const
{
    for ( int i = 0; i < count; ++i )
    {
        hashes[i] = hashOf( pairs[i] );
        m_index.prefetch( hashes[i] );
    }
    for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
    {
        m_neighbours.prefetchHeads( pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId );
    }
}

/// Prefetches the first pair of each list, because adding a pair to a list changes it.
void CulletPairArray::prefetchLists( const CulletProxyPair* pairs, int count ) const
{
    for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
    {
        m_neighbours.prefetchFirst( pairs[i].m_pProxy0->m_uniqueId );
        m_neighbours.prefetchFirst( pairs[i].m_pProxy1->m_uniqueId );
    }
}

/// Prefetches pairs that are about to be removed, and their neighbours in the lists. The first pair with the right hash
/// is almost always the right one, and prefetching a wrong line does no harm.
void CulletPairArray::prefetchFound( const uint32_t* hashes, int count ) const
{
    const bool hasLists = !m_neighbours.isDropped();
    int likely[GROUP_SIZE];
    int foundCount = 0;
    for ( int i = 0; i < count; ++i )
    {
        const uint32_t place = m_index.find( hashes[i], []( uint32_t ) { return true; } );
        if ( place == CulletPairIndex::NONE )
        {
            continue;
        }
        likely[foundCount++] = int( place );
        culletPrefetch( &m_pairs[int( place )] );
        if ( hasLists )
        {
            m_neighbours.prefetchPair( int( place ) );
        }
    }
    for ( int i = 0; i < foundCount && hasLists; ++i )
    {
        m_neighbours.prefetchAround( likely[i] );
    }
}

/// Prefetches the pairs at the end of the array, which are about to fill holes.
void CulletPairArray::prefetchLast( int count ) const
{
    const int size = m_pairs.size();
    for ( int place = size - 1; place >= btMax( 0, size - count ); --place )
    {
        m_index.prefetch( hashAt( place ) );
        if ( !m_neighbours.isDropped() )
        {
            m_neighbours.prefetchAround( place );
        }
    }
}
