// SPDX-License-Identifier: Zlib
/// \file CulletRejectedPairs.h
/// Pairs of overlapping boxes that the core holds and the cache's filter rejected. A pair is offered again when a box
/// or a filter of its two proxies has changed, or when retryAll marks all pairs. There may be a hundred thousand, so
/// callers refer to a pair by its index in an array, called its place.
///
/// Each pair's m_internalTmpValue holds the round in which it was rejected.
#ifndef CULLET_REJECTED_PAIRS_H
#define CULLET_REJECTED_PAIRS_H

#include "CulletProxyPool.h"
#include "pair_cache/CulletPairArray.h"

class CulletRejectedPairs
{
public:
    bool isEmpty() const
    {
        return m_pairs.getCount() == 0;
    }

    /// Prefetches what add and has will read.
    void prefetch( const CulletProxyPair& pair ) const
    {
        m_pairs.prefetchIndex( CulletPairArray::hashOf( pair ) );
    }

    /// \param round  the round in which the filter was asked
    void add( const CulletProxyPair& pair, uint32_t round )
    {
        const uint32_t hash = CulletPairArray::hashOf( pair );
        const int end = m_pairs.getCount();
        m_pairs.reserve( end + 1 );
        const bool isNew =
            m_pairs.putIfAbsent( end, pair, hash ); // the usual case, found with a single probe of the index
        setRound( isNew ? end : m_pairs.find( pair, hash ), round );
    }

    bool has( const CulletProxyPair& pair ) const
    {
        return !isEmpty() && m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    /// Forgets pairs that entered the cache or ended. Ignores pairs that were not rejected.
    void remove( const CulletProxyPair* pairs, int count )
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

    /// Forgets a proxy that is about to be destroyed, and its pairs.
    void forget( CulletProxy* proxy )
    {
        if ( proxy->m_retriedPlace > 0 )
        {
            m_retried[int( proxy->m_retriedPlace ) - 1] = 0;
            proxy->m_retriedPlace = 0;
        }
        culletRemoveIf( m_retriedPairs, [proxy]( const CulletProxyPair& pair )
                        { return pair.m_pProxy0 == proxy || pair.m_pProxy1 == proxy; } );
        if ( !isEmpty() )
        {
            btAlignedObjectArray<int> places;
            m_pairs.listPairsOf( proxy, places );
            // In descending order, because takeOut moves the array's last pair to the index of the removed one. That
            // last pair never contains the proxy, because pairs at higher indices are removed earlier.
            for ( int i = places.size() - 1; i >= 0; --i )
            {
                m_pairs.takeOut( places[i] );
            }
            m_pairs.forget( proxy );
        }
    }

    /// Marks the proxy's pairs to be offered again.
    void retry( CulletProxy* proxy, int proxyCount )
    {
        if ( m_areAllRetried || proxy->m_retriedPlace > 0 || isEmpty() || !m_pairs.hasPairs( proxy ) )
        {
            return;
        }
        m_retried.push_back( proxy );
        proxy->m_retriedPlace = uint32_t( m_retried.size() );
        if ( m_retried.size() > proxyCount / 2 )
        {
            retryAll( true ); // one pass over all pairs is faster than looking up half of them twice
        }
    }

    /// Marks one pair to be offered again.
    void retry( const CulletProxyPair& pair )
    {
        m_retriedPairs.push_back( pair );
    }

    /// Marks all pairs to be offered again, or unmarks all.
    void retryAll( bool isWanted )
    {
        m_areAllRetried = isWanted;
        for ( int i = 0; i < m_retried.size(); ++i )
        {
            if ( m_retried[i] )
            {
                m_retried[i]->m_retriedPlace = 0;
            }
        }
        m_retried.resize( 0 );
        m_retriedPairs.resize( 0 );
    }

    bool areAllRetried() const
    {
        return m_areAllRetried;
    }

    /// Lists the places of the marked pairs, ascending, each once, and unmarks the pairs. The places are valid until
    /// getVersion changes.
    void takeRetried( btAlignedObjectArray<int>& places )
    {
        for ( int i = 0; i < m_pairs.getCount() && m_areAllRetried; ++i )
        {
            places.push_back( i );
        }
        for ( int i = 0; i < m_retried.size(); ++i )
        {
            if ( m_retried[i] )
            {
                m_pairs.listPairsOf( m_retried[i], places );
            }
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

    /// Frees memory if most rejected pairs are gone.
    void giveBack()
    {
        m_pairs.giveBack();
    }

    /// A number that changes whenever a pair changes its place.
    uint32_t getVersion() const
    {
        return m_pairs.getVersion();
    }

    CulletProxyPair getPair( int place ) const
    {
        return m_pairs.proxiesAt( place );
    }

    uint32_t getRound( int place ) const
    {
        return uint32_t( m_pairs.at( place ).m_internalTmpValue );
    }

    void setRound( int place, uint32_t round )
    {
        m_pairs.at( place ).m_internalTmpValue = int( round );
    }

private:
    btBroadphasePairArray m_array;
    CulletPairArray m_pairs{ m_array };
    btAlignedObjectArray<CulletProxy*> m_retried;         ///< all rejected pairs of these are marked; 0: destroyed
    btAlignedObjectArray<CulletProxyPair> m_retriedPairs; ///< single marked pairs; some may be gone
    bool m_areAllRetried = false;
};

#endif
