// SPDX-License-Identifier: Zlib
/// \file CulletRejectedPairs.cpp
/// Each pair's m_internalTmpValue holds the round in which it was rejected.

#include "CulletRejectedPairs.h"

void CulletRejectedPairs::add( const CulletProxyPair& pair, uint32_t round )
{
    const uint32_t hash = CulletPairArray::hashOf( pair );
    const int end = m_pairs.getCount();
    m_pairs.reserve( end + 1 );
    const bool isNew = m_pairs.putIfAbsent( end, pair, hash ); // the usual case, found with a single probe of the index
    setRound( isNew ? end : m_pairs.find( pair, hash ), round );
}

void CulletRejectedPairs::remove( const CulletProxyPair* pairs, int count )
{
    for ( int i = 0; i < count && !isEmpty(); ++i )
    {
        const int place = m_pairs.find( pairs[i] );
        if ( place != CulletPairArray::NONE )
        {
            m_pairs.takeOut( place );
        }
    }
}

void CulletRejectedPairs::forget( const btBroadphaseProxy* proxy )
{
    if ( !isEmpty() )
    {
        btAlignedObjectArray<int> places;
        m_pairs.listPairsOf( proxy, places );
        // In descending order: the last pair of the array fills each hole, and is then no pair of the proxy.
        for ( int i = places.size() - 1; i >= 0; --i )
        {
            m_pairs.takeOut( places[i] );
        }
        m_pairs.forget( proxy );
    }
}

void CulletRejectedPairs::retry( btBroadphaseProxy* proxy, int proxyCount )
{
    if ( m_areAllRetried || isEmpty() || !m_pairs.hasPairs( proxy ) )
    {
        return;
    }
    m_retried.push_back( proxy );
    if ( m_retried.size() > proxyCount / 2 )
    {
        retryAll( true ); // one pass over all pairs is faster than looking up half of them twice
    }
}

void CulletRejectedPairs::takeRetried( btAlignedObjectArray<int>& places )
{
    for ( int i = 0; i < m_pairs.getCount() && m_areAllRetried; ++i )
    {
        places.push_back( i );
    }
    for ( int i = 0; i < m_retried.size(); ++i )
    {
        m_pairs.listPairsOf( m_retried[i], places );
    }
    for ( int i = 0; i < m_retriedPairs.size() && !m_areAllRetried; ++i )
    {
        const int place = m_pairs.find( m_retriedPairs[i] );
        if ( place != CulletPairArray::NONE )
        {
            places.push_back( place );
        }
    }
    if ( !m_areAllRetried && places.size() > 1 ) // a pair of two listed proxies is listed twice
    {
        culletSort( places );
        places.resize( int( std::unique( &places[0], &places[0] + places.size() ) - &places[0] ) );
    }
    retryAll( false );
}
