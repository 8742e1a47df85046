// SPDX-License-Identifier: Zlib
// CulletPairCache beside btHashedOverlappingPairCache: the same calls leave the same array, in the same order, and call
// filter and ghost callbacks alike. Callbacks may edit the cache in the middle of a call.
#include "couple.h"
#include "pair_cache/CulletPairCache.h"
#include "pair_list.h"
#include "tests/bullet/support/block_count.h"

#include <algorithm>
#include <map>
#include <set>

using namespace test;

namespace
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

    /// Announces no changes or a million to the cache, at random. For a million it drops its lists of proxies' pairs.
    void announceManyChangesOrNone()
    {
        ours.getPairs().expectChanges( random.below( 2 ) ? 0 : 1000000 );
    }

    /// Compares the pairs, in any order, and each proxy's list with its pairs in the array.
    void expectSamePairs()
    {
        ASSERT_EQ( stock.getNumOverlappingPairs(), ours.getNumOverlappingPairs() );
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
            std::vector<int> places( std::size_t( listed.size() ) );
            std::copy_n( listed.size() > 0 ? &listed[0] : nullptr, listed.size(), places.begin() );
            ASSERT_EQ( expected[&proxy], places );
        }
    }

    std::vector<btBroadphaseProxy> proxies;
    Random random{ 1 };
    CulletPairCache ours;
    btHashedOverlappingPairCache stock;
    CountingDispatcher dispatcher;
};

/// `count` bodies in one place.
struct Pile : Arena
{
    explicit Pile( int count, btDispatcher* dispatcher = nullptr ) : Arena( culletAuto, 1, 1, dispatcher )
    {
        bodies.createAt( cube( 0, 0, 0, 1 ), count );
    }

    /// Gives each pair an algorithm.
    void giveAlgorithms( CountingDispatcher& dispatcher )
    {
        for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
        {
            dispatcher.giveAlgorithm( cache.getOverlappingPairArray()[i] );
        }
    }
};

} // namespace

/// Single calls, batches, and functions of the base class that call the overrides; with and without a filter callback,
/// and after the application has reserved the array, which breaks Bullet's own cache.
TEST_F( PairCache, RandomCallsMatchBulletsCache )
{
    GhostLog ourLog, stockLog;
    Filter filter( eitherSideAccepts );
    ours.setInternalGhostPairCallback( &ourLog );
    static_cast<btOverlappingPairCache&>( stock ).setInternalGhostPairCallback( &stockLog );
    ours.getOverlappingPairArray().reserve( 2001 );
    int most = 0;
    for ( int round = 0; round < 60; ++round )
    {
        const bool mayAdd = round / 15 % 2 == 0; // the cache grows, shrinks, grows …
        both(
            [&]( btOverlappingPairCache& cache )
            {
                EXPECT_FALSE( cache.hasDeferredRemoval() );
                cache.setOverlapFilterCallback( round < 30 ? nullptr : &filter );
                EXPECT_EQ( round < 30 ? nullptr : &filter, cache.getOverlapFilterCallback() );
            } );
        for ( const CulletProxyPair& pair : randomPairs( 500 ) )
        {
            const bool isAdded = random.below( 100 ) < ( mayAdd ? 60 : 40 );
            std::vector<void*> results;
            both(
                [&]( btOverlappingPairCache& cache )
                {
                    if ( isAdded )
                    {
                        btBroadphasePair* added = cache.addOverlappingPair( pair.m_pProxy1, pair.m_pProxy0 );
                        results.push_back( added ? added->m_internalInfo1 : this );
                        EXPECT_EQ( added, cache.findPair( pair.m_pProxy0, pair.m_pProxy1 ) );
                        added ? void( added->m_internalInfo1 = pair.m_pProxy0 ) : void();
                    }
                    else
                    {
                        results.push_back( cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr ) );
                    }
                } );
            ASSERT_EQ( results[0], results[1] );
        }
        for ( int count : { 0, 1, 31, 32, 33, 500, 2000 } )
        {
            const std::vector<CulletProxyPair> pairs = randomPairs( count );
            const bool isAdded = mayAdd && random.below( 2 );
            btAlignedObjectArray<CulletProxyPair> rejected;
            announceManyChangesOrNone();
            isAdded ? ours.addPairs( pairs.data(), count, rejected ) : ours.removePairs( pairs.data(), count, nullptr );
            for ( const CulletProxyPair& pair : pairs )
            {
                isAdded ? void( stock.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) )
                        : void( stock.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr ) );
            }
        }
        btBroadphaseProxy* proxy = &proxies[random.below( 200 )];
        both(
            [&]( btOverlappingPairCache& cache )
            {
                cache.removeOverlappingPairsContainingProxy( proxy, nullptr );
                walkPairs( cache, []( const btBroadphasePair& pair )
                           { return ( pair.m_pProxy0->m_uniqueId + pair.m_pProxy1->m_uniqueId ) % 11 == 0; } );
                round % 8 == 0 ? cache.sortOverlappingPairs( nullptr ) : void();
            } );
        ours.getPairs().giveBack();
        expectSamePairs();
        for ( int i = 0; i < stock.getNumOverlappingPairs(); ++i )
        {
            ASSERT_EQ( stock.getOverlappingPairArrayPtr()[i], ours.getOverlappingPairArrayPtr()[i] );
        }
        ASSERT_TRUE( stockLog.calls == ourLog.calls );
        most = std::max( most, ours.getNumOverlappingPairs() );
    }
    ASSERT_GT( most, 3000 );
}

/// When few of many pairs are left, memory is freed, and the remaining pairs keep their places in the array.
TEST_F( PairCache, FreesMemoryWhenFewPairsAreLeft )
{
    for ( const CulletProxyPair& pair : randomPairs( 20000 ) )
    {
        both( [&]( btOverlappingPairCache& cache ) { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
    }
    const int many = ours.getNumOverlappingPairs();
    ASSERT_GT( many, 4 * CulletPairArray::MANY );
    for ( int left : { many / 2, many / 5, 20, 0 } )
    {
        while ( ours.getNumOverlappingPairs() > left )
        {
            const btBroadphasePair pair = ours.getOverlappingPairArray()[0];
            both( [&]( btOverlappingPairCache& cache )
                  { cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr ); } );
        }
        ours.getPairs().giveBack();
        EXPECT_EQ( left == many / 2, ours.getOverlappingPairArray().capacity() >= many );
        expectSamePairs();
    }
}

/// The array, its index and the lists of the proxies' pairs.
TEST( PairCacheMemory, IsFreedWhenNoPairIsLeft )
{
    const BlockCount blocks;
    std::vector<btBroadphaseProxy> proxies( 4000 );
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        proxies[i] = btBroadphaseProxy( btVector3( 0, 0, 0 ), btVector3( 1, 1, 1 ), nullptr, 1, 1 );
        proxies[i].m_uniqueId = int( i ) + 1;
    }
    CulletPairCache cache;
    const size_t heldBefore = blocks.held();
    for ( size_t i = 1; i < proxies.size(); ++i )
    {
        cache.addOverlappingPair( &proxies[i - 1], &proxies[i] );
    }
    EXPECT_TRUE( cache.getPairs().hasPairs( &proxies[0] ) ); // makes the lists
    EXPECT_LT( heldBefore + proxies.size() * ( sizeof( btBroadphasePair ) + 3 * sizeof( int ) ), blocks.held() );
    for ( size_t i = 1; i < proxies.size(); ++i )
    {
        cache.removeOverlappingPair( &proxies[i - 1], &proxies[i], nullptr );
    }
    cache.getPairs().giveBack();
    EXPECT_GE( heldBefore + 1024, blocks.held() );
}

/// In an exchange, begun pairs take the places of ended ones. It leaves the same pairs as single calls, but reordered.
class PairExchange : public PairCache
{
protected:
    bool replace( const std::vector<CulletProxyPair>& ended, const std::vector<CulletProxyPair>& began )
    {
        return ours.getExchange()->replace( PairList{ ended }, PairList{ began }, &dispatcher, [] { return true; } );
    }

    /// \param ended  pairs that are in `began` too are ignored
    void exchange( std::vector<CulletProxyPair> ended, const std::vector<CulletProxyPair>& began )
    {
        std::set<uint64_t> begun;
        for ( const CulletProxyPair& pair : began )
        {
            begun.insert( pair.getUids() );
        }
        const auto hasBegun = [&]( const CulletProxyPair& pair ) { return begun.count( pair.getUids() ) != 0; };
        ended.erase( std::remove_if( ended.begin(), ended.end(), hasBegun ), ended.end() );
        ASSERT_TRUE( replace( ended, began ) );
        for ( const CulletProxyPair& pair : ended )
        {
            stock.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
        }
        for ( const CulletProxyPair& pair : began )
        {
            stock.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
        }
    }

    /// Distinct random pairs that the filter accepts, at most `count`. Some may be in the cache already.
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
};

TEST_F( PairExchange, LeavesTheSamePairsAsSingleCallsAndFreesAlgorithms )
{
    int given = 0;
    for ( int round = 0; round < 100; ++round )
    {
        announceManyChangesOrNone();
        exchange( acceptedPairs( int( random.below( round % 3 ? 3000 : 30000 ) ) ),
                  acceptedPairs( int( random.below( 6000 ) ) ) );
        for ( int i = 0; i < ours.getNumOverlappingPairs() && round % 10 == 0; ++i )
        {
            btBroadphasePair& pair = ours.getOverlappingPairArray()[i];
            if ( !pair.m_algorithm )
            {
                stock.findPair( pair.m_pProxy0, pair.m_pProxy1 )->m_algorithm = dispatcher.giveAlgorithm( pair );
                ++given;
            }
        }
        if ( round % 2 )
        {
            expectSamePairs();
        }
    }
    exchange( acceptedPairs( 1000000 ), {} );
    ASSERT_EQ( 0, ours.getNumOverlappingPairs() );
    EXPECT_GT( given, 100 );
    EXPECT_EQ( given, dispatcher.freed );
}

/// While a pair is cleaned, the cache is changed, as a callback about the end of a contact may do, or a proxy without
/// pairs is destroyed. The pairs before it have left the cache, and the cache is whole.
TEST_F( PairExchange, EndsWhenTheDispatcherChangesTheCacheOrDestroysAProxy )
{
    for ( const bool isChanged : { true, false } )
    {
        const std::vector<CulletProxyPair> pairs = acceptedPairs( 10000 );
        ASSERT_LT( 100, pairs.size() );
        exchange( {}, pairs );
        EditingDispatcher editing;
        btBroadphasePair* const cleaned = ours.findPair( pairs[5].m_pProxy0, pairs[5].m_pProxy1 );
        cleaned->m_algorithm = editing.giveAlgorithm( *cleaned );
        bool isDestroyed = false;
        editing.edit = [&]
        {
            isDestroyed = !isChanged;
            EXPECT_EQ( cleaned, ours.findPair( pairs[5].m_pProxy0, pairs[5].m_pProxy1 ) );
            if ( isChanged )
            {
                both( [&]( btOverlappingPairCache& cache )
                      { cache.removeOverlappingPair( pairs[20].m_pProxy0, pairs[20].m_pProxy1, nullptr ); } );
            }
        };
        const std::vector<CulletProxyPair> ended( &pairs[0], &pairs[0] + 50 );
        EXPECT_FALSE(
            ours.getExchange()->replace( PairList{ ended }, PairList{ {} }, &editing, [&] { return !isDestroyed; } ) );
        EXPECT_EQ( 1, editing.freed );
        for ( int i = 0; i < 5; ++i )
        {
            stock.removeOverlappingPair( pairs[i].m_pProxy0, pairs[i].m_pProxy1, nullptr );
        }
        expectSamePairs();
        exchange( pairs, {} );
    }
}

/// While pairs are cleaned, an edit moves pairs that are not cleaned yet in the array, or destroys one of their bodies.
TEST( PairCacheInABroadphase, AllowsEditsWhenAnAlgorithmIsFreed )
{
    for ( const bool isDestroyed : { false, true } )
    {
        EditingDispatcher dispatcher;
        Pile pile( 6, &dispatcher );
        pile.giveAlgorithms( dispatcher );
        btBroadphasePairArray& pairs = pile.cache.getOverlappingPairArray();
        btBroadphaseProxy* first = pile.proxy( 0 );
        dispatcher.edit = [&]
        {
            if ( isDestroyed )
            {
                pile.bodies.destroy( 5 );
                return;
            }
            pile.cache.removeOverlappingPair( first, pile.proxy( 1 ), nullptr );
            pile.cache.removeOverlappingPair( first, pile.proxy( 2 ), nullptr );
        };
        pile.cache.cleanProxyFromPairs( first, &dispatcher );
        EXPECT_EQ( isDestroyed ? 10 : 13, pairs.size() );
        EXPECT_EQ( isDestroyed ? 9 : 4, dispatcher.freed );
        for ( int i = 0; i < pairs.size(); ++i )
        {
            EXPECT_EQ( pairs[i].m_pProxy0 == first, pairs[i].m_algorithm == nullptr ) << i;
            pile.cache.cleanOverlappingPair( pairs[i], &dispatcher );
        }
    }
}

/// While the application adds a pair of separate boxes, the filter moves them together, so that the pair is found.
TEST( PairCacheInABroadphase, AllowsTheFilterToMakeThePairThatIsBeingAdded )
{
    Couple couple;
    Filter filter(
        [&]( const auto&, const auto& )
        {
            couple.meet();
            return true;
        } );
    couple.cache.setOverlapFilterCallback( &filter );
    const btBroadphasePair* added = couple.cache.addOverlappingPair( couple.proxy( 0 ), couple.proxy( 1 ) );
    EXPECT_EQ( 1, couple.pairCount() );
    EXPECT_EQ( couple.cache.findPair( couple.proxy( 0 ), couple.proxy( 1 ) ), added );
    couple.cache.setOverlapFilterCallback( nullptr );
}

/// While the application removes pairs, a callback creates a body that joins them, or runs an update. The next update
/// brings all pairs back.
TEST( PairCacheInABroadphase, ComesRoundAfterPairsWereRemovedAndACallbackIntervened )
{
    for ( const bool isCreated : { false, true } )
    {
        for ( const bool areAllRemoved : { false, true } )
        {
            EditingDispatcher dispatcher;
            Pile pile( 6, &dispatcher );
            pile.giveAlgorithms( dispatcher );
            dispatcher.edit = [&]
            {
                if ( isCreated )
                {
                    pile.bodies.create( cube( 0, 0, 0, 1 ) );
                    pile.pairCount(); // reads the cache, which then has the new pairs
                }
                else
                {
                    pile.bodies.update();
                }
            };
            areAllRemoved ? pile.cache.removeOverlappingPairsContainingProxy( pile.proxy( 2 ), &dispatcher )
                          : (void)pile.cache.removeOverlappingPair( pile.proxy( 2 ), pile.proxy( 3 ), &dispatcher );
            EXPECT_LT( 0, dispatcher.freed );
            pile.bodies.update();
            EXPECT_TRUE( pile.hasExactPairs() ) << isCreated << areAllRemoved;
            pile.bodies.destroyAll();
        }
    }
}

/// While the pairs of a destroyed body are removed, a ghost callback removes one of them, and a pair of other bodies.
TEST( PairCacheInABroadphase, AllowsEditsByAGhostCallbackWhileABodyIsDestroyed )
{
    Pile pile( 7 );
    bool isEdited = false;
    GhostFunctions ghost( []( const auto&, const auto& ) {},
                          [&]( const auto&, const auto& )
                          {
                              if ( !isEdited )
                              {
                                  isEdited = true;
                                  pile.cache.removeOverlappingPair( pile.proxy( 2 ), pile.proxy( 3 ), nullptr );
                                  pile.cache.removeOverlappingPair( pile.proxy( 1 ), pile.proxy( 6 ), nullptr );
                              }
                          } );
    pile.cache.setInternalGhostPairCallback( &ghost );
    pile.bodies.destroy( 1 );
    EXPECT_EQ( 14, pile.cache.getNumOverlappingPairs() ) << "of six bodies, but one";
    pile.bodies.update();
    EXPECT_TRUE( pile.hasExactPairs() );
    pile.cache.setInternalGhostPairCallback( nullptr );
}

/// Different pairs with the same hash, which are rare.
/// A table of two buckets. Entries of the first one overflow into the second, then the other way round, so that each
/// bucket was passed.
TEST( PairIndex, EndsASearchAfterAllBuckets )
{
    const auto hashOf = []( int bucket, uint32_t place )
    { return uint32_t( bucket ) << 31 | ( place + 1u + 100u * uint32_t( bucket ) ); };
    CulletPairIndex index;
    index.reserve( 18, 0, []( int ) { return 0u; } );
    for ( uint32_t place = 0; place < 13; ++place )
    {
        index.insert( hashOf( 0, place ), place );
    }
    for ( uint32_t place = 0; place < 8; ++place )
    {
        index.erase( hashOf( 0, place ), place );
    }
    for ( uint32_t place = 13; place < 25; ++place )
    {
        index.insert( hashOf( 1, place ), place );
    }
    for ( uint32_t place = 0; place < 100; ++place )
    {
        for ( const int bucket : { 0, 1 } )
        {
            const auto isWanted = [place]( uint32_t found ) { return found == place; };
            const bool isPresent = bucket == 0 ? place >= 8 && place < 13 : place >= 13 && place < 25;
            const uint32_t expected = isPresent ? place : +CulletPairIndex::NONE;
            EXPECT_EQ( expected, index.find( hashOf( bucket, place ), isWanted ) );
        }
    }
}

TEST( PairIndex, DistinguishesPairsOfEqualHash )
{
    std::vector<btBroadphaseProxy> world( 100000 );
    for ( size_t i = 0; i < world.size(); ++i )
    {
        world[i].m_uniqueId = int( i + 1 );
    }
    Random random( 1 );
    std::map<uint32_t, CulletProxyPair> known;
    int collisionCount = 0;
    for ( int i = 0; i < 500000; ++i )
    {
        btBroadphaseProxy &first = world[random.below( 50000 )], &second = world[50000 + random.below( 50000 )];
        const CulletProxyPair b = { &first, &second };
        const CulletProxyPair a = known.emplace( CulletPairArray::hashOf( b ), b ).first->second;
        if ( a.m_pProxy0 == b.m_pProxy0 && a.m_pProxy1 == b.m_pProxy1 )
        {
            continue;
        }
        ++collisionCount;
        CulletPairCache cache;
        cache.addAccepted( a );
        EXPECT_EQ( nullptr, cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
        cache.addAccepted( b );
        cache.removeOverlappingPair( a.m_pProxy0, a.m_pProxy1, nullptr );
        EXPECT_EQ( nullptr, cache.findPair( a.m_pProxy0, a.m_pProxy1 ) );
        EXPECT_EQ( cache.getOverlappingPairArrayPtr(), cache.findPair( b.m_pProxy0, b.m_pProxy1 ) );
    }
    EXPECT_GT( collisionCount, 5 ) << "about 29 are to be expected";
}

/// Worlds are created in raster order, and proxies lie in memory in that order: neighbours are one proxy, a row or a
/// layer apart. With as many buckets as pairs, random hashes would fill 1 - 1/e of the buckets.
TEST( PairIndex, SpreadsRasterOrderLikeRandom )
{
    for ( uintptr_t size : { 56u, 64u, 80u, 112u } )
    {
        for ( uintptr_t distance : { 1u, 256u, 65536u } )
        {
            std::set<uint32_t> buckets;
            for ( uintptr_t proxy = 0x20000; proxy < 0x20000 + 65536 * size; proxy += size )
            {
                buckets.insert( CulletPairIndex::hash( reinterpret_cast<const void*>( proxy ),
                                                       reinterpret_cast<const void*>( proxy + distance * size ) ) >>
                                16 );
            }
            EXPECT_NEAR( 0.632, double( buckets.size() ) / 65536, 0.01 ) << size << " " << distance;
        }
    }
}
