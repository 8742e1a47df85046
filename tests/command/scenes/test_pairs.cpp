// SPDX-License-Identifier: Zlib
// The pairs of the named scenes, and how they change from step to step.
#include "demos/oracle/oracle.h"
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include <memory>

namespace
{

using cullet::PairSet;
using ScenePtr = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

constexpr uint32_t sceneSize = 2000;

ScenePtr createScene( cltSceneKind kind, float speed = 1, uint32_t bodyCount = sceneSize )
{
    const cltSceneDef def = { kind, bodyCount, 100, speed, CLT_SCENE_SEED, 0.0 };
    return ScenePtr( cltCreateScene( &def ), cltDestroyScene );
}

PairSet pairsOf( const cltScene& scene, bool areFiltered = true )
{
    std::vector<cullet::Candidate<cltAabb>> candidates;
    for ( uint32_t box = 0; box < scene.boxCount; ++box )
    {
        candidates.push_back( { scene.boxes[box], areFiltered ? scene.filters[box] : cullet::openFilter, box } );
    }
    return cullet::sweptPairs( std::move( candidates ) );
}

/// The number of bodies that overlap their own previous box after a step.
uint32_t countOverlappingPrevious( cltScene& scene )
{
    const std::vector<cltAabb> before( scene.boxes, scene.boxes + sceneSize );
    cltScene_Step( &scene );
    uint32_t count = 0;
    for ( uint32_t body = 0; body < sceneSize; ++body )
    {
        count += cullet::overlap( before[body], scene.boxes[body] );
    }
    return count;
}

} // namespace

/// The number of pairs of each scene. That of `corridor` is the number that Karras published.
TEST( Pairs, AreAsManyAsExpected )
{
    const std::pair<cltSceneKind, size_t> known[] = { { clt_sceneCloth, 13016 },   { clt_sceneTeams, 4338 },
                                                      { clt_sceneTangle, 133771 }, { clt_sceneLevel, 2627 },
                                                      { clt_sceneTremble, 7197 },  { clt_sceneDebris, 2 } };
    for ( const auto& [kind, count] : known )
    {
        EXPECT_EQ( count, pairsOf( *createScene( kind ) ).size() ) << cltSceneName( kind );
    }
    EXPECT_EQ( 73704u, pairsOf( *createScene( clt_sceneCorridor, 1, 12486 ) ).size() );
}

TEST( Pairs, FollowTheFiltersOfTheScene )
{
    const ScenePtr debris = createScene( clt_sceneDebris ), level = createScene( clt_sceneLevel );
    EXPECT_EQ( 11 * sceneSize, level->boxCount );
    EXPECT_LT( 3 * sceneSize, pairsOf( *debris, false ).size() );
    for ( const cullet::PairKey pair : pairsOf( *debris ) )
    {
        EXPECT_EQ( sceneSize, cullet::largerOf( pair ) ); // the floor
    }
    for ( const cullet::PairKey pair : pairsOf( *level ) )
    {
        EXPECT_GT( sceneSize, cullet::smallerOf( pair ) ); // a body that moves
    }
}

TEST( Motion, OfClothIsSmoothUnlessItsSpeedIsHigh )
{
    EXPECT_LT( 49 * sceneSize / 50, countOverlappingPrevious( *createScene( clt_sceneCloth ) ) );
    EXPECT_GT( sceneSize / 5, countOverlappingPrevious( *createScene( clt_sceneCloth, 100 ) ) );
}

TEST( Motion, OfTremblingBodiesEndsFewPairs )
{
    const ScenePtr scene = createScene( clt_sceneTremble );
    const PairSet previous = pairsOf( *scene );
    for ( int step = 0; step < 20; ++step )
    {
        cltScene_Step( scene.get() );
    }
    const PairSet current = pairsOf( *scene );
    EXPECT_NE( previous, current );
    EXPECT_GT( previous.size() / 20, cullet::difference( previous, current ).size() );
}
