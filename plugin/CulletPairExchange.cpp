// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.cpp
/// Group by group, as the batches of CulletPairCache.

#include "CulletPairExchange.h"

CulletPairExchange::CulletPairExchange( CulletPairArray& pairs, btOverlappingPairCache& cache )
    : m_pairs( pairs ), m_cache( cache ), m_occupied( 0 ), m_version( 0 )
{
}

void CulletPairExchange::start()
{
    m_vacancies.resize( 0 );
    m_occupied = 0;
    m_version = m_pairs.getVersion();
}

void CulletPairExchange::noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    uint32_t hashes[CulletPairArray::GROUP_SIZE];
    for ( int first = 0; first < count; first += CulletPairArray::GROUP_SIZE )
    {
        const int size = btMin( int( CulletPairArray::GROUP_SIZE ), count - first );
        m_pairs.hashGroup( pairs + first, size, hashes );
        m_pairs.prefetchFound( hashes, size );
        noteGroup( pairs + first, size, hashes, dispatcher );
    }
}

void CulletPairExchange::noteGroup( const CulletProxyPair* pairs, int count, const uint32_t* hashes,
                                    btDispatcher* dispatcher )
{
    for ( int i = 0; i < count; ++i )
    {
        const int place = m_pairs.find( pairs[i], hashes[i] );
        if ( place != CulletPairArray::NONE )
        {
            const Vacancy vacancy = { place, hashes[i] };
            m_vacancies.push_back( vacancy );
            m_cache.cleanOverlappingPair( m_pairs.at( place ), dispatcher );
        }
    }
}

bool CulletPairExchange::open( int beganCount )
{
    if ( m_pairs.getVersion() != m_version )
    {
        return false;
    }
    // the index is made anew from the array, so before there are holes in it
    const int64_t count = int64_t( m_pairs.getCount() ) - m_vacancies.size() + beganCount;
    const int capacity = int( btMin( count, int64_t( INT32_MAX ) ) );
    m_pairs.reserve( capacity );
    m_pairs.reserveIndex( capacity );
    vacate();
    return true;
}

void CulletPairExchange::vacate()
{
    for ( int i = 0; i < m_vacancies.size(); ++i )
    {
        if ( i + CulletPairArray::GROUP_SIZE < m_vacancies.size() )
        {
            m_pairs.prefetchIndex( m_vacancies[i + CulletPairArray::GROUP_SIZE].m_hash );
        }
        m_pairs.leave( m_vacancies[i].m_place, m_vacancies[i].m_hash );
    }
}

void CulletPairExchange::putBegan( const CulletProxyPair* pairs, int count )
{
    uint32_t hashes[CulletPairArray::GROUP_SIZE];
    for ( int first = 0; first < count; first += CulletPairArray::GROUP_SIZE )
    {
        const int size = btMin( int( CulletPairArray::GROUP_SIZE ), count - first );
        m_pairs.hashGroup( pairs + first, size, hashes );
        for ( int i = m_occupied; i < btMin( m_occupied + size, m_vacancies.size() ); ++i )
        {
            culletPrefetch( &m_pairs.at( m_vacancies[i].m_place ) );
        }
        m_pairs.prefetchLists( pairs + first, size );
        for ( int i = 0; i < size; ++i )
        {
            const bool isVacant = m_occupied < m_vacancies.size();
            const int place = isVacant ? m_vacancies[m_occupied].m_place : m_pairs.getCount();
            m_occupied += m_pairs.putIfAbsent( place, pairs[first + i], hashes[i] ) && isVacant;
        }
    }
}

/// More pairs ended than began: the last ones of the array fill the holes that are left, but some are holes themselves.
void CulletPairExchange::finish()
{
    for ( int i = m_occupied; i < m_vacancies.size(); ++i )
    {
        m_pairs.at( m_vacancies[i].m_place ).m_pProxy0 = 0;
    }
    for ( int i = m_occupied; i < m_vacancies.size(); ++i )
    {
        while ( m_pairs.getCount() > 0 && !m_pairs.at( m_pairs.getCount() - 1 ).m_pProxy0 )
        {
            m_pairs.popLast();
        }
        if ( m_vacancies[i].m_place < m_pairs.getCount() )
        {
            m_pairs.moveLastTo( m_vacancies[i].m_place );
            m_pairs.popLast();
        }
    }
    m_vacancies.resize( 0 );
}
