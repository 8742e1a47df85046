// SPDX-License-Identifier: Zlib
// What it costs to take objects out of a world: CT-19. The test that takes long prints the times themselves:
//
//     cullet_test_contract_float CT-19-large cullet_wide_own cullet_wide_given btDbvt
#include "contestants.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>

using namespace test;

namespace
{
/// Many overlapping objects in a btCollisionWorld, at random places that give five pairs an object, whatever their
/// number. A btDynamicsWorld would add a search of its own to each removal.
struct Crowd
{
    Crowd( const RigKind& kind, int count )
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

template <typename Function>
double milliseconds( Function function )
{
    const auto begin = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double, std::milli>( std::chrono::steady_clock::now() - begin ).count();
}

/// So that being interrupted now and then does not matter.
double median( std::vector<double>& times )
{
    const auto middle = times.begin() + std::ptrdiff_t( times.size() / 2 );
    std::nth_element( times.begin(), middle, times.end() );
    return *middle;
}

/// Or deleting the world would take minutes.
void forgetPairs( Crowd& crowd )
{
    walkPairs(
        crowd.rig.cache(), []( btBroadphasePair& ) { return true; }, &crowd.dispatcher );
}
} // namespace

/// Bullet's pair cache walks all pairs twice for each object. A quarter of one walk is far from both that and the cost
/// of ten neighbours.
TEST_P( Contract, CT19_RemovalIsCheaperThanWalkingAllPairs )
{
    if ( GetParam().engine == Engine::culletHashed )
    {
        GTEST_SKIP() << "the world itself walks a given cache from end to end";
    }
    Crowd crowd( GetParam(), 16000 );
    crowd.addAll();
    crowd.world->computeOverlappingPairs();
    ASSERT_GT( crowd.rig.cache().getNumOverlappingPairs(), 60000 );
    std::vector<double> removals, walks;
    for ( size_t i = 0; i < 100; ++i )
    {
        removals.push_back( milliseconds( [&] { crowd.world->removeCollisionObject( &crowd.objects[i] ); } ) );
        walks.push_back(
            milliseconds( [&] { walkPairs( crowd.rig.cache(), []( btBroadphasePair& ) { return false; } ); } ) );
    }
    forgetPairs( crowd );
    EXPECT_LT( median( removals ), median( walks ) / 4 );
}

TEST_P( Contract, CT19Large_RemovalFromAHundredThousandObjectsIsFast )
{
    const bool isSlowToFill = GetParam().engine == Engine::simple || GetParam().engine == Engine::sap;
    if ( isSlowToFill || GetParam().algorithm == clt_algorithmBruteForce )
    {
        GTEST_SKIP() << "only to fill it takes minutes";
    }
    Crowd crowd( GetParam(), 100000 );
    const double adding = milliseconds( [&] { crowd.addAll(); } );
    crowd.world->computeOverlappingPairs();
    const int pairCount = crowd.rig.cache().getNumOverlappingPairs();
    ASSERT_GT( pairCount, 450000 );
    const double removing = milliseconds(
        [&]
        {
            for ( size_t i = 0; i < 1000; ++i )
            {
                crowd.world->removeCollisionObject( &crowd.objects[i] );
            }
        } );
    std::printf( "%d pairs; milliseconds: add all %.0f, remove 1,000 %.1f", pairCount, adding, removing );
    if ( GetParam().engine == Engine::culletHashed )
    {
        std::printf( "\n" );
        forgetPairs( crowd );
        GTEST_SKIP() << "the world itself walks a given cache from end to end";
    }
    const double deleting = milliseconds( [&] { crowd.world.reset(); } );
    std::printf( ", delete the world %.0f\n", deleting );
    EXPECT_LT( removing, 1000 );
    EXPECT_LT( deleting, 5000 );
}
