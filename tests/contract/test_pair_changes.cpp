// SPDX-License-Identifier: Zlib
// How the pair set changes when boxes move, stay, grow and shrink: CT-05 to CT-08 and CT-11 to CT-13.
#include "contestants.h"

#include <algorithm>
#include <map>

using namespace test;

namespace
{
using Algorithms = std::map<IdPair, const btCollisionAlgorithm*>;

Algorithms algorithmsOf( const btOverlappingPairCache& cache )
{
    Algorithms algorithms;
    for ( int i = 0; i < cache.getNumOverlappingPairs(); ++i )
    {
        const btBroadphasePair& pair = cache.getOverlappingPairArrayPtr()[i];
        algorithms[idsOf( pair )] = pair.m_algorithm;
    }
    return algorithms;
}

/// Not to those that a fat broadphase holds besides.
Algorithms giveToExpectedPairs( Arena& arena, DispatcherWitness& dispatcher )
{
    Algorithms given;
    const std::vector<IdPair> expected = arena.bodies.expectedPairs();
    for ( int i = 0; i < arena.cache().getNumOverlappingPairs(); ++i )
    {
        btBroadphasePair& pair = arena.cache().getOverlappingPairArrayPtr()[i];
        if ( std::binary_search( expected.begin(), expected.end(), idsOf( pair ) ) )
        {
            given[idsOf( pair )] = dispatcher.giveAlgorithm( pair );
        }
    }
    return given;
}

Box homeOf( int i, btScalar shift )
{
    return cube( btScalar( i % 4 ) + shift, btScalar( i / 4 % 4 ) + shift, btScalar( i / 16 ) + shift,
                 btScalar( 1.5 ) );
}
} // namespace

TEST_P( Contract, CT05_PersistingPairsKeepTheirAlgorithm )
{
    DispatcherWitness dispatcher;
    Arena arena( GetParam(), 5, 3, &dispatcher );
    Bodies& bodies = arena.bodies;
    for ( int i = 0; i < 40; ++i )
    {
        bodies.create( homeOf( i, 0 ) );
    }
    bodies.update();
    const Algorithms given = giveToExpectedPairs( arena, dispatcher );
    ASSERT_GT( given.size(), 100u );

    for ( int step = 0; step < 100; ++step )
    {
        for ( int i = 0; i < 40; ++i ) // within 0.2 of home: boxes that overlapped by 0.5 still do
        {
            bodies.move( bodies.at( size_t( i ) ), homeOf( i, btScalar( bodies.random().between( -0.2, 0.2 ) ) ) );
        }
        bodies.createRandom( 5 ); // others come and go, so that pairs change places in the array
        bodies.update();
        while ( bodies.size() > 40 )
        {
            bodies.destroy( bodies.size() - 1 );
        }
        bodies.update();
        const Algorithms now = algorithmsOf( arena.cache() );
        for ( const Algorithms::value_type& pair : given )
        {
            ASSERT_EQ( 1u, now.count( pair.first ) );
            ASSERT_EQ( pair.second, now.at( pair.first ) );
        }
    }
    EXPECT_EQ( 0, dispatcher.freed );
    bodies.destroyAll();
    EXPECT_EQ( int( given.size() ), dispatcher.freed );
}

TEST_P( Contract, CT06_SeparatingDestroysTheAlgorithmOnce )
{
    DispatcherWitness dispatcher;
    Arena arena( GetParam(), 6, 1, &dispatcher );
    const Box there = cube( btScalar( 0.5 ), 0, 0, 1 );
    arena.bodies.create( cube( 0, 0, 0, 1 ) );
    Body& mover = arena.bodies.create( there );
    arena.bodies.update();
    ASSERT_EQ( 1, arena.cache().getNumOverlappingPairs() );
    dispatcher.giveAlgorithm( arena.cache().getOverlappingPairArrayPtr()[0] );

    arena.bodies.move( mover, cube( 5, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 0, arena.cache().getNumOverlappingPairs() );
    EXPECT_EQ( 1, dispatcher.destroyed );
    EXPECT_EQ( 1, dispatcher.freed );

    arena.bodies.move( mover, there );
    arena.bodies.update();
    ASSERT_EQ( 1, arena.cache().getNumOverlappingPairs() );
    EXPECT_EQ( nullptr, arena.cache().getOverlappingPairArrayPtr()[0].m_algorithm );
    EXPECT_EQ( 1, dispatcher.destroyed );
}

TEST_P( Contract, CT07_UpdatingTwiceChangesNothing )
{
    GhostWitness ghost;
    Arena arena( GetParam(), 7, spreadFor( 200 ) );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.update(); // before there is anything at all
    arena.bodies.createRandom( 200 );
    arena.bodies.update();
    const std::vector<char> before = bytesOf( arena.cache() );
    const int addCount = ghost.addCount, removeCount = ghost.removeCount;
    ASSERT_GT( addCount, 50 );
    for ( int i = 0; i < 3; ++i )
    {
        arena.bodies.update();
    }
    EXPECT_EQ( before, bytesOf( arena.cache() ) );
    EXPECT_EQ( addCount, ghost.addCount );
    EXPECT_EQ( removeCount, ghost.removeCount );
}

TEST_P( Contract, CT08_UnchangedBoxesChangeNothing )
{
    GhostWitness ghost;
    Arena arena( GetParam(), 8, spreadFor( 200 ) );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    arena.bodies.update();
    const std::vector<char> before = bytesOf( arena.cache() );
    const int addCount = ghost.addCount, removeCount = ghost.removeCount;
    for ( size_t i = 0; i < arena.bodies.size(); ++i )
    {
        Box same = arena.bodies.at( i ).box;
        same.lower[3] = btScalar( i ); // the fourth lane of a btVector3 means nothing
        same.upper[3] = -btScalar( i );
        arena.bodies.move( arena.bodies.at( i ), same );
    }
    arena.bodies.update();
    EXPECT_EQ( before, bytesOf( arena.cache() ) );
    EXPECT_EQ( addCount, ghost.addCount );
    EXPECT_EQ( removeCount, ghost.removeCount );
}

TEST_P( Contract, CT11_TeleportDropsAllOldPairsAtOnce )
{
    Arena arena( GetParam(), 11, 2 );
    Bodies& bodies = arena.bodies;
    for ( int i = 0; i < 50; ++i )
    {
        bodies.create( bodies.randomBox() );
    }
    Body& mover = bodies.create( { btVector3( -2, -2, -2 ), btVector3( 2, 2, 2 ) } );
    bodies.create( cube( 500, 0, 0, 1 ) );
    bodies.update();
    ASSERT_TRUE( arena.holdsExpectedPairs() );
    const size_t before = arena.pairs().size();

    bodies.move( mover, cube( 500, 0, 0, 1 ) );
    bodies.update();
    EXPECT_TRUE( arena.holdsExpectedPairs() );
    EXPECT_EQ( before - 50 + 1, arena.pairs().size() );
}

static Body& growAndPair( Arena& arena )
{
    Body& large = arena.bodies.create( cube( 0, 0, 0, 10 ) );
    arena.bodies.create( cube( 8, 8, 8, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 1, arena.cache().getNumOverlappingPairs() );
    return large;
}

TEST_P( Contract, CT12_ShrinkingDropsPairs )
{
    Arena arena( GetParam() );
    Body& shrinker = growAndPair( arena );
    arena.bodies.move( shrinker, cube( 0, 0, 0, 1 ) );
    arena.bodies.update();
    EXPECT_EQ( 0, arena.cache().getNumOverlappingPairs() );
}

TEST_P( Contract, CT12_ShrinkingDropsHits )
{
    Arena arena( GetParam() );
    Body& shrinker = growAndPair( arena );
    arena.bodies.move( shrinker, cube( 0, 0, 0, 1 ) );
    CollectBox hits;
    arena.broadphase.aabbTest( btVector3( 5, 5, 5 ), btVector3( 6, 6, 6 ), hits );
    EXPECT_TRUE( hits.proxies.empty() );
}

TEST_P( Contract, CT13_BodiesThatAreNeverUpdatedStillPair )
{
    Arena arena( GetParam() );
    Bodies& bodies = arena.bodies;
    for ( int i = 0; i < 20; ++i )
    {
        bodies.create( cube( btScalar( i ) * btScalar( 0.9 ), 0, 0, 1 ) ); // a row of sleepers, each touching the next
    }
    Body& newcomer = bodies.create( cube( 0, 100, 0, 1 ) );
    for ( int step = 0; step < 1000; ++step )
    {
        bodies.move( newcomer, cube( btScalar( step % 20 ), 100, 0, 1 ) );
        bodies.update();
    }
    ASSERT_EQ( 19, arena.cache().getNumOverlappingPairs() );
    bodies.move( newcomer, cube( 7, btScalar( 0.5 ), 0, 1 ) );
    bodies.update();
    EXPECT_GT( arena.cache().getNumOverlappingPairs(), 19 );
    EXPECT_TRUE( arena.holdsExpectedPairs() );
}

/// As pybullet sets it: only active bodies get new boxes.
TEST_P( Contract, CT13_SleepersWakeWhenSomethingFallsOnThem )
{
    Physics physics( GetParam() );
    btDiscreteDynamicsWorld& world = physics.world;
    world.setForceUpdateAllAabbs( false );
    btStaticPlaneShape plane( btVector3( 0, 1, 0 ), 0 );
    btBoxShape box( btVector3( 1, 1, 1 ) );
    btRigidBody ground( 0, nullptr, &plane );
    btRigidBody lower( 1, nullptr, &box, btVector3( 1, 1, 1 ) ), upper( 1, nullptr, &box, btVector3( 1, 1, 1 ) );
    lower.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 1, 0 ) ) );
    upper.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 3, 0 ) ) );
    for ( btRigidBody* body : { &ground, &lower, &upper } )
    {
        world.addRigidBody( body );
    }
    for ( int step = 0; step < 1000; ++step )
    {
        world.stepSimulation( btScalar( 1 ) / 60, 0 );
    }
    ASSERT_FALSE( lower.isActive() || upper.isActive() );
    EXPECT_NE( nullptr, world.getPairCache()->findPair( lower.getBroadphaseHandle(), upper.getBroadphaseHandle() ) );

    btRigidBody newcomer( 1, nullptr, &box, btVector3( 1, 1, 1 ) );
    newcomer.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 8, 0 ) ) );
    world.addRigidBody( &newcomer );
    for ( int step = 0; step < 60; ++step )
    {
        world.stepSimulation( btScalar( 1 ) / 60, 0 );
    }
    EXPECT_TRUE( upper.isActive() );
    EXPECT_GT( newcomer.getWorldTransform().getOrigin().y(), 4 ) << "it lies on the others";
    for ( btRigidBody* body : { &newcomer, &upper, &lower, &ground } )
    {
        world.removeRigidBody( body );
    }
}
