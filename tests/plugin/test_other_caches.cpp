// SPDX-License-Identifier: Zlib
// Pair caches of the application's that are not hashed, or that are someone's own: a part of CT-30.
#include "tests/support/bullet/rig.h"
#include "tests/support/bullet/witnesses.h"

using namespace test;

TEST( OtherCaches, CT30_SortedCacheEqualsOracle )
{
    btSortedOverlappingPairCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 30, 5 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 40; ++step )
    {
        bodies.update();
        ASSERT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
        for ( int i = 0; i < 30; ++i )
        {
            bodies.randomOperation();
        }
    }
    ASSERT_GT( cache.getNumOverlappingPairs(), 50 );
}

TEST( OtherCaches, CT30_SortedCacheKeepsWhatStillTouches )
{
    btSortedOverlappingPairCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 35, 2 );
    bodies.create( cube( 0, 0, 0, 1 ) );
    for ( int axis = 0; axis < 3; ++axis ) // one on each side
    {
        const btScalar on = 1, away = -1;
        bodies.create( cube( axis == 0 ? on : 0, axis == 1 ? on : 0, axis == 2 ? on : 0, 1 ) );
        bodies.create( cube( axis == 0 ? away : 0, axis == 1 ? away : 0, axis == 2 ? away : 0, 1 ) );
    }
    Body& leaver = bodies.create( cube( 0, 0, 0, 1 ) );
    bodies.update();
    bodies.move( leaver, cube( 9, 0, 0, 1 ) );
    bodies.update();
    EXPECT_GE( cache.getNumOverlappingPairs(), 6 );
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
}

TEST( OtherCaches, CT30_SortedCacheGivesAlgorithmsBack )
{
    DispatcherWitness dispatcher;
    btSortedOverlappingPairCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 31, 2, &dispatcher );
    bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = bodies.create( cube( btScalar( 0.5 ), 0, 0, 1 ) );
    bodies.create( cube( 0, btScalar( 0.5 ), 0, 1 ) );
    bodies.update();
    ASSERT_EQ( 3, cache.getNumOverlappingPairs() );
    for ( int i = 0; i < 3; ++i )
    {
        dispatcher.giveAlgorithm( cache.getOverlappingPairArray()[i] );
    }
    bodies.move( mover, cube( 9, 0, 0, 1 ) );
    bodies.update();
    EXPECT_EQ( 1, cache.getNumOverlappingPairs() );
    EXPECT_EQ( 2, dispatcher.freed );
    bodies.destroy( 0 );
    EXPECT_EQ( 0, cache.getNumOverlappingPairs() );
    EXPECT_EQ( 3, dispatcher.freed );
}

TEST( OtherCaches, CT30_NullCache )
{
    btNullPairCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 32, 5 );
    bodies.createRandom( 300 );
    for ( int step = 0; step < 20; ++step )
    {
        bodies.update();
        ASSERT_EQ( 0, cache.getNumOverlappingPairs() );
        for ( int i = 0; i < 30; ++i )
        {
            bodies.randomOperation();
        }
    }
    CollectBox hits;
    broadphase.aabbTest( btVector3( -9, -9, -9 ), btVector3( 9, 9, 9 ), hits );
    EXPECT_EQ( bodies.size(), hits.proxies.size() );
}

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

TEST( OtherCaches, CT30_SubclassSeesChangesOnly )
{
    CountingCache cache;
    CulletBroadphase broadphase( &cache );
    Bodies bodies( broadphase, 33, 5 );
    for ( int i = 0; i < 200; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    bodies.update();
    const int pairCount = int( bodies.expectedPairs().size() );
    EXPECT_EQ( pairCount, cache.addCalls );
    EXPECT_EQ( 0, cache.removeCalls );
    for ( size_t i = 0; i < 200; ++i )
    {
        bodies.move( bodies.at( i ), { bodies.at( i ).box.lower + btVector3( 100, 0, 0 ),
                                       bodies.at( i ).box.upper + btVector3( 100, 0, 0 ) } );
    }
    bodies.update(); // rounding may end or begin a pair or two; what persists is not offered again
    EXPECT_TRUE( samePairs( bodies.expectedPairs(), pairsOf( cache ) ) );
    EXPECT_LE( cache.addCalls, pairCount + 5 );
    EXPECT_LE( cache.removeCalls, 5 );
}

/// Callbacks and filters that Bullet's own masks know nothing of decide here as they do with btDbvtBroadphase.
class OddIdsOnly : public btOverlapFilterCallback
{
public:
    bool needBroadphaseCollision( btBroadphaseProxy* proxy0, btBroadphaseProxy* proxy1 ) const override
    {
        EXPECT_LT( proxy0->m_uniqueId, proxy1->m_uniqueId );
        return proxy0->m_uniqueId % 2 == 1 && proxy1->m_uniqueId % 2 == 1;
    }
};

TEST( OtherCaches, CT23_FilterCallbackOverrulesMasks )
{
    CulletBroadphase broadphase;
    OddIdsOnly filter;
    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( &filter );
    Bodies bodies( broadphase, 34, 1 );
    for ( int i = 0; i < 11; ++i )
    {
        bodies.create( cube( 0, 0, 0, 1 ), 0, 0 ); // groups and masks that let nothing in
    }
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "6 odd ids, 6*5/2 pairs";

    broadphase.getOverlappingPairCache()->setOverlapFilterCallback( nullptr );
    bodies.update();
    EXPECT_EQ( 15, broadphase.getOverlappingPairCache()->getNumOverlappingPairs() ) << "pairs that are there stay";
}
