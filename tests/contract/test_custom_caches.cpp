// SPDX-License-Identifier: Zlib
// Pair caches of the application's that are not hashed, or that are someone's own: CT-30.
#include "contestants.h"

#include "block_count.h"

using namespace test;

namespace
{
/// An application's cache that watches what goes through it.
class CountingCache : public btHashedOverlappingPairCache
{
public:
    btBroadphasePair* addOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) override
    {
        ++addCalls;
        return btHashedOverlappingPairCache::addOverlappingPair( proxy0, proxy1 );
    }

    void* removeOverlappingPair( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1,
                                 btDispatcher* dispatcher ) override
    {
        ++removeCalls;
        return btHashedOverlappingPairCache::removeOverlappingPair( proxy0, proxy1, dispatcher );
    }

    int addCalls = 0;
    int removeCalls = 0;
};

void expectPairsAtEachStep( Arena& arena )
{
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 40; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.holdsExpectedPairs() ) << "step " << step;
        for ( int i = 0; i < 30; ++i )
        {
            arena.bodies.randomOperation();
        }
    }
    ASSERT_GT( arena.pairs().size(), 50u );
}
} // namespace

TEST_P( Contract, CT30_Subclass )
{
    CountingCache* cache = new CountingCache;
    Arena arena( GetParam(), cache, 30, spreadFor( 300 ) );
    expectPairsAtEachStep( arena );
    EXPECT_GT( cache->addCalls, 0 );
    EXPECT_GT( cache->removeCalls, 0 );
}

/// Nothing is offered to the cache again while it lasts.
TEST_P( Contract, CT30_SubclassSeesNothingWhileNothingChanges )
{
    CountingCache* cache = new CountingCache;
    Arena arena( GetParam(), cache, 31, spreadFor( 200 ) );
    for ( int i = 0; i < 200; ++i )
    {
        arena.bodies.create( arena.bodies.randomBox() );
    }
    arena.bodies.update();
    const int addCalls = cache->addCalls, removeCalls = cache->removeCalls;
    const int pairCount = int( arena.bodies.expectedPairs().size() );
    EXPECT_GE( addCalls, pairCount );
    if ( arena.rig.cullet )
    {
        EXPECT_EQ( pairCount, addCalls );
        EXPECT_EQ( 0, removeCalls );
    }
    for ( int step = 0; step < 5; ++step )
    {
        for ( size_t i = 0; i < arena.bodies.size(); ++i )
        {
            arena.bodies.move( arena.bodies.at( i ), arena.bodies.at( i ).box );
        }
        arena.bodies.update();
    }
    EXPECT_EQ( addCalls, cache->addCalls );
    EXPECT_EQ( removeCalls, cache->removeCalls );
}

TEST_P( Contract, CT30_SortedCache )
{
    Arena arena( GetParam(), new btSortedOverlappingPairCache, 32, spreadFor( 300 ) );
    expectPairsAtEachStep( arena );
}

TEST_P( Contract, CT30_SortedCacheKeepsWhatStillTouches )
{
    Arena arena( GetParam(), new btSortedOverlappingPairCache, 33, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis ) // one on each side
    {
        for ( int side : { -1, 1 } )
        {
            btVector3 lower( 0, 0, 0 );
            lower[axis] = btScalar( side );
            arena.bodies.create( cube( lower.x(), lower.y(), lower.z(), 1 ) );
        }
    }
    Body& leaver = arena.bodies.create( cube( 0, 0, 0, 1 ) );
    arena.bodies.update();
    arena.bodies.move( leaver, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    ASSERT_GE( arena.bodies.expectedPairs().size(), 6u );
    EXPECT_TRUE( arena.holdsExpectedPairs() );
}

TEST_P( Contract, CT30_SortedCacheGivesAlgorithmsBack )
{
    DispatcherWitness dispatcher;
    Arena arena( GetParam(), new btSortedOverlappingPairCache, 34, 1, &dispatcher );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = arena.bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    arena.bodies.create( cube( 0, btScalar( 0.5 ), 0, 1 ) );
    arena.bodies.update();
    ASSERT_EQ( 3, arena.cache().getNumOverlappingPairs() );
    for ( int i = 0; i < 3; ++i )
    {
        dispatcher.giveAlgorithm( arena.cache().getOverlappingPairArrayPtr()[i] );
    }
    arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.cache().getNumOverlappingPairs() );
    EXPECT_EQ( 2, dispatcher.freed );
    arena.bodies.destroy( 0 );
    EXPECT_EQ( 0, arena.cache().getNumOverlappingPairs() ) << "a destroyed proxy leaves this cache at once, too";
    EXPECT_EQ( 3, dispatcher.freed );
}

TEST_P( Contract, CT30_NullCache )
{
    Arena arena( GetParam(), new btNullPairCache, 35, 5 );
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.update();
        ASSERT_EQ( 0, arena.cache().getNumOverlappingPairs() );
        for ( int i = 0; i < 30; ++i )
        {
            arena.bodies.randomOperation();
        }
    }
    CollectBox hits;
    arena.broadphase.aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
    EXPECT_EQ( arena.bodies.size(), hits.proxies.size() );
}

static void liveWith( const RigKind& kind, btOverlappingPairCache* givenCache )
{
    Arena arena( kind, givenCache, 36, 3 );
    arena.bodies.createRandom( 100 );
    for ( int i = 0; i < 100; ++i )
    {
        arena.bodies.randomOperation();
        arena.bodies.update();
    }
}

TEST_P( Contract, CT30_NoLeak )
{
    const BlockCount blocks;
    liveWith( GetParam(), new CountingCache );
    liveWith( GetParam(), new btSortedOverlappingPairCache );
    liveWith( GetParam(), new btNullPairCache );
    EXPECT_EQ( 0, blocks.alive() );
}
