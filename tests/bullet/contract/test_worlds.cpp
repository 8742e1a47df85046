// SPDX-License-Identifier: Zlib
// CT-49: scenes of Bullet's examples, in which only the line that creates the broadphase is changed, and a kinematic
// character. CT-54: resting bodies fall asleep, and stay asleep when another body passes.
#include "contestants.h"
#include "scenes.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"
#include "BulletDynamics/Character/btKinematicCharacterController.h"

#include <map>
#include <string>

using namespace test;

namespace
{

struct Outcome
{
    int contacts;
    int awake;
    btScalar lowest;
};

Outcome run( const RigKind& kind, const Scene& scene )
{
    BulletWorld world( makeRig( kind ) );
    scene.build( world );
    Outcome outcome = { 0, 0, BT_LARGE_FLOAT };
    for ( int step = 0; step < 600; ++step )
    {
        world.step();
        outcome.lowest = btMin( outcome.lowest, world.lowestHeight() );
        EXPECT_TRUE( !world.rig().cullet || world.rig().cullet->getStatus() == clt_ok );
        if ( step % 20 == 0 )
        {
            EXPECT_TRUE( checkPairsOfWorld( kind, world.world() ) ) << "step " << step;
        }
    }
    outcome.contacts = world.contactCount();
    outcome.awake = world.awakeCount();
    return outcome;
}

/// The outcome of a scene on btDbvtBroadphase. The scene runs once; all contestants share the outcome.
const Outcome& outcomeOfDbvt( const Scene& scene )
{
    static std::map<std::string, Outcome> outcomes;
    const auto known = outcomes.find( scene.name );
    return known != outcomes.end() ? known->second
                                   : outcomes.emplace( scene.name, run( bulletDbvt, scene ) ).first->second;
}

/// Cullet with its default algorithm runs every scene. Each other contestant runs a fifth of the scenes, because CT-01
/// to CT-12 compare its pairs in every step.
bool runsScene( const RigKind& kind, int scene )
{
    const bool isDefault = kind.engine == Engine::cullet && kind.algorithm == clt_algorithmAuto;
    return isDefault || ( scene + kind.algorithm + int( kind.engine ) ) % 5 == 0;
}

/// The number of steps until all bodies sleep, at most 1,500.
int countStepsToSleep( const RigKind& kind, void ( *build )( BulletWorld& ) )
{
    BulletWorld world( makeRig( kind ) );
    build( world );
    int step = 0;
    while ( step < 1500 && ( step == 0 || world.awakeCount() > 0 ) )
    {
        world.step();
        ++step;
    }
    return step;
}

/// Stacks of boxes, all asleep.
struct SleepingStacks : public BulletWorld
{
    explicit SleepingStacks( const RigKind& kind ) : BulletWorld( makeRig( kind ) )
    {
        buildStacks( *this );
        step( 400 );
        EXPECT_EQ( 0, awakeCount() );
    }

    /// Moves a kinematic box over the stacks, `gap` above them. \return the largest number of boxes awake at once
    int countAwakeDuringPass( btScalar gap )
    {
        btRigidBody& box = add( 0, shape<btBoxShape>( btVector3( 1, 1, 1 ) ), at( btVector3( -10, 12 + 1 + gap, 3 ) ) );
        world().removeRigidBody( &box );
        box.setCollisionFlags( box.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT );
        box.setActivationState( DISABLE_DEACTIVATION );
        world().addRigidBody( &box );
        int most = 0;
        for ( int i = 0; i < 400; ++i )
        {
            const btTransform place = at( box.getWorldTransform().getOrigin() + btVector3( btScalar( 0.05 ), 0, 0 ) );
            box.setWorldTransform( place );
            box.setInterpolationWorldTransform( place );
            step();
            most = btMax( most, awakeCount() );
        }
        return most;
    }
};

} // namespace

/// No body falls through the floor. Bodies come to rest as on btDbvtBroadphase, with about as many contacts: another
/// order of pairs leads to other trajectories.
TEST_P( Contract, CT49_ScenesEndAsOnDbvt )
{
    int number = 0;
    const Scene scenes[] = { { "hello world", buildHelloWorld },
                             { "box heap", buildBoxHeap },
                             { "stacks", buildStacks },
                             { "wall", buildWall },
                             { "ragdolls", buildRagdolls },
                             { "hulls", buildHulls },
                             { "hull pack", buildHullPack },
                             { "primitives on mesh", buildPrimitivesOnMesh, valley },
                             { "hulls on mesh", buildHullsOnMesh, valley },
                             { "rays on mesh", buildRaysOnMesh, valley },
                             { "fork lift", buildForkLift } };
    for ( const Scene& scene : scenes )
    {
        SCOPED_TRACE( scene.name );
        if ( runsScene( GetParam(), number++ ) )
        {
            const Outcome ours = run( GetParam(), scene ), dbvts = outcomeOfDbvt( scene );
            EXPECT_GT( ours.lowest, -scene.depth ) << "fell through";
            EXPECT_GT( dbvts.lowest, -scene.depth ) << "fell through on btDbvtBroadphase";
            EXPECT_GT( dbvts.contacts, 0 ) << "without contacts the scene tests nothing";
            EXPECT_NEAR( ours.contacts, dbvts.contacts, 8 + dbvts.contacts / 6 );
            EXPECT_LE( ours.awake, dbvts.awake + 3 ) << "does not come to rest";
        }
    }
}

/// Pairs merge islands, so a wrong pair would keep bodies awake. Another order of pairs leads to other trajectories, so
/// the number of steps differs slightly.
TEST_P( Contract, CT54_PileSleepsNoLaterThanOnDbvt )
{
    for ( auto build : { buildStacks, buildHulls } )
    {
        const int dbvts = countStepsToSleep( bulletDbvt, build );
        ASSERT_LT( dbvts, 1500 );
        EXPECT_LE( countStepsToSleep( GetParam(), build ), dbvts + dbvts / 20 );
    }
}

TEST_P( Contract, CT54_KinematicBodyWakesOnlyWhatItTouches )
{
    EXPECT_EQ( 0, SleepingStacks( GetParam() ).countAwakeDuringPass( btScalar( 0.2 ) ) );
    EXPECT_GT( SleepingStacks( GetParam() ).countAwakeDuringPass( btScalar( -0.01 ) ), 0 );
}

/// The wall has its face at x = 5, the character a capsule of radius 0.5.
TEST_P( Contract, CT49_CharacterStopsAtAWall )
{
    BulletWorld level( makeRig( GetParam() ) );
    level.enableGhostPairs();
    addFloor( level );
    level.add( 0, level.shape<btBoxShape>( btVector3( 1, 5, 5 ) ), at( 6, 5, 0 ) );
    btCapsuleShape& capsule = level.shape<btCapsuleShape>( btScalar( 0.5 ), btScalar( 1 ) );
    const btVector3 start( 0, btScalar( 1.5 ), 0 );
    btPairCachingGhostObject& ghost =
        level.addObject<btPairCachingGhostObject>( capsule, start, btBroadphaseProxy::CharacterFilter,
                                                   btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter );
    ghost.setCollisionFlags( btCollisionObject::CF_CHARACTER_OBJECT );
    btKinematicCharacterController& character =
        level.keep( new btKinematicCharacterController( &ghost, &capsule, btScalar( 0.35 ), btVector3( 0, 1, 0 ) ) );
    ghost.setWorldTransform( at( start ) ); // because the constructor of the controller rotated it
    character.setGravity( btVector3( 0, -10, 0 ) );
    character.setWalkDirection( btVector3( btScalar( 0.05 ), 0, 0 ) );
    level.world().addAction( &character );
    const btVector3& place = ghost.getWorldTransform().getOrigin();
    for ( int step = 0; step < 600; ++step )
    {
        level.step();
        ASSERT_LT( place.x(), btScalar( 4.6 ) ) << "step " << step;
        ASSERT_GT( place.y(), btScalar( 0.9 ) ) << "step " << step;
    }
    EXPECT_GT( place.x(), 4 ) << "has reached the wall";
}
