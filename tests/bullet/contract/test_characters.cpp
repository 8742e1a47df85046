// SPDX-License-Identifier: Zlib
// Kinematic characters set the box of their ghost and read its pairs at once: CT-10 and CT-49.
#include "contestants.h"
#include "scenes.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

using namespace test;

namespace
{
/// A character with a capsule of radius 0.5, and a wall with its face at x = `face`.
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

/// The character stands at 3.8, partly in a wall at 4. The controller moves its ghost and reads the ghost's pairs at
/// once; without them the character stays in the wall.
TEST_P( Contract, CT10_CharacterRecoversFromAWall )
{
    Level level( GetParam(), 4 );
    level.character.setGravity( btVector3( 0, 0, 0 ) );
    level.character.warp( btVector3( btScalar( 3.8 ), 5, 0 ) );
    level.character.preStep( &level.world() );
    level.character.playerStep( &level.world(), btScalar( 1 ) / 60 );
    EXPECT_LT( level.place().x(), btScalar( 3.75 ) );
}

TEST_P( Contract, CT49_CharacterStopsAtAWall )
{
    Level level( GetParam(), 5 );
    addFloor( level );
    level.ghost.setWorldTransform(
        at( 0, btScalar( 1.5 ), 0 ) ); // because the constructor of the controller rotated it
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
