// SPDX-License-Identifier: Zlib
// What rests falls asleep, and stays asleep when something passes by: CT-54. Pairs join islands, so a pair too many
// keeps awake what should sleep.
#include "contestants.h"
#include "scenes.h"

using namespace test;

/// After how many steps nothing is awake, or so many that it never will be.
static int countStepsToSleep( const RigKind& kind, void ( *build )( BulletWorld& ) )
{
    BulletWorld world( makeRig( kind ) );
    build( world );
    const int most = 1500;
    int step = 0;
    while ( step < most && ( step == 0 || world.awakeCount() > 0 ) )
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
        // Other order of pairs, other trajectories: also who holds more pairs may be a step or two earlier.
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

/// Three layers of boxes, asleep, and a kinematic box that sweeps over them with a gap.
static int awakeAfterSweep( const RigKind& kind, btScalar gap )
{
    BulletWorld world( makeRig( kind ) );
    buildStacks( world );
    btRigidBody& sweeper = addKinematicBox( world, btVector3( -10, 12 + 1 + gap, 3 ) );
    world.step( 400 );
    EXPECT_EQ( 0, world.awakeCount() ) << "asleep to begin with";
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
    EXPECT_EQ( 0, awakeAfterSweep( GetParam(), btScalar( 0.2 ) ) );
}

TEST_P( Contract, CT54_TouchingKinematicBodyWakesBodies )
{
    EXPECT_GT( awakeAfterSweep( GetParam(), btScalar( -0.01 ) ), 0 );
}

/// A sleeping body's pairs, manifolds included, are still there when it wakes.
TEST_P( Contract, CT54_SleepingBodiesKeepTheirPairs )
{
    BulletWorld world( makeRig( GetParam() ) );
    buildStacks( world );
    world.step( 400 );
    ASSERT_EQ( 0, world.awakeCount() );
    const std::vector<char> asleep = bytesOf( world.cache() );
    ASSERT_FALSE( asleep.empty() );
    world.step( 100 );
    EXPECT_TRUE( asleep == bytesOf( world.cache() ) ) << "with their algorithms";
}
