// SPDX-License-Identifier: Zlib
// Kinematic characters, which set their ghost's box and read its pairs in the next line: CT-10 and CT-49.
#include "contestants.h"
#include "scenes.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

using namespace test;

namespace
{
/// A capsule of radius 0.5 that walks about, and a wall whose face is at x = `face`.
struct Level : public BulletWorld
{
    Level( const RigKind& kind, btScalar face ) : BulletWorld( makeRig( kind ) )
    {
        enableGhostPairs();
        add( 0, shape<btBoxShape>( btVector3( 1, 5, 5 ) ), at( face + 1, 5, 0 ) );
        ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
    }

    btVector3 place() const
    {
        return ghost.getWorldTransform().getOrigin();
    }

    btCapsuleShape& capsule = shape<btCapsuleShape>( btScalar( 0.5 ), btScalar( 1 ) );
    btPairCachingGhostObject& ghost = addObject<btPairCachingGhostObject>(
        capsule, btVector3( 0, btScalar( 1.5 ), 0 ), btBroadphaseProxy::CharacterFilter,
        btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter );
    btKinematicCharacterController& character =
        keep( new btKinematicCharacterController( &ghost, &capsule, btScalar( 0.35 ), btVector3( 0, 1, 0 ) ) );
};
} // namespace

/// A character stands at 3.8 before a wall at 4. One step of the controller moves its ghost and reads the ghost's pairs
/// in the next line; without them it stays in the wall.
TEST_P( Contract, CT10_CharacterRecoversFromAWall )
{
    Level level( GetParam(), 4 );
    level.character.setGravity( btVector3( 0, 0, 0 ) );
    level.character.warp( btVector3( btScalar( 3.8 ), 5, 0 ) );
    level.character.preStep( &level.world() );
    level.character.playerStep( &level.world(), btScalar( 1 ) / 60 );
    EXPECT_LT( level.place().x(), btScalar( 3.75 ) );
}

/// A character walks over a floor into a wall and stays before it.
TEST_P( Contract, CT49_CharacterStopsAtAWall )
{
    Level level( GetParam(), 5 );
    addFloor( level );
    level.ghost.setWorldTransform( at( 0, btScalar( 1.5 ), 0 ) ); // choosing the up axis has turned it
    level.character.setGravity( btVector3( 0, -10, 0 ) );
    level.character.setWalkDirection( btVector3( btScalar( 0.05 ), 0, 0 ) );
    level.world().addAction( &level.character );
    for ( int step = 0; step < 600; ++step )
    {
        level.step();
        ASSERT_LT( level.place().x(), btScalar( 4.6 ) ) << "step " << step;
        ASSERT_GT( level.place().y(), btScalar( 0.9 ) ) << "step " << step;
    }
    EXPECT_GT( level.place().x(), 4 ) << "has reached the wall";
}
