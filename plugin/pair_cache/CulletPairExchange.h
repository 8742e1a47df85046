// SPDX-License-Identifier: Zlib
/// \file CulletPairExchange.h
/// Writes pairs that began into the places of pairs that ended. If all bodies move, about as many pairs begin in a step
/// as end. The usual removal moves the last pair of the array into the vacant place, and a new pair is then appended.
/// An exchange writes the new pair into the vacant place and moves no other pair, so it touches half the memory.
///
/// Only for a cache without ghost and filter callbacks, because these observe single additions and removals. Call the
/// functions in the order of their declaration; noteEnded and putBegan any number of times.
///
/// Handles pairs in groups that are prefetched together.
#ifndef CULLET_PAIR_EXCHANGE_H
#define CULLET_PAIR_EXCHANGE_H

#include "CulletPairArray.h"

class CulletPairExchange
{
public:
    /// \param pairs  the array of `cache`
    CulletPairExchange( CulletPairArray& pairs, btOverlappingPairCache& cache ) : m_pairs( pairs ), m_cache( cache )
    {
    }

    void start()
    {
        m_vacancies.resize( 0 );
        m_filledCount = 0;
        m_version = m_pairs.getVersion();
    }

    /// Notes and cleans ended pairs, which stay in the array. The dispatcher may call any function of the cache.
    void noteEnded( const CulletProxyPair* pairs, int count, btDispatcher* dispatcher )
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

    /// Makes the places of the noted pairs vacant, and reserves capacity for `beganCount` new pairs.
    /// \return false if the cache was changed since the start: then nothing is done, and the exchange is over
    bool open( size_t beganCount )
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

    /// Writes begun pairs into the vacancies, and appends the rest. Pairs that are present stay as they are.
    void putBegan( const CulletProxyPair* pairs, int count )
    {
        const auto putGroup = [&]( int first, int size, const uint32_t* hashes )
        {
            for ( int i = m_filledCount; i < btMin( m_filledCount + size, m_vacancies.size() ); ++i )
            {
                cltPrefetch( &m_pairs.at( m_vacancies[i].m_place ) );
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

    /// If more pairs ended than began, moves the last pairs of the array into the remaining vacancies. Vacancies at the
    /// end are dropped.
    void finish()
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

private:
    /// The place of a pair that ended.
    struct Vacancy
    {
        int m_place;
        uint32_t m_hash;
    };

    CulletPairArray& m_pairs;
    btOverlappingPairCache& m_cache;
    btAlignedObjectArray<Vacancy> m_vacancies;
    int m_filledCount = 0;  ///< number of vacancies, from the first on, that hold new pairs
    uint32_t m_version = 0; ///< of the pair array when the exchange started
};

#endif
