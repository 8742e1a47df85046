// SPDX-License-Identifier: Zlib
// Merging pairs into the sorted array of CulletPairCache: the pairs, their order and their algorithms beside a map, and
// when a merge is chosen. The dispatcher may edit the cache while ended pairs are cleaned.
#include "pair_list.h"
#include "tests/bullet/support/rig.h"
#include "tests/bullet/support/test_doubles.h"

#include "pair_cache/CulletPairCache.h"

#include <atomic>
#include <map>
#include <set>
#include <thread>

using namespace test;

namespace
{

class PairMerge : public testing::Test
{
protected:
    typedef std::vector<CulletProxyPair> Pairs;

    PairMerge()
    {
        for ( int i = 0; i < 60; ++i )
        {
            proxies[i] = btBroadphaseProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1, 1 );
            proxies[i].m_uniqueId = 1 + 3 * i + i % 2;
        }
    }

    /// Each pair of the first `bodyCount` proxies with the given probability, ascending by uids.
    Pairs choose( double share, int bodyCount = 60 )
    {
        Pairs pairs;
        for ( int i = 0; i < bodyCount; ++i )
        {
            for ( int j = i + 1; j < bodyCount; ++j )
            {
                if ( random.between( 0, 1 ) < share )
                {
                    pairs.push_back( { &proxies[i], &proxies[j] } );
                }
            }
        }
        return pairs;
    }

    /// Merges, also into `expected`, and compares. \param ended  pairs that are in `began` too are left out
    void merge( Pairs ended, const Pairs& began )
    {
        std::set<uint64_t> keys;
        for ( const CulletProxyPair& pair : began )
        {
            keys.insert( pair.getUids() );
        }
        const auto hasBegun = [&]( const CulletProxyPair& pair ) { return keys.count( pair.getUids() ) != 0; };
        ended.erase( std::remove_if( ended.begin(), ended.end(), hasBegun ), ended.end() );
        for ( const CulletProxyPair& pair : ended )
        {
            const auto found = expected.find( pair.getUids() );
            expectedFreed += found != expected.end() && found->second != nullptr;
            expected.erase( pair.getUids() );
        }
        for ( const uint64_t key : keys )
        {
            expected.insert( { key, nullptr } );
        }
        ours.getMerge()->replace( PairList{ ended }, PairList{ began }, dispatcher.get() );
        expectPairs();
    }

    void expectPairs()
    {
        ASSERT_EQ( expectedFreed, dispatcher->freed );
        ASSERT_EQ( int( expected.size() ), ours.getNumOverlappingPairs() );
        int place = 0;
        for ( const auto& [key, algorithm] : expected ) // ascending
        {
            const btBroadphasePair& pair = ours.getOverlappingPairArrayPtr()[place++];
            ASSERT_EQ( key, culletPairOf( pair.m_pProxy0, pair.m_pProxy1 ).getUids() );
            ASSERT_EQ( algorithm, pair.m_algorithm );
        }
    }

    void giveAlgorithms( uint32_t oneIn )
    {
        for ( int i = 0; i < ours.getNumOverlappingPairs(); ++i )
        {
            btBroadphasePair& pair = ours.getOverlappingPairArray()[i];
            if ( !pair.m_algorithm && random.below( oneIn ) == 0 )
            {
                pair.m_algorithm = dispatcher->giveAlgorithm( pair );
                expected[culletPairOf( pair.m_pProxy0, pair.m_pProxy1 ).getUids()] = pair.m_algorithm;
            }
        }
    }

    /// Single calls, after which the array counts as unordered.
    void changeOften()
    {
        for ( int i = 0; i <= CulletPairOrder::MOST_UNSORTED; ++i )
        {
            ours.addOverlappingPair( &proxies[1], &proxies[2] );
            ours.removeOverlappingPair( &proxies[1], &proxies[2], nullptr );
        }
    }

    /// Adds and removes some pairs by single calls or by an exchange, also in `expected`. The pairs are then unsorted.
    void changeSome( bool isExchanged )
    {
        Pairs ended, began;
        for ( const CulletProxyPair& pair : choose( 0.02 ) )
        {
            const auto found = expected.find( pair.getUids() );
            if ( found == expected.end() )
            {
                began.push_back( pair );
                expected.insert( { pair.getUids(), nullptr } );
                continue;
            }
            ended.push_back( pair );
            expectedFreed += found->second != nullptr;
            expected.erase( found );
        }
        if ( isExchanged )
        {
            ours.getExchange()->replace( PairList{ ended }, PairList{ began }, dispatcher.get(), [] { return true; } );
            return;
        }
        ours.removePairs( ended.data(), int( ended.size() ), dispatcher.get() );
        btAlignedObjectArray<CulletProxyPair> rejected;
        ours.addPairs( began.data(), int( began.size() ), rejected );
    }

    /// Whether a million changes would be merged.
    bool isFaster()
    {
        return ours.getMerge()->isFaster( 1000000 );
    }

    void passSteps( int count )
    {
        for ( int i = 0; i < count; ++i )
        {
            ours.expectChanges( 1000000 );
        }
    }

    btBroadphaseProxy proxies[60];
    Random random{ 1 };
    CulletPairCache ours;
    std::map<uint64_t, btCollisionAlgorithm*> expected;
    int expectedFreed = 0;
    std::unique_ptr<CountingDispatcher> dispatcher = std::make_unique<CountingDispatcher>();
};

} // namespace

TEST_F( PairMerge, SortsTheArrayAndFreesAlgorithmsOfEndedPairs )
{
    for ( int round = 0; round < 200; ++round )
    {
        if ( round % 3 > 0 )
        {
            changeSome( round % 3 == 1 );
        }
        const double endedShare = round % 5 == 4 ? 0.95 : 0.3, begunShare = round % 5 == 0 ? 0.9 : 0.2;
        ASSERT_NO_FATAL_FAILURE( merge( choose( endedShare ), choose( begunShare ) ) ); // some absent, some present
        giveAlgorithms( 3 );
    }
    ASSERT_LT( 1000, expectedFreed );
    merge( choose( 1 ), {} );
    EXPECT_EQ( 0, ours.getNumOverlappingPairs() );
}

/// All pairs begin before those that end, so that all wait in the queue; then the other way round.
TEST_F( PairMerge, CarriesAnyNumberOfPairsAlong )
{
    const Pairs all = choose( 1 );
    const Pairs first( all.begin(), all.begin() + 800 ), last( all.begin() + 900, all.end() );
    const Pairs middle( all.begin() + 800, all.begin() + 900 );
    for ( int round = 0; round < 4; ++round )
    {
        ASSERT_NO_FATAL_FAILURE( merge( {}, last ) );
        ASSERT_NO_FATAL_FAILURE( merge( {}, middle ) );
        ASSERT_NO_FATAL_FAILURE( merge( last, first ) );
        ASSERT_NO_FATAL_FAILURE( merge( first, last ) );
        ASSERT_NO_FATAL_FAILURE( merge( choose( 1 ), {} ) );
    }
}

/// The index is built by the first search after a merge, and single calls keep working.
TEST_F( PairMerge, LeavesACacheThatFindsAddsAndRemovesPairs )
{
    for ( int round = 0; round < 20; ++round )
    {
        merge( choose( 0.4 ), choose( 0.4 ) );
        for ( const CulletProxyPair& pair : choose( round % 2 ? 0.05 : 1 ) )
        {
            const btBroadphasePair* found = ours.findPair( pair.m_pProxy0, pair.m_pProxy1 );
            ASSERT_EQ( expected.count( pair.getUids() ), found != nullptr );
            ASSERT_TRUE( !found || ( found->m_pProxy0 == pair.m_pProxy0 && found->m_pProxy1 == pair.m_pProxy1 ) );
        }
        merge( choose( 1 ), {} );
        for ( const CulletProxyPair& pair : choose( 0.3 ) )
        {
            ours.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
        for ( const CulletProxyPair& pair : choose( 1 ) )
        {
            ours.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, dispatcher.get() );
        }
        ASSERT_EQ( 0, ours.getNumOverlappingPairs() );
    }
}

TEST_F( PairMerge, RemovesThePairsOfAProxyWithoutAnIndex )
{
    merge( {}, choose( 0.5 ) );
    for ( btBroadphaseProxy& proxy : proxies )
    {
        ours.removePairsOf( &proxy, dispatcher.get() );
        for ( int i = 0; i < ours.getNumOverlappingPairs(); ++i )
        {
            const btBroadphasePair& pair = ours.getOverlappingPairArrayPtr()[i];
            ASSERT_TRUE( pair.m_pProxy0 != &proxy && pair.m_pProxy1 != &proxy );
        }
    }
    EXPECT_EQ( 0, ours.getNumOverlappingPairs() );
}

TEST_F( PairMerge, IsChosenForASortedArrayWithoutSearches )
{
    EXPECT_TRUE( isFaster() ) << "empty";
    merge( {}, choose( 0.5 ) );
    EXPECT_TRUE( isFaster() );
    EXPECT_FALSE( ours.getMerge()->isFaster( expected.size() / 4 ) ) << "few changes";
    for ( int round = 0; round < 2 && CulletPairArray::QUIET > 0; ++round ) // the first search builds the index
    {
        EXPECT_EQ( round > 0, ours.getPairs().isIndexed() );
        ours.findPair( &proxies[0], &proxies[1] );
        passSteps( CulletPairArray::QUIET );
        EXPECT_FALSE( isFaster() );
        passSteps( 1 );
        EXPECT_TRUE( isFaster() );
    }
    ours.removePairsOf( &proxies[0], nullptr );
    passSteps( CulletPairArray::QUIET + 1 );
    EXPECT_TRUE( isFaster() ) << "few pairs are unsorted";
    changeOften();
    passSteps( CulletPairArray::QUIET + 1 );
    EXPECT_FALSE( isFaster() );
    for ( btBroadphaseProxy& proxy : proxies )
    {
        ours.removePairsOf( &proxy, nullptr );
    }
    EXPECT_TRUE( isFaster() );
}

/// Else steps with about as many changes as a merge needs would build the index each time after a merge dropped it.
TEST_F( PairMerge, IsNotChosenSoonAfterAnExchangeHadToBuildTheIndex )
{
    const Pairs pairs = choose( 0.5 );
    merge( {}, pairs );
    ours.getExchange()->replace( PairList{ { pairs[0] } }, PairList{ {} }, nullptr, [] { return true; } );
    passSteps( 1 );
    EXPECT_EQ( CulletPairArray::QUIET > 0, ours.getPairs().isIndexInUse() );
    passSteps( CulletPairArray::QUIET );
    EXPECT_FALSE( ours.getPairs().isIndexInUse() );
}

/// When the first algorithm is freed, a callback destroys a body. Its other pairs ended too; they are cleaned before
/// it is gone, and not again.
TEST_F( PairMerge, CleansEndedPairsOfABodyThatACallbackDestroys )
{
    EditingDispatcher* const editing = new EditingDispatcher;
    dispatcher.reset( editing );
    const Pairs pairs = choose( 1, 10 );
    merge( {}, pairs );
    giveAlgorithms( 1 );
    editing->edit = [&]
    {
        EXPECT_EQ( 0, ours.getNumOverlappingPairs() );
        ours.cleanProxyFromPairs( &proxies[8], nullptr ); // frees nothing
        EXPECT_EQ( 1, editing->freed );
        ours.removePairsOf( &proxies[9], editing );
        EXPECT_EQ( 1 + 9, editing->freed );
    };
    merge( pairs, {} );
    EXPECT_EQ( int( pairs.size() ), editing->freed );
}

/// An array that stays empty, and one that changes by single calls, need no keys.
TEST_F( PairMerge, GivesBackMemory )
{
    for ( const bool isEmptied : { true, false } )
    {
        merge( {}, choose( 1 ) );
        passSteps( 1 );
        EXPECT_LT( 0, ours.getMerge()->getKeptCount() );
        isEmptied ? merge( choose( 1 ), {} ) : changeOften();
        passSteps( 1 );
        EXPECT_EQ( 0, ours.getMerge()->getKeptCount() );
    }
}

TEST_F( PairMerge, LetsThreadsFindPairsAtOnce )
{
    for ( int round = 0; round < 20; ++round )
    {
        merge( choose( 0.5 ), choose( 0.5 ) );
        std::vector<std::thread> threads;
        std::atomic<size_t> foundCount{ 0 };
        for ( int thread = 0; thread < 4; ++thread )
        {
            threads.emplace_back(
                [&]
                {
                    for ( int i = 0; i < 60; ++i )
                    {
                        for ( int j = i + 1; j < 60; ++j )
                        {
                            foundCount += ours.findPair( &proxies[i], &proxies[j] ) != nullptr;
                        }
                    }
                } );
        }
        for ( std::thread& thread : threads )
        {
            thread.join();
        }
        ASSERT_EQ( 4 * expected.size(), foundCount );
    }
}
