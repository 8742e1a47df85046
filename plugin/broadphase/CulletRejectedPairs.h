// SPDX-License-Identifier: Zlib
/// \file CulletRejectedPairs.h
/// Pairs of overlapping boxes that the core holds and the cache's filter rejected. A pair is offered again when a box
/// or a filter of its two proxies has changed, or together with all others. There may be a hundred thousand, so they
/// are addressed by their places in an array.
#ifndef CULLET_REJECTED_PAIRS_H
#define CULLET_REJECTED_PAIRS_H

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
    void add( const CulletProxyPair& pair, uint32_t round );

    bool has( const CulletProxyPair& pair ) const
    {
        return !isEmpty() && m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    /// Whether the filter was asked in that round.
    bool wasAsked( const CulletProxyPair& pair, uint32_t round ) const
    {
        const int place = isEmpty() ? int( CulletPairArray::NONE ) : m_pairs.find( pair );
        return place != CulletPairArray::NONE && getRound( place ) == round;
    }

    /// Forgets pairs that entered the cache or ended. Pairs that were not rejected may be named.
    void remove( const CulletProxyPair* pairs, int count );

    /// The proxy is about to be destroyed.
    void forget( const btBroadphaseProxy* proxy );

    /// The proxy's pairs are to be offered again.
    void retry( btBroadphaseProxy* proxy, int proxyCount );

    /// This pair is to be offered again.
    void retry( const CulletProxyPair& pair )
    {
        m_retriedPairs.push_back( pair );
    }

    /// All pairs, or none, are to be offered again.
    void retryAll( bool isWanted )
    {
        m_areAllRetried = isWanted;
        m_retried.resize( 0 );
        m_retriedPairs.resize( 0 );
    }

    bool areAllRetried() const
    {
        return m_areAllRetried;
    }

    /// Lists the places of the pairs that are to be offered again, ascending, each once, and clears this list. The
    /// places are valid until getVersion changes.
    void takeRetried( btAlignedObjectArray<int>& places );

    /// Frees memory if most rejected pairs are gone.
    void giveBack()
    {
        m_pairs.giveBack();
    }

    /// Changes whenever places do.
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
    btAlignedObjectArray<btBroadphaseProxy*> m_retried;   ///< all pairs of these are to be offered again
    btAlignedObjectArray<CulletProxyPair> m_retriedPairs; ///< and these; some may be gone
    bool m_areAllRetried = false;
};

#endif
