// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.cpp
/// Handles pairs in groups that are prefetched together.

#include "CulletPairExchange.h"

void CulletPairExchange::start()
{
    m_vacancies.resize( 0 );
    m_filledCount = 0;
    m_version = m_pairs.getVersion();
}

void CulletPairExchange::noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    const auto noteGroup = [&]( int first, int size, const uint32_t* hashes )
    {
        m_pairs.prefetchFound( hashes, size );
        for ( int i = 0; i < size; ++i )
        {
            const int place = m_pairs.find( pairs[first + i], hashes[i] );
            if ( place != CulletPairArray::NONE )
            {
                m_vacancies.push_back( { place, hashes[i] } );
                m_cache.cleanOverlappingPair( m_pairs.at( place ), dispatcher );
            }
        }
    };
    m_pairs.forGroups( pairs, count, noteGroup );
}

bool CulletPairExchange::open( size_t beganCount )
{
    if ( m_pairs.getVersion() != m_version )
    {
        return false;
    }
    // First: growing rebuilds the index from the array, which must have no vacancies yet.
    m_pairs.reserveFor( beganCount, m_vacancies.size() );
    for ( int i = 0; i < m_vacancies.size(); ++i )
    {
        if ( i + CulletPairArray::GROUP_SIZE < m_vacancies.size() )
        {
            m_pairs.prefetchIndex( m_vacancies[i + CulletPairArray::GROUP_SIZE].m_hash );
        }
        m_pairs.leave( m_vacancies[i].m_place, m_vacancies[i].m_hash );
    }
    return true;
}

void CulletPairExchange::putBegan( const CulletProxyPair* pairs, int count )
{
    const auto putGroup = [&]( int first, int size, const uint32_t* hashes )
    {
        for ( int i = m_filledCount; i < btMin( m_filledCount + size, m_vacancies.size() ); ++i )
        {
            culletPrefetch( &m_pairs.at( m_vacancies[i].m_place ) );
        }
        m_pairs.prefetchLists( pairs + first, size );
        for ( int i = 0; i < size; ++i )
        {
            const bool isVacant = m_filledCount < m_vacancies.size();
            const int place = isVacant ? m_vacancies[m_filledCount].m_place : m_pairs.getCount();
            m_filledCount += m_pairs.putIfAbsent( place, pairs[first + i], hashes[i] ) && isVacant;
        }
    };
    m_pairs.forGroups( pairs, count, putGroup );
}

/// If more pairs ended than began, the last pairs of the array fill the remaining vacancies; some of these last ones
/// are vacancies themselves.
void CulletPairExchange::finish()
{
    for ( int i = m_filledCount; i < m_vacancies.size(); ++i )
    {
        m_pairs.at( m_vacancies[i].m_place ).m_pProxy0 = 0;
    }
    for ( int i = m_filledCount; i < m_vacancies.size(); ++i )
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
