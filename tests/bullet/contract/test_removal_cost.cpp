// SPDX-License-Identifier: Zlib
// The cost of removing objects from a world: CT-19. The slow test prints times:
//
//     cullet_test_contract_float CT-19-large cullet_wide_own cullet_wide_given btDbvt
#include "contestants.h"
#include "demos/report/timing.h"

#include <cmath>
#include <cstdio>

using namespace test;
using cullet::compare::medianIfAny;
using cullet::compare::millisecondsOf;

namespace
{
/// Objects in a btCollisionWorld, at random places with five pairs per object. A btDynamicsWorld would add a search of
/// its own to each removal.
struct LargeWorld
{
    LargeWorld( const RigKind& kind, int count )
        : rig( makeRig( kind ) ), objects( size_t( count ) ),
          world( new btCollisionWorld( &dispatcher, rig.broadphase.get(), &configuration ) )
    {
        // n boxes of edge 1 in a cube of edge e: each meets 8 n / e^3 others, and that is to be ten.
        const double edge = std::cbrt( 0.8 * count );
        Random random( 19 );
        for ( btCollisionObject& object : objects )
        {
            object.getWorldTransform().setOrigin( randomPoint( random, edge / 2 ) );
            object.setCollisionShape( &shape );
        }
    }

    void addAll()
    {
        for ( btCollisionObject& object : objects )
        {
            world->addCollisionObject( &object );
        }
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{ &configuration };
    btBoxShape shape{ btVector3( 1, 1, 1 ) / 2 };
    Rig rig;
    std::vector<btCollisionObject> objects;
    std::unique_ptr<btCollisionWorld> world;
};

/// Removes all pairs, or deleting the world would take minutes.
void removePairs( LargeWorld& scene )
{
    walkPairs(
        scene.rig.cache(), []( btBroadphasePair& ) { return true; }, &scene.dispatcher );
}
} // namespace

/// Bullet's pair cache walks all pairs twice for each removed object. The limit here is a quarter of one walk, which is
/// far less than two walks, and far more than the cost of an object's ten pairs.
TEST_P( Contract, CT19_RemovalIsCheaperThanWalkingAllPairs )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << "btCollisionWorld itself walks all pairs of a given cache";
    }
    LargeWorld scene( GetParam(), 16000 );
    scene.addAll();
    scene.world->computeOverlappingPairs();
    ASSERT_GT( scene.rig.cache().getNumOverlappingPairs(), 60000 );
    std::vector<double> removals, walks;
    for ( size_t i = 0; i < 100; ++i )
    {
        removals.push_back( millisecondsOf( [&] { scene.world->removeCollisionObject( &scene.objects[i] ); } ) );
        walks.push_back(
            millisecondsOf( [&] { walkPairs( scene.rig.cache(), []( btBroadphasePair& ) { return false; } ); } ) );
    }
    removePairs( scene );
    EXPECT_LT( *medianIfAny( removals ), *medianIfAny( walks ) / 4 );
}

TEST_P( Contract, CT19Large_RemovalFromAHundredThousandObjectsIsFast )
{
    const bool isSlowToFill = GetParam().engine == Engine::simple || GetParam().engine == Engine::sap;
    if ( isSlowToFill || GetParam().algorithm == clt_algorithmBruteForce )
    {
        GTEST_SKIP() << "creating the objects alone takes minutes";
    }
    LargeWorld scene( GetParam(), 100000 );
    const double adding = millisecondsOf( [&] { scene.addAll(); } );
    scene.world->computeOverlappingPairs();
    const int pairCount = scene.rig.cache().getNumOverlappingPairs();
    ASSERT_GT( pairCount, 450000 );
    const double removing = millisecondsOf(
        [&]
        {
            for ( size_t i = 0; i < 1000; ++i )
            {
                scene.world->removeCollisionObject( &scene.objects[i] );
            }
        } );
    std::printf( "%d pairs; milliseconds: add all %.0f, remove 1,000 %.1f", pairCount, adding, removing );
    if ( GetParam().engine == Engine::culletHashed )
    {
        std::printf( "\n" );
        removePairs( scene );
        GTEST_SKIP() << "btCollisionWorld itself walks all pairs of a given cache";
    }
    const double deleting = millisecondsOf( [&] { scene.world.reset(); } );
    std::printf( ", delete the world %.0f\n", deleting );
    EXPECT_LT( removing, 1000 );
    EXPECT_LT( deleting, 5000 );
}
