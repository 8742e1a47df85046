// SPDX-License-Identifier: Zlib
// Given pair caches of other classes, Bullet's and the application's own: CT-30.
#include "queries.h"
#include "tests/bullet/support/block_count.h"

using namespace test;

namespace
{
void expectPairsAtEachStep( Arena& arena )
{
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 40; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExpectedPairs() ) << "step " << step;
        arena.bodies.runRandomOperations( 30 );
    }
    ASSERT_GT( arena.pairCount(), 50 );
}
} // namespace

TEST_P( Contract, CT30_SubclassHoldsTheExpectedPairs )
{
    CountingCache* cache = new CountingCache;
    Arena arena( GetParam(), 30, spreadFor( 300 ), nullptr, cache );
    expectPairsAtEachStep( arena );
    EXPECT_GT( cache->addCalls, 0 );
    EXPECT_GT( cache->removeCalls, 0 );
}

TEST_P( Contract, CT30_SubclassGetsNoCallsWhileNothingChanges )
{
    CountingCache* cache = new CountingCache;
    Arena arena( GetParam(), 31, spreadFor( 200 ), nullptr, cache );
    arena.bodies.createBoxes( 200 );
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
        arena.bodies.moveAll( []( const Body& body ) { return body.box; } );
        arena.bodies.update();
    }
    EXPECT_EQ( addCalls, cache->addCalls );
    EXPECT_EQ( removeCalls, cache->removeCalls );
}

/// Overlapping proxies that masks or the filter rejected separate without a call to the cache.
TEST_P( Contract, CT30_SubclassIsNotAskedToRemovePairsItDoesNotHold )
{
    for ( const bool hasCallback : { false, true } )
    {
        Filter filter( []( btBroadphaseProxy& a, btBroadphaseProxy& b ) { return ( idsOf( a, b ).first & 1 ) != 0; } );
        CountingCache* cache = new CountingCache;
        Arena arena( GetParam(), 37, spreadFor( 300 ), nullptr, cache );
        cache->setOverlapFilterCallback( hasCallback ? &filter : nullptr );
        arena.bodies.createRandom( 300 );
        for ( int step = 0; step < 20; ++step )
        {
            arena.bodies.update();
            arena.bodies.runRandomOperations( 100 );
        }
        EXPECT_GT( cache->removeCalls, 0 );
        EXPECT_EQ( 0, cache->idleRemoveCalls );
    }
}

TEST_P( Contract, CT30_SortedCache )
{
    Arena arena( GetParam(), 32, spreadFor( 300 ), nullptr, new btSortedOverlappingPairCache );
    expectPairsAtEachStep( arena );
}

TEST_P( Contract, CT30_SortedCacheKeepsPairsThatStillTouch )
{
    Arena arena( GetParam(), 33, 1, nullptr, new btSortedOverlappingPairCache );
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
    Body& mover = arena.bodies.create( cube( 0, 0, 0, 1 ) );
    arena.bodies.update();
    arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    ASSERT_GE( arena.bodies.expectedPairs().size(), 6u );
    EXPECT_TRUE( arena.hasExpectedPairs() );
}

TEST_P( Contract, CT30_SortedCacheFreesAlgorithms )
{
    CountingDispatcher dispatcher;
    Arena arena( GetParam(), 34, 1, &dispatcher, new btSortedOverlappingPairCache );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = arena.bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    arena.bodies.create( cube( 0, btScalar( 0.5 ), 0, 1 ) );
    arena.bodies.update();
    ASSERT_EQ( 3, arena.pairCount() );
    for ( int i = 0; i < 3; ++i )
    {
        dispatcher.giveAlgorithm( arena.pair( i ) );
    }
    arena.bodies.move( mover, cube( 9, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.pairCount() );
    EXPECT_EQ( 2, dispatcher.freed );
    arena.bodies.destroy( 0 );
    EXPECT_EQ( 0, arena.pairCount() ) << "destroyProxy removes pairs from this cache at once, too";
    EXPECT_EQ( 3, dispatcher.freed );
}

TEST_P( Contract, CT30_NullCacheStaysEmpty )
{
    Arena arena( GetParam(), 35, 5, nullptr, new btNullPairCache );
    arena.bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.update();
        ASSERT_EQ( 0, arena.pairCount() );
        arena.bodies.runRandomOperations( 30 );
    }
    EXPECT_EQ( arena.bodies.size(), boxHits( arena.broadphase, everywhere ).size() );
}

TEST_P( Contract, CT30_GivenCachesLeakNoMemory )
{
    const BlockCount blocks;
    for ( btOverlappingPairCache* cache : std::initializer_list<btOverlappingPairCache*>{
              new CountingCache, new btSortedOverlappingPairCache, new btNullPairCache } )
    {
        Arena arena( GetParam(), 36, 3, nullptr, cache );
        arena.bodies.createRandom( 100 );
        for ( int i = 0; i < 100; ++i )
        {
            arena.bodies.runRandomOperations( 1 );
            arena.bodies.update();
        }
    }
    EXPECT_EQ( 0, blocks.alive() );
}
