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

/// Played once for all contestants.
static const Outcome& outcomeOfDbvt( const Scene& scene )
{
    static std::map<std::string, Outcome> outcomes;
    const auto known = outcomes.find( scene.name );
    return known != outcomes.end() ? known->second
                                   : outcomes.emplace( scene.name, play( bulletDbvt, scene ) ).first->second;
}

static void expectLikeDbvt( const RigKind& kind, const Scene& scene )
{
    const Outcome ours = play( kind, scene ), dbvts = outcomeOfDbvt( scene );
    EXPECT_GT( ours.lowest, -scene.depth ) << "fell through";
    EXPECT_GT( dbvts.lowest, -scene.depth ) << "fell through on btDbvtBroadphase";
    EXPECT_GT( dbvts.contacts, 0 ) << "nothing happened";
    // Other order of pairs, other trajectories, other heaps: a sixth of the contacts, a few of the bodies.
    EXPECT_NEAR( ours.contacts, dbvts.contacts, 8 + dbvts.contacts / 6 );
    EXPECT_LE( ours.awake, dbvts.awake + 3 ) << "does not come to rest";
}

/// Cullet's default plays every scene. Each of the others plays a third of them, another third than the next one:
/// what differs between them is what CT-01 to CT-12 compare in every step.
static bool playsScene( const RigKind& kind, int scene )
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
        if ( playsScene( GetParam(), number++ ) )
        {
            expectLikeDbvt( GetParam(), scene );
        }
    }
}

TEST_P( Contract, CT49_HullsOnMeshEndAsOnDbvt )
{
    expectLikeDbvt( GetParam(), { "hulls on mesh", buildHullsOnMesh, valley } );
}

/// As pybullet sets it. What sleeps keeps its last box, and its pairs.
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
