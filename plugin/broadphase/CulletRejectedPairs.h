// SPDX-License-Identifier: Zlib
/// \file CulletRejectedPairs.h
/// Pairs of overlapping boxes that the core holds and the cache did not let in. Each is asked about again when a box or
/// a filter of its two proxies has changed, or with all others at once. There may be a hundred thousand, so they are
/// gone through by place.
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

    /// What add and has will read.
    void prefetch( const CulletProxyPair& pair ) const
    {
        m_pairs.prefetchIndex( CulletPairArray::hashOf( pair ) );
    }

    /// \param round  when the cache was asked
    void add( const CulletProxyPair& pair, uint32_t round );

    bool has( const CulletProxyPair& pair ) const
    {
        return !isEmpty() && m_pairs.find( pair ) != CulletPairArray::NONE;
    }

    /// Whether the cache was asked at that round.
    bool wasAsked( const CulletProxyPair& pair, uint32_t round ) const
    {
        const int place = isEmpty() ? int( CulletPairArray::NONE ) : m_pairs.find( pair );
        return place != CulletPairArray::NONE && getRound( place ) == round;
    }

    /// The pairs are in the cache, or over. Those that are not here are passed over.
    void remove( const CulletProxyPair* pairs, int count );

    /// The proxy is about to be destroyed.
    void forget( const btBroadphaseProxy* proxy );

    /// The cache is to be asked about the proxy's pairs again.
    void retry( btBroadphaseProxy* proxy, int proxyCount );

    /// About this one.
    void retry( const CulletProxyPair& pair )
    {
        m_retriedPairs.push_back( pair );
    }

    /// About all, or no more about any.
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

    /// The places of those that are to be asked about again, ascending, each once; from then on none is. They are good
    /// until a pair is removed or its proxy forgotten.
    void takeRetried( btAlignedObjectArray<int>& places );

    /// After a crowd has parted its memory is given back.
    void giveBack()
    {
        m_pairs.giveBack();
    }

    /// Another one as soon as places are.
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
    btAlignedObjectArray<btBroadphaseProxy*> m_retried;   ///< whose pairs are to be asked about again
    btAlignedObjectArray<CulletProxyPair> m_retriedPairs; ///< and others; perhaps gone meanwhile
    bool m_areAllRetried = false;
};

#endif
