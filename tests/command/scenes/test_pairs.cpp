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

ScenePtr createScene( cltSceneKind kind, float speed )
{
    const cltSceneDef def = { kind, sceneSize, 100, speed, CLT_SCENE_SEED, 0.0 };
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

TEST( Pairs, AreAsManyAsPublished )
{
    const std::pair<cltSceneKind, size_t> known[] = { { clt_sceneCloth, 13016 },   { clt_sceneTeams, 4338 },
                                                      { clt_sceneTangle, 133771 }, { clt_sceneLevel, 2627 },
                                                      { clt_sceneTremble, 7197 },  { clt_sceneDebris, 2 } };
    for ( const auto& [kind, count] : known )
    {
        EXPECT_EQ( count, pairsOf( *createScene( kind, 1 ) ).size() ) << cltSceneName( kind );
    }
}

TEST( Pairs, OfCorridorAreAsManyAsKarrasCounted )
{
    const cltSceneDef def = { clt_sceneCorridor, 12486, 100, 1, CLT_SCENE_SEED, 0.0 };
    EXPECT_EQ( 73704u, pairsOf( *ScenePtr( cltCreateScene( &def ), cltDestroyScene ) ).size() );
}

TEST( Pairs, OfTeamsAreThePairsOfClothBetweenTeams )
{
    const ScenePtr cloth = createScene( clt_sceneCloth, 1 );
    PairSet across = pairsOf( *cloth );
    const auto isOfOneTeam = [&]( cullet::PairKey pair )
    { return cloth->filters[cullet::smallerOf( pair )].group == cloth->filters[cullet::largerOf( pair )].group; };
    across.erase( std::remove_if( across.begin(), across.end(), isOfOneTeam ), across.end() );
    EXPECT_EQ( across, pairsOf( *createScene( clt_sceneTeams, 1 ) ) );
}

TEST( Pairs, OfDebrisAllHaveTheFloor )
{
    const ScenePtr scene = createScene( clt_sceneDebris, 1 );
    for ( const cullet::PairKey pair : pairsOf( *scene ) )
    {
        EXPECT_EQ( sceneSize, cullet::largerOf( pair ) );
    }
    EXPECT_LT( 3 * sceneSize, pairsOf( *scene, false ).size() );
}

TEST( Pairs, OfLevelAllHaveAMovingBody )
{
    const ScenePtr scene = createScene( clt_sceneLevel, 1 );
    EXPECT_EQ( 11 * sceneSize, scene->boxCount );
    for ( const cullet::PairKey pair : pairsOf( *scene ) )
    {
        EXPECT_GT( sceneSize, cullet::smallerOf( pair ) );
    }
}

TEST( Motion, OfClothIsSmoothUnlessItsSpeedIsHigh )
{
    const ScenePtr smooth = createScene( clt_sceneCloth, 1 );
    EXPECT_LT( 49 * sceneSize / 50, countOverlappingPrevious( *smooth ) );
    const ScenePtr fast = createScene( clt_sceneCloth, 100 );
    EXPECT_GT( sceneSize / 5, countOverlappingPrevious( *fast ) );
}

TEST( Motion, OfTremblingBodiesEndsFewPairs )
{
    const ScenePtr scene = createScene( clt_sceneTremble, 1 );
    const PairSet previous = pairsOf( *scene );
    for ( int step = 0; step < 20; ++step )
    {
        cltScene_Step( scene.get() );
    }
    const PairSet current = pairsOf( *scene );
    EXPECT_NE( previous, current );
    EXPECT_GT( previous.size() / 20, cullet::difference( previous, current ).size() );
}
