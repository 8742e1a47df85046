// SPDX-License-Identifier: Zlib
// CulletPairCache beside btHashedOverlappingPairCache: the same calls must leave the same array, in the same order, and
// call filter and ghost callbacks alike.
#include "pair_cache.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

using namespace test;

class PairCacheInOrder : public PairCache
{
protected:
    PairCacheInOrder()
    {
        ours.setInternalGhostPairCallback( &ourLog );
        static_cast<btOverlappingPairCache&>( stock ).setInternalGhostPairCallback( &stockLog );
    }

    void expectSame()
    {
        expectSamePairs();
        for ( int i = 0; i < stock.getNumOverlappingPairs(); ++i )
        {
            ASSERT_EQ( stock.getOverlappingPairArrayPtr()[i], ours.getOverlappingPairArrayPtr()[i] );
        }
        ASSERT_TRUE( stockLog.calls == ourLog.calls );
    }

    GhostLog ourLog, stockLog;
    btAlignedObjectArray<CulletProxyPair> rejected;
};

TEST_F( PairCacheInOrder, SingleOperationsMatch )
{
    for ( int i = 0; i < 30000; ++i )
    {
        const CulletProxyPair pair = randomPair();
        const bool add = random.below( 100 ) < ( i / 5000 % 2 ? 40 : 60 ); // the cache grows, shrinks, grows …
        both(
            [&]( btOverlappingPairCache& cache )
            {
                if ( add )
                {
                    btBroadphasePair* added = cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 );
                    if ( added )
                    {
                        added->m_internalInfo1 = pair.m_pProxy0;
                    }
                }
                else
                {
                    cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr );
                }
            } );
        ASSERT_EQ( stock.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != nullptr,
                   ours.findPair( pair.m_pProxy0, pair.m_pProxy1 ) != nullptr );
        if ( i % 500 == 0 )
        {
            expectSame();
        }
    }
    expectSame();
    ASSERT_GT( ours.getNumOverlappingPairs(), 1000 );
}

TEST_F( PairCacheInOrder, ReturnValuesMatch )
{
    btBroadphaseProxy *a = &proxies[0], *b = &proxies[3], *c = &proxies[2]; // group 4 and mask 3: c pairs with none
    both(
        [&]( btOverlappingPairCache& cache )
        {
            EXPECT_EQ( nullptr, cache.findPair( a, b ) );
            EXPECT_EQ( nullptr, cache.removeOverlappingPair( a, b, nullptr ) );
            EXPECT_EQ( nullptr, cache.addOverlappingPair( a, c ) );
            btBroadphasePair* added = cache.addOverlappingPair( b, a );
            ASSERT_NE( nullptr, added );
            EXPECT_EQ( a, added->m_pProxy0 );
            EXPECT_EQ( nullptr, added->m_algorithm );
            EXPECT_EQ( nullptr, added->m_internalInfo1 );
            added->m_internalInfo1 = this;
            EXPECT_EQ( added, cache.addOverlappingPair( a, b ) ) << "the pair that is there";
            EXPECT_EQ( this, cache.removeOverlappingPair( b, a, nullptr ) );
        } );
    expectSame();
}

TEST_F( PairCacheInOrder, BatchesMatchSingleOperations )
{
    for ( int round = 0; round < 40; ++round )
    {
        for ( int count : { 0, 1, 31, 32, 33, 500, 2000 } )
        {
            const std::vector<CulletProxyPair> pairs = randomPairs( count );
            const bool add = random.below( 2 );
            rejected.resize( 0 );
            expectManyChangesOrNone();
            add ? ours.addPairs( pairs.data(), count, rejected ) : ours.removePairs( pairs.data(), count, nullptr );
            for ( const CulletProxyPair& pair : pairs )
            {
                add ? void( stock.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ) )
                    : void( stock.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr ) );
            }
        }
        expectSame();
    }
}

/// Functions of the base class that call the overrides.
TEST_F( PairCacheInOrder, InheritedOperationsMatch )
{
    Filter filter(
        []( const btBroadphaseProxy& a,
            const btBroadphaseProxy& b ) // pybullet's filter: either mask accepts the other's group
        {
            return ( a.m_collisionFilterGroup & b.m_collisionFilterMask ) != 0 ||
                   ( b.m_collisionFilterGroup & a.m_collisionFilterMask ) != 0;
        } );
    both(
        [&]( btOverlappingPairCache& cache )
        {
            EXPECT_FALSE( cache.hasDeferredRemoval() );
            cache.setOverlapFilterCallback( &filter );
            EXPECT_EQ( &filter, cache.getOverlapFilterCallback() );
        } );
    for ( int round = 0; round < 10; ++round )
    {
        for ( int i = 0; i < 1000; ++i )
        {
            const CulletProxyPair pair = randomPair();
            both( [&]( btOverlappingPairCache& cache )
                  { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
        }
        btBroadphaseProxy* proxy = &proxies[random.below( 200 )];
        both(
            [&]( btOverlappingPairCache& cache )
            {
                cache.removeOverlappingPairsContainingProxy( proxy, nullptr );
                cache.cleanProxyFromPairs( proxy, nullptr );
                walkPairs( cache, []( const btBroadphasePair& pair )
                           { return ( pair.m_pProxy0->m_uniqueId + pair.m_pProxy1->m_uniqueId ) % 3 == 0; } );
            } );
        expectSame();
        both( [&]( btOverlappingPairCache& cache ) { cache.sortOverlappingPairs( nullptr ); } );
        expectSame();
    }
    ASSERT_GT( ours.getNumOverlappingPairs(), 100 );
}

TEST_F( PairCacheInOrder, FreesAlgorithmsAsBulletDoes )
{
    CountingDispatcher dispatcher;
    for ( int i = 0; i < 100; ++i )
    {
        ours.addOverlappingPair( &proxies[size_t( i )], &proxies[size_t( i ) + 3] );
    }
    const int count = ours.getNumOverlappingPairs();
    for ( int i = 0; i < count; ++i )
    {
        dispatcher.giveAlgorithm( ours.getOverlappingPairArray()[i] );
    }
    ours.cleanProxyFromPairs( &proxies[3], &dispatcher );
    EXPECT_EQ( 2, dispatcher.freed ) << "of 0-3 and 3-6";
    EXPECT_EQ( count, ours.getNumOverlappingPairs() );
    while ( ours.getNumOverlappingPairs() > 0 )
    {
        const btBroadphasePair pair = ours.getOverlappingPairArray()[0];
        ours.removeOverlappingPair( pair.m_pProxy1, pair.m_pProxy0, &dispatcher );
    }
    EXPECT_EQ( count, dispatcher.freed );
    EXPECT_EQ( count, dispatcher.destroyed );
}

namespace
{
/// Calls `edit` when the first algorithm is freed.
struct EditingDispatcher : public CountingDispatcher
{
    void freeCollisionAlgorithm( void* memory ) override
    {
        CountingDispatcher::freeCollisionAlgorithm( memory );
        if ( freed == 1 )
        {
            edit();
        }
    }

    std::function<void()> edit;
};
} // namespace

/// The dispatcher removes other pairs when an algorithm is freed, which moves pairs that are still to be cleaned.
TEST_F( PairCacheInOrder, AllowsEditsWhenAnAlgorithmIsFreed )
{
    EditingDispatcher dispatcher;
    const std::vector<size_t> others = { 3, 6, 9, 12, 15, 18 };
    for ( size_t other : others )
    {
        dispatcher.giveAlgorithm( *ours.addOverlappingPair( &proxies[0], &proxies[other] ) );
    }
    dispatcher.giveAlgorithm( *ours.addOverlappingPair( &proxies[21], &proxies[24] ) );
    dispatcher.edit = [&]
    {
        ours.removeOverlappingPair( &proxies[0], &proxies[6], nullptr );
        ours.removeOverlappingPair( &proxies[0], &proxies[3], nullptr );
    };
    ours.cleanProxyFromPairs( &proxies[0], &dispatcher );
    EXPECT_EQ( 5, ours.getNumOverlappingPairs() );
    EXPECT_EQ( 5, dispatcher.freed ) << "of the first, and of the four that were left";
    for ( int i = 0; i < ours.getNumOverlappingPairs(); ++i )
    {
        const btBroadphasePair& pair = ours.getOverlappingPairArray()[i];
        EXPECT_EQ( pair.m_pProxy0 == &proxies[21], pair.m_algorithm != nullptr );
    }
}

/// The dispatcher destroys a body when an algorithm is freed.
TEST( PairCacheInABroadphase, AllowsDestroyingABodyWhenAnAlgorithmIsFreed )
{
    EditingDispatcher dispatcher;
    const Rig rig = makeRig( culletAuto );
    Bodies bodies( *rig.broadphase, 1, 2, &dispatcher );
    for ( int i = 0; i < 6; ++i )
    {
        bodies.create( cube( 0, 0, 0, 1 ) );
    }
    btBroadphasePairArray& pairs = rig.cache().getOverlappingPairArray();
    for ( int i = 0; i < pairs.size(); ++i )
    {
        dispatcher.giveAlgorithm( pairs[i] );
    }
    btBroadphaseProxy* first = bodies.at( 0 ).proxies[0];
    dispatcher.edit = [&] { bodies.destroy( 5 ); };
    rig.cache().cleanProxyFromPairs( first, &dispatcher );
    EXPECT_EQ( 10, pairs.size() ) << "of five bodies that are left";
    EXPECT_EQ( 9, dispatcher.freed ) << "five of the first, and four more of the one that is destroyed";
    for ( int i = 0; i < pairs.size(); ++i )
    {
        EXPECT_EQ( pairs[i].m_pProxy0 == first, pairs[i].m_algorithm == nullptr ) << i;
        rig.cache().cleanOverlappingPair( pairs[i], &dispatcher );
    }
}

/// When few of many pairs are left, memory is freed and they keep their places.
TEST_F( PairCacheInOrder, FreesMemoryWhenFewPairsAreLeft )
{
    for ( int i = 0; i < 20000; ++i )
    {
        const CulletProxyPair pair = randomPair();
        both( [&]( btOverlappingPairCache& cache ) { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
    }
    const int many = ours.getNumOverlappingPairs();
    ASSERT_GT( many, 4 * CulletPairArray::MANY );
    for ( int left : { many / 2, many / 5, 20, 5, 0 } )
    {
        while ( ours.getNumOverlappingPairs() > left )
        {
            const btBroadphasePair pair = ours.getOverlappingPairArray()[0];
            both( [&]( btOverlappingPairCache& cache )
                  { cache.removeOverlappingPair( pair.m_pProxy0, pair.m_pProxy1, nullptr ); } );
        }
        ours.getPairs().giveBack();
        EXPECT_EQ( left == many / 2, ours.getOverlappingPairArray().capacity() >= many );
        expectSame();
    }
}

/// An application that reserves the array itself breaks Bullet's cache, but not cullet's.
TEST_F( PairCacheInOrder, WorksWhenTheApplicationReservesTheArray )
{
    ours.getOverlappingPairArray().reserve( 2001 );
    for ( int i = 0; i < 10000; ++i )
    {
        const CulletProxyPair pair = randomPair();
        both( [&]( btOverlappingPairCache& cache ) { cache.addOverlappingPair( pair.m_pProxy0, pair.m_pProxy1 ); } );
    }
    expectSame();
    ASSERT_GT( ours.getNumOverlappingPairs(), 2001 );
}

/// While the pairs of a destroyed body are removed, a ghost callback removes others of it, and of bodies that stay.
TEST( PairCacheInABroadphase, AllowsEditsByAGhostCallbackWhileABodyIsDestroyed )
{
    const Rig rig = makeRig( culletAuto );
    btOverlappingPairCache& cache = rig.cache();
    Bodies bodies( *rig.broadphase, 1, 1 );
    for ( int i = 0; i < 7; ++i )
    {
        bodies.create( cube( 0, 0, 0, 1 ) );
    }
    const auto proxy = [&]( size_t at ) { return bodies.at( at ).proxies[0]; };
    bool isEdited = false;
    GhostFunctions ghost( []( const auto&, const auto& ) {},
                          [&]( const auto&, const auto& )
                          {
                              if ( !isEdited )
                              {
                                  isEdited = true;
                                  cache.removeOverlappingPair( proxy( 2 ), proxy( 3 ), nullptr );
                                  cache.removeOverlappingPair( proxy( 1 ), proxy( 6 ), nullptr );
                              }
                          } );
    cache.setInternalGhostPairCallback( &ghost );
    bodies.destroy( 1 );
    EXPECT_EQ( 14, cache.getNumOverlappingPairs() ) << "of six bodies, but one";
    bodies.update();
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
    cache.setInternalGhostPairCallback( nullptr );
}

TEST( PairCacheInABroadphase, MatchesBulletsCacheUnderBtDbvtBroadphase )
{
    CulletPairCache ours;
    btDbvtBroadphase withOurs( &ours ), stock;
    Bodies bodies( { &withOurs, &stock }, 9, 5 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 30; ++step )
    {
        for ( int i = 0; i < 50; ++i )
        {
            bodies.randomOperation();
        }
        bodies.update();
        ASSERT_EQ( arrayOf( *stock.getOverlappingPairCache() ), arrayOf( ours ) );
    }
    bodies.destroyAll(); // btDbvtBroadphase loses the memory of proxies that outlive it
}
