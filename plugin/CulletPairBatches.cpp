// SPDX-License-Identifier: Zlib
/// \file CulletPairBatches.cpp
/// What costs time in a pair cache of millions is waiting for memory: two proxies, an index entry, a pair and its
/// neighbours, each somewhere else. The batches therefore work group by group, and ask for all lines of a kind in a group
/// before they touch the first.

#include "CulletPairCache.h"

void CulletPairCache::addPairs( const CulletProxyPair* pairs, int count,
                                btAlignedObjectArray<CulletProxyPair>& rejected )
{
    uint32_t hashes[GROUP_SIZE];
    for ( int first = 0; first < count; first += GROUP_SIZE )
    {
        const int size = btMin( int( GROUP_SIZE ), count - first );
        hashGroup( pairs + first, size, hashes );
        prefetchProxies( pairs + first + size, btMin( int( GROUP_SIZE ), count - first - size ) );
        prefetchLists( pairs + first, size );
        for ( int i = 0; i < size; ++i )
        {
            if ( !addHashed( pairs[first + i].m_pProxy0, pairs[first + i].m_pProxy1, hashes[i] ) )
            {
                rejected.push_back( pairs[first + i] );
            }
        }
    }
}

void CulletPairCache::removePairs( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    uint32_t hashes[GROUP_SIZE];
    for ( int first = 0; first < count; first += GROUP_SIZE )
    {
        const int size = btMin( int( GROUP_SIZE ), count - first );
        hashGroup( pairs + first, size, hashes );
        prefetchProxies( pairs + first + size, btMin( int( GROUP_SIZE ), count - first - size ) );
        prefetchFound( hashes, size );
        prefetchLast( size );
        for ( int i = 0; i < size; ++i )
        {
            removeHashed( pairs[first + i].m_pProxy0, pairs[first + i].m_pProxy1, hashes[i], dispatcher );
        }
    }
}

void CulletPairCache::prefetchProxies( const CulletProxyPair* pairs, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        prefetchProxy( pairs[i].m_pProxy0 );
        prefetchProxy( pairs[i].m_pProxy1 );
    }
}

/// Hashes of up to GROUP_SIZE pairs. Asks for what is found by them, and reads the proxies only where there are lists.
void CulletPairCache::hashGroup( const CulletProxyPair* pairs, int count, uint32_t* hashes ) const
{
    for ( int i = 0; i < count; ++i )
    {
        hashes[i] = hashOf( pairs[i].m_pProxy0, pairs[i].m_pProxy1 );
        m_index.prefetch( hashes[i] );
    }
    for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
    {
        m_neighbours.prefetchHeads( pairs[i].m_pProxy0->m_uniqueId, pairs[i].m_pProxy1->m_uniqueId );
    }
}

/// A pair that joins a list changes the one that was first in it.
void CulletPairCache::prefetchLists( const CulletProxyPair* pairs, int count ) const
{
    for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
    {
        m_neighbours.prefetchFirst( pairs[i].m_pProxy0->m_uniqueId );
        m_neighbours.prefetchFirst( pairs[i].m_pProxy1->m_uniqueId );
    }
}

/// The pairs that are about to be taken out, and their neighbours in the lists. The first pair with the right hash is
/// almost always the right one, and asking for a wrong line does no harm.
void CulletPairCache::prefetchFound( const uint32_t* hashes, int count )
{
    const btBroadphasePairArray& pairs = array();
    uint32_t likely[GROUP_SIZE];
    for ( int i = 0; i < count; ++i )
    {
        likely[i] = m_index.find( hashes[i], []( uint32_t ) { return true; } );
        if ( likely[i] != CulletPairIndex::NONE )
        {
            culletPrefetch( &pairs[int( likely[i] )] );
            m_neighbours.prefetchPair( int( likely[i] ) );
        }
    }
    for ( int i = 0; i < count && !m_neighbours.isDropped(); ++i )
    {
        if ( likely[i] != CulletPairIndex::NONE )
        {
            m_neighbours.prefetchAround( int( likely[i] ) );
        }
    }
}

/// The pairs at the end of the array, which are about to fill holes.
void CulletPairCache::prefetchLast( int count )
{
    const int last = getPairCount() - 1;
    for ( int i = 0; i < btMin( count, last + 1 ); ++i )
    {
        m_index.prefetch( hashAt( last - i ) );
        m_neighbours.prefetchAround( last - i );
    }
}
