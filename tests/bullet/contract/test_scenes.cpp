// SPDX-License-Identifier: Zlib
// Scenes of Bullet's examples, with only the line of the constructor changed: CT-49, and CT-13. No body falls through
// the floor. Bodies come to rest as on btDbvtBroadphase, with about as many contacts.
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

static Outcome run( const RigKind& kind, const Scene& scene )
{
    BulletWorld world( makeRig( kind ) );
    scene.build( world );
    Outcome outcome = { 0, 0, BT_LARGE_FLOAT };
    for ( int step = 0; step < stepCount; ++step )
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

/// Run once for all contestants.
static const Outcome& outcomeOfDbvt( const Scene& scene )
{
    static std::map<std::string, Outcome> outcomes;
    const auto known = outcomes.find( scene.name );
    return known != outcomes.end() ? known->second
                                   : outcomes.emplace( scene.name, run( bulletDbvt, scene ) ).first->second;
}

static void expectLikeDbvt( const RigKind& kind, const Scene& scene )
{
    const Outcome ours = run( kind, scene ), dbvts = outcomeOfDbvt( scene );
    EXPECT_GT( ours.lowest, -scene.depth ) << "fell through";
    EXPECT_GT( dbvts.lowest, -scene.depth ) << "fell through on btDbvtBroadphase";
    EXPECT_GT( dbvts.contacts, 0 ) << "without contacts the scene tests nothing";
    // Another order of pairs leads to other trajectories, so a sixth of the contacts and a few bodies may differ.
    EXPECT_NEAR( ours.contacts, dbvts.contacts, 8 + dbvts.contacts / 6 );
    EXPECT_LE( ours.awake, dbvts.awake + 3 ) << "does not come to rest";
}

/// Cullet's default runs every scene. Each other contestant runs a third, because CT-01 to CT-12 compare its pairs in
/// every step. Together they run every scene.
static bool runsScene( const RigKind& kind, int scene )
{
    const bool isDefault = kind.engine == Engine::cullet && kind.algorithm == clt_algorithmWide;
    return isDefault || ( scene + kind.algorithm + int( kind.engine ) ) % 3 == 0;
}

TEST_P( Contract, CT49_ScenesEndAsOnDbvt )
{
    int number = 0;
    const Scene scenes[] = { { "hello world", buildHelloWorld },
                             { "box heap", buildBoxHeap },
                             { "stacks", buildStacks },
                             { "wall", buildWall },
                             { "pyramid", buildPyramid },
                             { "tower", buildTower },
                             { "ragdolls", buildRagdolls },
                             { "hulls", buildHulls },
                             { "hull pack", buildHullPack },
                             { "primitives on mesh", buildPrimitivesOnMesh, valley },
                             { "rays on mesh", buildRaysOnMesh, valley },
                             { "fork lift", buildForkLift },
                             { "hinge2 car", buildHinge2Car } };
    for ( const Scene& scene : scenes )
    {
        SCOPED_TRACE( scene.name );
        if ( runsScene( GetParam(), number++ ) )
        {
            expectLikeDbvt( GetParam(), scene );
        }
    }
}

TEST_P( Contract, CT49_HullsOnMeshEndAsOnDbvt )
{
    expectLikeDbvt( GetParam(), { "hulls on mesh", buildHullsOnMesh, valley } );
}

/// As in pybullet. Sleeping bodies keep their last box and their pairs.
TEST_P( Contract, CT13_PairsAreCorrectWhenOnlyActiveBodiesAreUpdated )
{
    BulletWorld world( makeRig( GetParam() ) );
    buildBoxHeap( world );
    world.world().setForceUpdateAllAabbs( false );
    for ( int step = 0; step < 360; ++step )
    {
        world.step();
        ASSERT_TRUE( checkPairsOfWorld( GetParam(), world.world() ) ) << "step " << step;
        ASSERT_GT( world.lowestHeight(), 0 );
    }
}
