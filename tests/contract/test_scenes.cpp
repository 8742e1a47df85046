// SPDX-License-Identifier: Zlib
// Scenes like those of Bullet's examples, with only the constructor's line changed: CT-49, and CT-13. Nothing falls
// through, what comes to rest on btDbvtBroadphase comes to rest here, with about as many contacts.
#include "contestants.h"
#include "scenes.h"

#include <map>
#include <string>

using namespace test;

struct Outcome
{
    int contacts;
    int awake;
    btScalar lowest;
};

static const int stepCount = 600;

static Outcome play( const RigKind& kind, const Scene& scene )
{
    const Rig rig = makeRig( kind );
    BulletWorld world( *rig.broadphase );
    scene.build( world );
    Outcome outcome = { 0, 0, BT_LARGE_FLOAT };
    for ( int step = 0; step < stepCount; ++step )
    {
        world.step();
        outcome.lowest = btMin( outcome.lowest, world.lowest() );
        if ( rig.cullet )
        {
            EXPECT_EQ( clt_ok, rig.cullet->getStatus() );
        }
        if ( step % 20 == 0 )
        {
            EXPECT_TRUE( holdsPairsOfBoxes( kind, world.world() ) ) << "step " << step;
        }
    }
    outcome.contacts = world.contactCount();
    outcome.awake = world.awakeCount();
    return outcome;
}

/// Played once for all contestants.
static const Outcome& outcomeOfDbvt( const Scene& scene )
{
    static std::map<std::string, Outcome> outcomes;
    const auto known = outcomes.find( scene.name );
    return known != outcomes.end() ? known->second
                                   : outcomes.emplace( scene.name, play( bulletDbvt, scene ) ).first->second;
}

/// \param depth  how far below height 0 the middle of a body may ever be
static void expectLikeDbvt( const RigKind& kind, const Scene& scene, btScalar depth )
{
    const Outcome ours = play( kind, scene ), dbvts = outcomeOfDbvt( scene );
    EXPECT_GT( ours.lowest, -depth ) << "fell through";
    EXPECT_GT( dbvts.lowest, -depth ) << "fell through on btDbvtBroadphase";
    EXPECT_GT( dbvts.contacts, 0 ) << "nothing happened";
    // Other order of pairs, other trajectories, other heaps: a sixth of the contacts, a few of the bodies.
    EXPECT_NEAR( ours.contacts, dbvts.contacts, 8 + dbvts.contacts / 6 );
    EXPECT_LE( ours.awake, dbvts.awake + 3 ) << "does not come to rest";
}

struct SceneAndDepth
{
    Scene scene;
    double depth;
};

const double valley = 0.4; // how deep the mesh's are

static const SceneAndDepth scenes[] = {
    { { "hello world", buildHelloWorld }, 0 },
    { { "box heap", buildBoxHeap }, 0 },
    { { "stacks", buildStacks }, 0 },
    { { "wall", buildWall }, 0 },
    { { "pyramid", buildPyramid }, 0 },
    { { "tower", buildTower }, 0 },
    { { "ragdolls", buildRagdolls }, 0 },
    { { "hulls", buildHulls }, 0 },
    { { "hull pack", buildHullPack }, 0 },
    { { "primitives on mesh", buildPrimitivesOnMesh }, valley },
    { { "rays on mesh", buildRaysOnMesh }, valley },
    { { "fork lift", buildForkLift }, 0 },
    { { "hinge2 car", buildHinge2Car }, 0 },
};

TEST_P( Contract, CT49_Scenes )
{
    for ( const SceneAndDepth& one : scenes )
    {
        SCOPED_TRACE( one.scene.name );
        expectLikeDbvt( GetParam(), one.scene, btScalar( one.depth ) );
    }
}

TEST_P( Contract, CT49_HullsOnMesh )
{
    expectLikeDbvt( GetParam(), { "hulls on mesh", buildHullsOnMesh }, btScalar( valley ) );
}

/// As pybullet sets it. What sleeps keeps its last box, and its pairs.
TEST_P( Contract, CT13_OnlyActiveBodiesAreUpdated )
{
    const Rig rig = makeRig( GetParam() );
    BulletWorld world( *rig.broadphase );
    buildBoxHeap( world );
    world.world().setForceUpdateAllAabbs( false );
    for ( int step = 0; step < 360; ++step )
    {
        world.step();
        ASSERT_TRUE( holdsPairsOfBoxes( GetParam(), world.world() ) ) << "step " << step;
        ASSERT_GT( world.lowest(), 0 );
    }
}
