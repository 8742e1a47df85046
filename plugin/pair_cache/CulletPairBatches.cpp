// SPDX-License-Identifier: Zlib
/// \file CulletPairBatches.cpp
/// CulletPairCache, many pairs at a time: in groups that wait for memory together.

#include "CulletPairCache.h"

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

// ----------------------------------------------------------------------------------------------- begun for ended pairs

void CulletPairCache::startExchange()
{
    m_vacancies.resize( 0 );
    m_occupied = 0;
    m_exchangeVersion = m_pairs.getVersion();
}

void CulletPairCache::cleanEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
{
    const auto cleanGroup = [&]( int first, int size, const uint32_t* hashes )
    {
        m_pairs.prefetchFound( hashes, size );
        for ( int i = 0; i < size; ++i )
        {
            const int place = m_pairs.find( pairs[first + i], hashes[i] );
            if ( place != CulletPairArray::NONE )
            {
                m_vacancies.push_back( { place, hashes[i] } );
                cleanOverlappingPair( m_pairs.at( place ), dispatcher );
            }
        }
    };
    m_pairs.forGroups( pairs, count, cleanGroup );
}

bool CulletPairCache::vacateEnded( int beganCount )
{
    if ( m_pairs.getVersion() != m_exchangeVersion )
    {
        return false;
    }
    // the index is made anew from the array, so before there are holes in it
    const int64_t count = int64_t( m_pairs.getCount() ) - m_vacancies.size() + beganCount;
    m_pairs.reserve( int( btMin( count, int64_t( INT32_MAX ) ) ) );
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

void CulletPairCache::putBegan( const CulletProxyPair* pairs, int count )
{
    const auto putGroup = [&]( int first, int size, const uint32_t* hashes )
    {
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
    };
    m_pairs.forGroups( pairs, count, putGroup );
}

/// More pairs ended than began: the last ones of the array fill the holes that are left, but some are holes themselves.
void CulletPairCache::finishExchange()
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
