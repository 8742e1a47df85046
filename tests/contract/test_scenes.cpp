// SPDX-License-Identifier: Zlib
// Scenes like those of Bullet's examples, with only the constructor's line changed: CT-49. Nothing falls through, what
// comes to rest on btDbvtBroadphase comes to rest here, with about as many contacts.
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

TEST_P( Contract, CT49_HelloWorld )
{
    expectLikeDbvt( GetParam(), { "hello world", buildHelloWorld }, 0 );
}

TEST_P( Contract, CT49_BoxHeap )
{
    expectLikeDbvt( GetParam(), { "box heap", buildBoxHeap }, 0 );
}

TEST_P( Contract, CT49_Stacks )
{
    expectLikeDbvt( GetParam(), { "stacks", buildStacks }, 0 );
}

TEST_P( Contract, CT49_Wall )
{
    expectLikeDbvt( GetParam(), { "wall", buildWall }, 0 );
}

TEST_P( Contract, CT49_Pyramid )
{
    expectLikeDbvt( GetParam(), { "pyramid", buildPyramid }, 0 );
}

TEST_P( Contract, CT49_Tower )
{
    expectLikeDbvt( GetParam(), { "tower", buildTower }, 0 );
}

TEST_P( Contract, CT49_Ragdolls )
{
    expectLikeDbvt( GetParam(), { "ragdolls", buildRagdolls }, 0 );
}

TEST_P( Contract, CT49_Hulls )
{
    expectLikeDbvt( GetParam(), { "hulls", buildHulls }, 0 );
}

TEST_P( Contract, CT49_HullPack )
{
    expectLikeDbvt( GetParam(), { "hull pack", buildHullPack }, 0 );
}

// The mesh has valleys of 0.4.

TEST_P( Contract, CT49_PrimitivesOnMesh )
{
    expectLikeDbvt( GetParam(), { "primitives on mesh", buildPrimitivesOnMesh }, btScalar( 0.4 ) );
}

TEST_P( Contract, CT49_HullsOnMesh )
{
    expectLikeDbvt( GetParam(), { "hulls on mesh", buildHullsOnMesh }, btScalar( 0.4 ) );
}

TEST_P( Contract, CT49_RaysOnMesh )
{
    expectLikeDbvt( GetParam(), { "rays on mesh", buildRaysOnMesh }, btScalar( 0.4 ) );
}

TEST_P( Contract, CT49_ForkLift )
{
    expectLikeDbvt( GetParam(), { "fork lift", buildForkLift }, 0 );
}

TEST_P( Contract, CT49_Hinge2Car )
{
    expectLikeDbvt( GetParam(), { "hinge2 car", buildHinge2Car }, 0 );
}
