// SPDX-License-Identifier: Zlib Resting bodies fall asleep, and stay asleep when another body passes: CT-54. Pairs
// merge islands, so a wrong pair would keep bodies awake.
#include "contestants.h"
#include "scenes.h"

using namespace test;

/// The number of steps until all bodies sleep, at most 1,500.
static int countStepsToSleep( const RigKind& kind, void ( *build )( BulletWorld& ) )
{
    BulletWorld world( makeRig( kind ) );
    build( world );
    const int limit = 1500;
    int step = 0;
    while ( step < limit && ( step == 0 || world.awakeCount() > 0 ) )
    {
        world.step();
        ++step;
    }
    return step;
}

TEST_P( Contract, CT54_PileSleepsNoLaterThanOnDbvt )
{
    for ( auto build : { buildStacks, buildPyramid, buildHulls } )
    {
        const int dbvts = countStepsToSleep( bulletDbvt, build );
        ASSERT_LT( dbvts, 1500 );
        // Another order of pairs leads to other trajectories, so the number of steps differs slightly.
        EXPECT_LE( countStepsToSleep( GetParam(), build ), dbvts + dbvts / 20 );
    }
}

static btRigidBody& addKinematicBox( BulletWorld& world, const btVector3& place )
{
    btBoxShape& shape = world.shape<btBoxShape>( btVector3( 1, 1, 1 ) );
    btRigidBody& body = world.add( 0, shape, btTransform( btQuaternion::getIdentity(), place ) );
    world.world().removeRigidBody( &body );
    body.setCollisionFlags( body.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT );
    body.setActivationState( DISABLE_DEACTIVATION );
    world.world().addRigidBody( &body );
    return body;
}

/// A kinematic box moves over stacks of sleeping boxes at a distance of `gap`.
/// \return the largest number of boxes awake at once
static int countAwakeDuringPass( const RigKind& kind, btScalar gap )
{
    BulletWorld world( makeRig( kind ) );
    buildStacks( world );
    btRigidBody& sweeper = addKinematicBox( world, btVector3( -10, 12 + 1 + gap, 3 ) );
    world.step( 400 );
    EXPECT_EQ( 0, world.awakeCount() ) << "all must sleep at first";
    int most = 0;
    for ( int step = 0; step < 400; ++step )
    {
        btTransform transform = sweeper.getWorldTransform();
        transform.getOrigin().setX( transform.getOrigin().x() + btScalar( 0.05 ) );
        sweeper.setWorldTransform( transform );
        sweeper.setInterpolationWorldTransform( transform );
        world.step();
        most = btMax( most, world.awakeCount() );
    }
    return most;
}

TEST_P( Contract, CT54_PassingKinematicBodyWakesNothing )
{
    EXPECT_EQ( 0, countAwakeDuringPass( GetParam(), btScalar( 0.2 ) ) );
}

TEST_P( Contract, CT54_TouchingKinematicBodyWakesBodies )
{
    EXPECT_GT( countAwakeDuringPass( GetParam(), btScalar( -0.01 ) ), 0 );
}

/// The pairs keep their algorithms, too.
TEST_P( Contract, CT54_SleepingBodiesKeepTheirPairs )
{
    BulletWorld world( makeRig( GetParam() ) );
    buildStacks( world );
    world.step( 400 );
    ASSERT_EQ( 0, world.awakeCount() );
    const std::vector<char> asleep = bytesOf( world.cache() );
    ASSERT_FALSE( asleep.empty() );
    world.step( 100 );
    EXPECT_TRUE( asleep == bytesOf( world.cache() ) ) << "a pair or its algorithm has changed";
}
