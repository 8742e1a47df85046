// SPDX-License-Identifier: Zlib
/// \file pair_cache.h
/// CulletPairCache beside btHashedOverlappingPairCache: the same calls must leave the same pairs.
#ifndef CULLET_TESTS_PAIR_CACHE_H
#define CULLET_TESTS_PAIR_CACHE_H

#include "couple.h"

#include <map>

namespace test
{

class PairCache : public testing::Test
{
protected:
    PairCache()
    {
        for ( int i = 0; i < 200; ++i )
        {
            btBroadphaseProxy proxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1 << ( i % 3 ), 3 );
            proxy.m_uniqueId = 1 + i * 65536 + i % 7; // differ mostly in high bits, and not by creation order alone
            proxies.push_back( proxy );
        }
    }

    template <typename Action>
    void both( Action action )
    {
        action( static_cast<btOverlappingPairCache&>( ours ) );
        action( static_cast<btOverlappingPairCache&>( stock ) );
    }

    CulletProxyPair randomPair()
    {
        const uint32_t i = random.below( 200 );
        return culletPairOf( &proxies[i], &proxies[( i + 1 + random.below( 199 ) ) % 200] );
    }

    std::vector<CulletProxyPair> randomPairs( int count )
    {
        std::vector<CulletProxyPair> pairs( static_cast<size_t>( count ) );
        std::generate( pairs.begin(), pairs.end(), [this] { return randomPair(); } );
        return pairs;
    }

    /// At random drops the lists of neighbours.
    void expectManyChangesOrNone()
    {
        ours.getPairs().expectChanges( random.below( 2 ) ? 0 : 1000000 );
    }

    /// Compares the pairs, in any order, and each proxy's list with its pairs in the array.
    void expectSamePairs()
    {
        ASSERT_EQ( stock.getNumOverlappingPairs(), ours.getNumOverlappingPairs() );
        ASSERT_EQ( stock.GetCount(), ours.GetCount() );
        std::map<const btBroadphaseProxy*, std::vector<int>> expected;
        for ( int i = 0; i < ours.getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& pair = ours.getOverlappingPairArrayPtr()[i];
            const btBroadphasePair* other = stock.findPair( pair.m_pProxy0, pair.m_pProxy1 );
            ASSERT_NE( nullptr, other );
            ASSERT_EQ( other->m_algorithm, pair.m_algorithm );
            ASSERT_EQ( other->m_internalInfo1, pair.m_internalInfo1 );
            ASSERT_EQ( &pair, ours.findPair( pair.m_pProxy0, pair.m_pProxy1 ) );
            ASSERT_EQ( &pair, ours.findPair( pair.m_pProxy1, pair.m_pProxy0 ) );
            expected[pair.m_pProxy0].push_back( i );
            expected[pair.m_pProxy1].push_back( i );
        }
        for ( const btBroadphaseProxy& proxy : proxies )
        {
            btAlignedObjectArray<int> listed;
            ours.getPairs().listPairsOf( &proxy, listed );
            ASSERT_EQ( !expected[&proxy].empty(), ours.getPairs().hasPairs( &proxy ) );
            ASSERT_EQ( int( expected[&proxy].size() ), listed.size() );
            for ( int i = 0; i < listed.size(); ++i )
            {
                ASSERT_EQ( expected[&proxy][size_t( i )], listed[i] );
            }
        }
    }

    std::vector<btBroadphaseProxy> proxies;
    Random random{ 1 };
    CulletPairCache ours;
    btHashedOverlappingPairCache stock;
};

} // namespace test

#endif
