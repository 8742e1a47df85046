// SPDX-License-Identifier: Zlib
// Ghost callbacks get every change of the pair set, and ghost objects list their pairs: CT-27, and the ghosts of CT-10
// and CT-14.
#include "contestants.h"
#include "tests/bullet/support/bullet_world.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <algorithm>
#include <iterator>

using namespace test;

/// The sum of all calls is the pair set at every moment, also between updates.
TEST_P( Contract, CT27_CallbacksAddUpToThePairSet )
{
    GhostPairTracker ghost;
    Arena arena( GetParam(), 27, spreadFor( 200 ) );
    arena.cache.setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    for ( int step = 0; step < 40; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.hasExpectedPairs() );
        for ( int i = 0; i < 30; ++i )
        {
            arena.bodies.randomOperation();
            const std::vector<IdPair> pairs = arena.pairs();
            ASSERT_EQ( std::set<IdPair>( pairs.begin(), pairs.end() ), ghost.pairs );
        }
    }
}

/// The callback gets each pair that began or ended once, and no pair that persists. Moving bodies pair only with
/// resting ones, so no pair begins and ends between two updates.
TEST_P( Contract, CT27_CallbacksAreTheDifferenceOfThePairSets )
{
    GhostPairTracker ghost;
    Arena arena( GetParam(), 28, spreadFor( 300 ) );
    for ( int i = 0; i < 300; ++i )
    {
        const bool moves = i % 2 == 1;
        arena.bodies.create( arena.bodies.randomBox(), moves ? 2 : 1, moves ? ~2 : -1 );
    }
    arena.bodies.update();
    std::vector<IdPair> previous = arena.bodies.expectedPairs();
    ghost.pairs.insert( previous.begin(), previous.end() );
    arena.cache.setInternalGhostPairCallback( &ghost );
    for ( int step = 0; step < 10; ++step )
    {
        ghost.calls.clear();
        const btVector3 drift( btScalar( 0.05 ), 0, 0 );
        for ( size_t i = 1; i < arena.bodies.size(); i += 2 )
        {
            Body& body = arena.bodies.at( i );
            arena.bodies.move( body, { body.box.lower + drift, body.box.upper + drift } );
        }
        arena.bodies.update();
        const std::vector<IdPair> current = arena.bodies.expectedPairs();
        std::vector<IdPair> changed;
        std::set_symmetric_difference( previous.begin(), previous.end(), current.begin(), current.end(),
                                       std::back_inserter( changed ) );
        std::sort( ghost.calls.begin(), ghost.calls.end() );
        ASSERT_FALSE( changed.empty() );
        ASSERT_TRUE( samePairs( changed, ghost.calls ) ) << "step " << step;
        previous = current;
    }
}

namespace
{
/// The objects that a ghost must list, by the boxes and filters in the proxies.
std::set<const btCollisionObject*> expectedList( const BulletWorld& world, const btCollisionObject& ghost )
{
    std::set<const btCollisionObject*> objects;
    for ( const auto& object : world.objects() )
    {
        if ( object.get() != &ghost && mayPair( *object->getBroadphaseHandle(), *ghost.getBroadphaseHandle() ) )
        {
            objects.insert( object.get() );
        }
    }
    return objects;
}

std::set<const btCollisionObject*> listOf( btGhostObject& ghost )
{
    std::set<const btCollisionObject*> listed;
    for ( int i = 0; i < ghost.getNumOverlappingObjects(); ++i )
    {
        EXPECT_TRUE( listed.insert( ghost.getOverlappingObject( i ) ).second );
    }
    return listed;
}
} // namespace

/// Spheres move at random, every third of them a ghost. Ghosts list other ghosts, too.
TEST_P( Contract, CT27_GhostListsMatchTheBoxes )
{
    BulletWorld world( makeRig( GetParam() ) );
    world.enableGhostPairs();
    btCollisionShape& sphere = world.shape<btSphereShape>( btScalar( 0.5 ) );
    Random random( 27 );
    std::vector<btGhostObject*> ghosts;
    for ( int i = 0; i < 20; ++i )
    {
        ghosts.push_back( &world.addObject<btGhostObject>( sphere, randomPoint( random, 2 ) ) );
        world.addObject( sphere, randomPoint( random, 2 ) );
        world.addObject( sphere, randomPoint( random, 2 ) );
    }
    for ( int step = 0; step < 50 && !HasFailure(); ++step )
    {
        for ( const auto& object : world.objects() )
        {
            object->setWorldTransform( at( randomPoint( random, 2 ) ) );
        }
        world.world().performDiscreteCollisionDetection();
        for ( btGhostObject* ghost : ghosts )
        {
            EXPECT_EQ( expectedList( world, *ghost ), listOf( *ghost ) ) << "step " << step;
        }
    }
}

namespace
{
/// A row of objects along x, and a ghost in front of it.
struct GhostScene : public BulletWorld
{
    explicit GhostScene( const RigKind& kind ) : BulletWorld( makeRig( kind ) )
    {
        enableGhostPairs();
        for ( int i = 0; i < 100; ++i )
        {
            row.push_back( &addObject( sphere, btVector3( btScalar( 10 + 3 * i ), 0, 0 ) ) );
        }
    }

    btCollisionShape& sphere = shape<btSphereShape>( btScalar( 0.5 ) );
    btPairCachingGhostObject& ghost = addObject<btPairCachingGhostObject>( sphere, btVector3( 0, 0, 0 ) );
    std::vector<btCollisionObject*> row;
};
} // namespace

TEST_P( Contract, CT10_GhostListIsCurrentAfterItsMove )
{
    GhostScene scene( GetParam() );
    EXPECT_EQ( 0, scene.ghost.getNumOverlappingObjects() );
    scene.move( scene.ghost, btVector3( 10, 0, 0 ) );
    ASSERT_EQ( 1, scene.ghost.getNumOverlappingObjects() );
    EXPECT_EQ( scene.row[0], scene.ghost.getOverlappingObject( 0 ) );
    EXPECT_EQ( 1, scene.ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_NE( nullptr,
               scene.cache().findPair( scene.ghost.getBroadphaseHandle(), scene.row[0]->getBroadphaseHandle() ) );
}

/// With a given cache, cullet cannot see whether the application set a ghost callback, so it does not promise this.
TEST_P( Contract, CT10_GhostListIsCurrentAfterManyOtherMoves )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << "only cullet's own cache knows which proxies are ghosts";
    }
    GhostScene scene( GetParam() );
    scene.world().performDiscreteCollisionDetection();
    for ( size_t i = 0; i < scene.row.size(); ++i )
    {
        scene.move( *scene.row[i], btVector3( 1000 - 20 * btScalar( i ), 0, 0 ) );
    }
    for ( size_t i : { 3, 50, 99 } )
    {
        scene.move( scene.ghost, btVector3( 1000 - 20 * btScalar( i ), 0, 0 ) );
        EXPECT_EQ( 1u, listOf( scene.ghost ).count( scene.row[i] ) );
    }
}

TEST_P( Contract, CT14_GhostListDropsARemovedObject )
{
    GhostScene scene( GetParam() );
    scene.move( scene.ghost, btVector3( 10, 0, 0 ) );
    scene.world().performDiscreteCollisionDetection();
    EXPECT_EQ( 1, scene.ghost.getNumOverlappingObjects() );
    EXPECT_EQ( 1, scene.dispatcher().getNumManifolds() );

    scene.remove( *scene.row[0] );
    EXPECT_EQ( 0, scene.ghost.getNumOverlappingObjects() );
    EXPECT_EQ( 0, scene.ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_EQ( 0, scene.dispatcher().getNumManifolds() );
    scene.world().performDiscreteCollisionDetection();
}
