// SPDX-License-Identifier: Zlib
// CulletPairCache when begun pairs take the places of ended ones: what that leaves is the same set, in an order of its
// own, for only what ended and what is last changes places.
#include "CulletPairCache.h"
#include "tests/support/bullet/witnesses.h"

#include <map>
#include <set>

using namespace test;

class PairExchange : public testing::Test
{
protected:
    PairExchange()
    {
        for ( int i = 0; i < 100; ++i )
        {
            proxies.push_back( btBroadphaseProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1, 1 ) );
            proxies.back().m_uniqueId = 3 * i + 1;
        }
    }

    /// Of 4950 pairs, so that of a few hundred some are named twice, are there already or are not.
    std::vector<CulletProxyPair> randomPairs( int count )
    {
        std::set<std::pair<int, int>> chosen;
        for ( int i = 0; i < count; ++i )
        {
            const int a = int( random.below( 100 ) ), b = int( random.below( 99 ) );
            chosen.insert( { std::min( a, b < a ? b : b + 1 ), std::max( a, b < a ? b : b + 1 ) } );
        }
        std::vector<CulletProxyPair> pairs;
        for ( const std::pair<int, int>& pair : chosen )
        {
            pairs.push_back( { &proxies[size_t( pair.first )], &proxies[size_t( pair.second )] } );
        }
        return pairs;
    }

    void exchange( const std::vector<CulletProxyPair>& ended, const std::vector<CulletProxyPair>& began )
    {
        cache.startExchange();
        cache.cleanEnded( ended.data(), int( ended.size() ), &dispatcher );
        ASSERT_TRUE( cache.vacateEnded( int( began.size() ) ) );
        cache.putBegan( began.data(), int( began.size() ) );
        cache.finishExchange();
        for ( const CulletProxyPair& pair : ended )
        {
            expected.erase( { pair.m_pProxy0, pair.m_pProxy1 } );
        }
        for ( const CulletProxyPair& pair : began )
        {
            expected.insert( { { pair.m_pProxy0, pair.m_pProxy1 }, nullptr } );
        }
    }

    void expectSame()
    {
        ASSERT_EQ( int( expected.size() ), cache.getNumOverlappingPairs() );
        std::map<const btBroadphaseProxy*, int> degrees;
        for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[i];
            const auto found = expected.find( { pair.m_pProxy0, pair.m_pProxy1 } );
            ASSERT_TRUE( found != expected.end() );
            ASSERT_EQ( found->second, pair.m_algorithm );
            ASSERT_EQ( &pair, cache.findPair( pair.m_pProxy1, pair.m_pProxy0 ) );
            ++degrees[pair.m_pProxy0];
            ++degrees[pair.m_pProxy1];
        }
        for ( const btBroadphaseProxy& proxy : proxies )
        {
            btAlignedObjectArray<int> listed;
            cache.getPairs().listPairsOf( &proxy, listed );
            ASSERT_EQ( degrees[&proxy], listed.size() );
        }
    }

    std::vector<btBroadphaseProxy> proxies;
    Random random{ 2 };
    DispatcherWitness dispatcher;
    CulletPairCache cache;
    std::map<std::pair<const btBroadphaseProxy*, const btBroadphaseProxy*>, const btCollisionAlgorithm*> expected;
};

TEST_F( PairExchange, LeavesTheRightPairs )
{
    for ( int round = 0; round < 200; ++round )
    {
        const int ended = int( random.below( round % 3 ? 300 : 3000 ) );
        cache.getPairs().expectChanges( random.below( 2 ) ? 0 : 1000000 ); // which drops the lists, or does not
        exchange( randomPairs( ended ), randomPairs( int( random.below( 600 ) ) ) );
        if ( random.below( 2 ) )
        {
            expectSame();
        }
    }
    exchange( randomPairs( 100000 ), {} );
    expectSame();
    ASSERT_EQ( 0, cache.getNumOverlappingPairs() );
}

TEST_F( PairExchange, CleansWhatEndedAndKeepsTheRest )
{
    exchange( {}, randomPairs( 1000 ) );
    int given = 0;
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        btBroadphasePair& pair = cache.getOverlappingPairArray()[i];
        expected[{ pair.m_pProxy0, pair.m_pProxy1 }] = dispatcher.giveAlgorithm( pair );
        ++given;
    }
    const std::vector<CulletProxyPair> ended = randomPairs( 500 );
    exchange( ended, randomPairs( 300 ) );
    expectSame();
    exchange( randomPairs( 100000 ), {} );
    EXPECT_EQ( given, dispatcher.freed );
    EXPECT_EQ( given, dispatcher.destroyed );
}

/// As a callback that is told of a contact's end might.
TEST_F( PairExchange, IsOverWhenTheCacheIsChangedMeanwhile )
{
    const std::vector<CulletProxyPair> pairs = randomPairs( 100 );
    exchange( {}, pairs );
    cache.startExchange();
    cache.cleanEnded( pairs.data(), 10, nullptr );
    cache.removeOverlappingPair( pairs[20].m_pProxy0, pairs[20].m_pProxy1, nullptr );
    expected.erase( { pairs[20].m_pProxy0, pairs[20].m_pProxy1 } );
    EXPECT_FALSE( cache.vacateEnded( 0 ) );
    expectSame();
    exchange( { pairs[5] }, { pairs[20] } );
    expectSame();
}
