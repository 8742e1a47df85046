// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.cpp
/// Where everything moves, about as many pairs begin in a step as end. Taken out one by one, each pair that ended would be
/// replaced by the last of the array, whose entry in the index lies elsewhere again; put in one by one, each that began
/// would make the array longer again. Here it takes the place of one that ended, and what stays is not touched.

#include "CulletPairCache.h"

#include <new>

void CulletPairCache::startExchange()
{
    m_vacancies.resize( 0 );
    m_occupied = 0;
    m_exchangeVersion = m_version;
}

void CulletPairCache::noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    uint32_t hashes[GROUP_SIZE];
    for ( int first = 0; first < count; first += GROUP_SIZE )
    {
        const int size = btMin( int( GROUP_SIZE ), count - first );
        hashGroup( pairs + first, size, hashes );
        prefetchFound( hashes, size );
        noteGroup( pairs + first, size, hashes, dispatcher );
    }
}

void CulletPairCache::noteGroup( const CulletProxyPair* pairs, int count, const uint32_t* hashes,
                                 btDispatcher* dispatcher )
{
    for ( int i = 0; i < count; ++i )
    {
        const uint32_t found = search( pairs[i].m_pProxy0, pairs[i].m_pProxy1, hashes[i] );
        if ( found != CulletPairIndex::NONE )
        {
            const Vacancy vacancy = { int( found ), hashes[i] };
            m_vacancies.push_back( vacancy );
            cleanOverlappingPair( array()[int( found )], dispatcher );
        }
    }
}

bool CulletPairCache::openExchange( int beganCount )
{
    if ( m_version != m_exchangeVersion )
    {
        return false;
    }
    // the index is made anew from the array, so before there are holes in it
    const int64_t count = int64_t( getPairCount() ) - m_vacancies.size() + beganCount;
    const int capacity = int( btMin( count, int64_t( INT32_MAX ) ) );
    reservePairs( capacity );
    reserveIndex( capacity );
    vacate();
    return true;
}

void CulletPairCache::vacate()
{
    for ( int i = 0; i < m_vacancies.size(); ++i )
    {
        if ( i + GROUP_SIZE < m_vacancies.size() )
        {
            m_index.prefetch( m_vacancies[i + GROUP_SIZE].m_hash );
        }
        m_index.erase( m_vacancies[i].m_hash, uint32_t( m_vacancies[i].m_place ) );
        m_neighbours.remove( m_vacancies[i].m_place );
    }
}

/// Reads no proxy, unless there are lists: those that the core lets through meet by group and mask, as they were when they
/// were last set.
void CulletPairCache::putBegan( const CulletProxyPair* pairs, int count )
{
    uint32_t hashes[GROUP_SIZE];
    for ( int first = 0; first < count; first += GROUP_SIZE )
    {
        const int size = btMin( int( GROUP_SIZE ), count - first );
        hashGroup( pairs + first, size, hashes );
        prefetchVacancies( size );
        prefetchLists( pairs + first, size );
        for ( int i = 0; i < size; ++i )
        {
            occupy( pairs[first + i], hashes[i] );
        }
    }
}

void CulletPairCache::prefetchVacancies( int count )
{
    for ( int i = m_occupied; i < btMin( m_occupied + count, m_vacancies.size() ); ++i )
    {
        culletPrefetch( &array()[m_vacancies[i].m_place] );
    }
}

void CulletPairCache::occupy( const CulletProxyPair& pair, uint32_t hash )
{
    btBroadphasePairArray& pairs = array();
    const int at = m_index.probe( hash,
                                  [&]( uint32_t other ) {
                                      return pairs[int( other )].m_pProxy0 == pair.m_pProxy0 &&
                                             pairs[int( other )].m_pProxy1 == pair.m_pProxy1;
                                  } );
    if ( m_index.get( at ) != CulletPairIndex::NONE )
    {
        return; // offered before, or put in by the application
    }
    const bool isVacant = m_occupied < m_vacancies.size();
    const int place = isVacant ? m_vacancies[m_occupied++].m_place : pairs.size();
    btBroadphasePair* fresh = new ( isVacant ? &pairs[place] : &pairs.expandNonInitializing() ) btBroadphasePair;
    fresh->m_pProxy0 = pair.m_pProxy0;
    fresh->m_pProxy1 = pair.m_pProxy1;
    m_index.set( at, hash, uint32_t( place ) );
    if ( !m_neighbours.isDropped() )
    {
        m_neighbours.put( place, pair.m_pProxy0->m_uniqueId, pair.m_pProxy1->m_uniqueId );
    }
}

void CulletPairCache::finishExchange()
{
    ++m_version;
    closeVacancies();
    m_vacancies.resize( 0 );
}

/// More pairs ended than began: the last ones of the array fill the holes that are left, but some are holes themselves.
void CulletPairCache::closeVacancies()
{
    btBroadphasePairArray& pairs = array();
    for ( int i = m_occupied; i < m_vacancies.size(); ++i )
    {
        pairs[m_vacancies[i].m_place].m_pProxy0 = 0;
    }
    for ( int i = m_occupied; i < m_vacancies.size(); ++i )
    {
        while ( pairs.size() > 0 && !pairs[pairs.size() - 1].m_pProxy0 )
        {
            pairs.pop_back();
            m_neighbours.popLast();
        }
        if ( m_vacancies[i].m_place < pairs.size() )
        {
            moveLastTo( m_vacancies[i].m_place );
            pairs.pop_back();
            m_neighbours.popLast();
        }
    }
}
