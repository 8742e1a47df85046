// SPDX-License-Identifier: Zlib
// Pairs that are there before calculateOverlappingPairs, because Bullet's callers read them right after createProxy and
// setAabb: CT-09 and CT-10.
#include "contestants.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

#include <algorithm>

using namespace test;

/// How many of the pairs that this body should have are not in the cache.
static int missingPairsOf( const Arena& arena, int id )
{
    const std::vector<IdPair> actual = arena.pairs();
    int missing = 0;
    for ( const IdPair& pair : arena.bodies.expectedPairs() )
    {
        const bool concerns = pair.first == id || pair.second == id;
        missing += concerns && !std::binary_search( actual.begin(), actual.end(), pair );
    }
    return missing;
}

TEST_P( Contract, CT09_CreateMakesItsPairsAtOnce )
{
    Arena arena( GetParam(), 9, spreadFor( 150 ) );
    for ( int i = 0; i < 150; ++i )
    {
        arena.bodies.createRandom( 1 );
        ASSERT_TRUE( arena.holdsExpectedPairs() ) << "no box has moved, so the set is complete";
    }
    ASSERT_GT( arena.pairs().size(), 50u );
}

/// The new box meets boxes that were moved since the last update, be it by then known to a tree or not.
TEST_P( Contract, CT09_CreateSeesWhatMovedBefore )
{
    GhostWitness ghost; // complains about a pair that is added twice
    Arena arena( GetParam(), 10, spreadFor( 200 ) );
    arena.cache().setInternalGhostPairCallback( &ghost );
    arena.bodies.createRandom( 200 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.holdsExpectedPairs() );
        for ( size_t i = 0; i < arena.bodies.size(); ++i )
        {
            arena.bodies.move( arena.bodies.at( i ), arena.bodies.randomBox() );
        }
        for ( int i = 0; i < 5; ++i )
        {
            Body& body = arena.bodies.create( arena.bodies.randomBox() );
            ASSERT_EQ( 0, missingPairsOf( arena, body.id ) );
        }
    }
}

/// Tools and controllers move a few bodies by hand and look at once.
TEST_P( Contract, CT09_TheFirstMovesMakeTheirPairsAtOnce )
{
    Arena arena( GetParam(), 11, spreadFor( 200 ) );
    arena.bodies.createRandom( 200 );
    for ( int step = 0; step < 20; ++step )
    {
        arena.bodies.update();
        ASSERT_TRUE( arena.holdsExpectedPairs() );
        for ( int i = 0; i < 10; ++i )
        {
            Body& body = arena.bodies.at( arena.bodies.random().below( 200 ) );
            arena.bodies.move( body, arena.bodies.randomBox() );
            ASSERT_EQ( 0, missingPairsOf( arena, body.id ) );
        }
    }
}

namespace
{
/// A world with a ghost, and other objects in a row along x.
class GhostScene
{
public:
    explicit GhostScene( const RigKind& kind ) : physics( kind ), m_shape( btScalar( 0.5 ) )
    {
        physics.world.getPairCache()->setInternalGhostPairCallback( &m_callback );
        ghost.setCollisionShape( &m_shape );
        place( ghost, 0 );
        add( ghost );
        for ( int i = 0; i < objectCount; ++i )
        {
            objects.emplace_back( new btCollisionObject );
            objects.back()->setCollisionShape( &m_shape );
            place( *objects.back(), 10 + 3 * i );
            add( *objects.back() );
        }
    }

    ~GhostScene()
    {
        for ( const std::unique_ptr<btCollisionObject>& object : objects )
        {
            physics.world.removeCollisionObject( object.get() );
        }
        physics.world.removeCollisionObject( &ghost );
    }

    static constexpr int objectCount = 100;

    /// Gives the broadphase the object's new box, as btCollisionWorld does.
    void moveTo( btCollisionObject& object, int x )
    {
        place( object, x );
        physics.world.updateSingleAabb( &object );
    }

    Physics physics;
    btPairCachingGhostObject ghost;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

private:
    /// By itself a dynamics world takes what is no rigid body for static, and static objects form no pairs.
    void add( btCollisionObject& object )
    {
        physics.world.addCollisionObject( &object, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter );
    }

    static void place( btCollisionObject& object, int x )
    {
        object.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( btScalar( x ), 0, 0 ) ) );
    }

    btSphereShape m_shape;
    btGhostPairCallback m_callback;
};
} // namespace

TEST_P( Contract, CT10_GhostKnowsItsNeighboursAtOnce )
{
    GhostScene scene( GetParam() );
    EXPECT_EQ( 0, scene.ghost.getNumOverlappingObjects() );
    scene.moveTo( scene.ghost, 10 );
    ASSERT_EQ( 1, scene.ghost.getNumOverlappingObjects() );
    EXPECT_EQ( scene.objects[0].get(), scene.ghost.getOverlappingObject( 0 ) );
    EXPECT_EQ( 1, scene.ghost.getOverlappingPairCache()->getNumOverlappingPairs() );
    EXPECT_NE( nullptr, scene.physics.world.getPairCache()->findPair( scene.ghost.getBroadphaseHandle(),
                                                                      scene.objects[0]->getBroadphaseHandle() ) );
}

/// However many others moved before it. Who has not got a pair cache of his own cannot see whether the application set
/// a ghost callback, so the contract asks it of nobody else.
TEST_P( Contract, CT10_GhostKnowsItsNeighboursAfterABulkOfMoves )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << "a ghost is known as one with cullet's own cache only";
    }
    GhostScene scene( GetParam() );
    scene.physics.world.performDiscreteCollisionDetection();
    for ( int i = 0; i < GhostScene::objectCount; ++i )
    {
        scene.moveTo( *scene.objects[size_t( i )], 1000 - 20 * i );
    }
    for ( int i : { 3, 50, 99 } )
    {
        scene.moveTo( scene.ghost, 1000 - 20 * i );
        const btAlignedObjectArray<btCollisionObject*>& around = scene.ghost.getOverlappingPairs();
        EXPECT_NE( around.size(), around.findLinearSearch( scene.objects[size_t( i )].get() ) );
    }
}

/// A capsule of radius 0.5 stands at 3.8 before a wall whose face is at 4. One step of the controller moves its ghost
/// and reads the ghost's pairs in the next line; without them it stays in the wall.
TEST_P( Contract, CT10_CharacterRecoversFromAWall )
{
    Physics physics( GetParam() );
    btGhostPairCallback callback;
    physics.world.getPairCache()->setInternalGhostPairCallback( &callback );
    btBoxShape wallShape( btVector3( 1, 5, 5 ) );
    btRigidBody wall( 0, nullptr, &wallShape );
    wall.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 5, 0, 0 ) ) );
    physics.world.addRigidBody( &wall );

    btCapsuleShape capsule( btScalar( 0.5 ), 1 );
    btPairCachingGhostObject ghost;
    ghost.setCollisionShape( &capsule );
    ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
    ghost.setWorldTransform( btTransform( btQuaternion::getIdentity(), btVector3( 0, 0, 0 ) ) );
    physics.world.addCollisionObject( &ghost, btBroadphaseProxy::CharacterFilter, btBroadphaseProxy::AllFilter );
    btKinematicCharacterController character( &ghost, &capsule, btScalar( 0.35 ), btVector3( 0, 1, 0 ) );
    character.setGravity( btVector3( 0, 0, 0 ) );

    character.warp( btVector3( btScalar( 3.8 ), 0, 0 ) );
    character.preStep( &physics.world );
    character.playerStep( &physics.world, btScalar( 1 ) / 60 );
    EXPECT_LT( ghost.getWorldTransform().getOrigin().x(), btScalar( 3.75 ) );
    physics.world.removeCollisionObject( &ghost );
    physics.world.removeRigidBody( &wall );
}
