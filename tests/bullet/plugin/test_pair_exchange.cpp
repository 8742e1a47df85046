// SPDX-License-Identifier: Zlib
// CulletPairExchange, where begun pairs take the places of ended ones: it leaves the same set as single calls, in
// another order, because only the last pairs of the array move.
#include "pair_cache.h"

using namespace test;

class PairExchange : public PairCache
{
protected:
    void exchange( const std::vector<CulletProxyPair>& ended, const std::vector<CulletProxyPair>& began )
    {
        ours.getExchange()->start();
        ours.getExchange()->noteEnded( ended.data(), int( ended.size() ), &dispatcher );
        ASSERT_TRUE( ours.getExchange()->open( began.size() ) );
        ours.getExchange()->putBegan( began.data(), int( began.size() ) );
        ours.getExchange()->finish();
        for ( const CulletProxyPair& pair : ended )
        {
            stock.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
        }
        for ( const CulletProxyPair& pair : began )
        {
            stock.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }

    /// Different pairs that the filter accepts; among a few hundred, some are present already.
    std::vector<CulletProxyPair> acceptedPairs( int count )
    {
        std::map<uint64_t, CulletProxyPair> chosen;
        for ( const CulletProxyPair& pair : randomPairs( count ) )
        {
            if ( pair.m_pProxy1 < &proxies[40] && stock.needsBroadphaseCollision( pair.m_pProxy0, pair.m_pProxy1 ) )
            {
                chosen[pair.getUids()] = pair;
            }
        }
        std::vector<CulletProxyPair> pairs;
        for ( const auto& pair : chosen )
        {
            pairs.push_back( pair.second );
        }
        return pairs;
    }

    CountingDispatcher dispatcher;
};

TEST_F( PairExchange, LeavesTheSamePairsAsSingleCalls )
{
    for ( int round = 0; round < 200; ++round )
    {
        const int ended = int( random.below( round % 3 ? 3000 : 30000 ) );
        expectManyChangesOrNone();
        exchange( acceptedPairs( ended ), acceptedPairs( int( random.below( 6000 ) ) ) );
        if ( random.below( 2 ) )
        {
            expectSamePairs();
        }
    }
    exchange( acceptedPairs( 1000000 ), {} );
    expectSamePairs();
    ASSERT_EQ( 0, ours.getNumOverlappingPairs() );
}

TEST_F( PairExchange, CleansEndedPairsAndKeepsTheOthers )
{
    exchange( {}, acceptedPairs( 10000 ) );
    const int given = ours.getNumOverlappingPairs();
    ASSERT_GT( given, 100 );
    for ( int i = 0; i < given; ++i )
    {
        btBroadphasePair& pair = ours.getOverlappingPairArray()[i];
        stock.findPair( pair.m_pProxy0, pair.m_pProxy1 )->m_algorithm = dispatcher.giveAlgorithm( pair );
    }
    exchange( acceptedPairs( 5000 ), acceptedPairs( 3000 ) );
    expectSamePairs();
    EXPECT_LT( dispatcher.freed, given );
    exchange( acceptedPairs( 1000000 ), {} );
    EXPECT_EQ( given, dispatcher.freed );
    EXPECT_EQ( given, dispatcher.destroyed );
}

/// As a callback about the end of a contact might do.
TEST_F( PairExchange, FailsWhenTheCacheIsChangedMeanwhile )
{
    const std::vector<CulletProxyPair> pairs = acceptedPairs( 10000 );
    exchange( {}, pairs );
    ours.getExchange()->start();
    ours.getExchange()->noteEnded( pairs.data(), 10, nullptr );
    both( [&]( btOverlappingPairCache& cache )
          { cache.removeOverlappingPair( pairs[20].m_pProxy0, pairs[20].m_pProxy1, nullptr ); } );
    EXPECT_FALSE( ours.getExchange()->open( 0 ) );
    expectSamePairs();
    exchange( { pairs[5] }, { pairs[20] } );
    expectSamePairs();
}
