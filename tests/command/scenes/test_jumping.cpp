// SPDX-License-Identifier: Zlib
// Jumping bodies: the share asked for, other bodies in each step, anywhere in the scene. The other bodies stay the
// same.
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

static const uint32_t bodyCount = 2000;

using ScenePtr = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

static ScenePtr createScene( cltSceneKind kind, double movingPercent, double jumpingPercent )
{
    const cltSceneDef def = { kind, bodyCount, movingPercent, 1.0f, CLT_SCENE_SEED, jumpingPercent };
    return ScenePtr( cltCreateScene( &def ), cltDestroyScene );
}

static std::vector<cltAabb> boxesOf( const cltScene& scene )
{
    return { scene.boxes, scene.boxes + scene.boxCount };
}

/// Ascending.
static std::vector<uint32_t> changed( const std::vector<cltAabb>& before, const cltScene& scene )
{
    std::vector<uint32_t> bodies;
    for ( uint32_t box = 0; box < scene.boxCount; ++box )
    {
        if ( std::memcmp( &before[box], &scene.boxes[box], sizeof( cltAabb ) ) != 0 )
        {
            bodies.push_back( box );
        }
    }
    return bodies;
}

static std::vector<uint32_t> movedInNextStep( cltScene& scene )
{
    const std::vector<cltAabb> before = boxesOf( scene );
    cltScene_Step( &scene );
    return changed( before, scene );
}

static std::vector<cltSceneKind> allKinds()
{
    std::vector<cltSceneKind> kinds;
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        kinds.push_back( cltSceneKind( kind ) );
    }
    return kinds;
}

class Jumping : public testing::TestWithParam<cltSceneKind>
{
};

INSTANTIATE_TEST_SUITE_P(, Jumping, testing::ValuesIn( allKinds() ),
                         []( const auto& info ) { return std::string( cltSceneName( info.param ) ); } );

TEST_P( Jumping, MovesTheShareAskedForAndOtherBodiesInEachStep )
{
    const ScenePtr scene = createScene( GetParam(), 0, 5 );
    EXPECT_EQ( 0u, scene->movedCount ); // no body jumps before the first step
    const std::vector<uint32_t> first = movedInNextStep( *scene );
    const std::vector<uint32_t> second = movedInNextStep( *scene );
    EXPECT_NEAR( 100, double( first.size() ), 40 ); // four standard deviations of a binomial number
    EXPECT_NEAR( 100, double( second.size() ), 40 );
    EXPECT_NE( first, second );
}

TEST_P( Jumping, MovedListsTheChangedBoxes )
{
    const ScenePtr scene = createScene( GetParam(), 3, 2 );
    for ( int step = 0; step < 4; ++step )
    {
        const std::vector<uint32_t> moved = movedInNextStep( *scene );
        EXPECT_EQ( moved, std::vector<uint32_t>( scene->moved, scene->moved + scene->movedCount ) );
    }
}

TEST_P( Jumping, LandsUniformlyInTheScene )
{
    const ScenePtr scene = createScene( GetParam(), 0, 100 );
    cltScene_Step( scene.get() );
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float end = scene->extent[axis];
        int inEighth[8] = {};
        for ( uint32_t body = 0; body < bodyCount; ++body )
        {
            const cltAabb& box = scene->boxes[body];
            const float center = 0.5f * ( box.lower[axis] + box.upper[axis] );
            ASSERT_GE( center, -0.001f * end );
            ASSERT_LE( center, 1.001f * end );
            ++inEighth[std::min( 7, std::max( 0, int( 8 * center / end ) ) )];
        }
        for ( const int count : inEighth )
        {
            EXPECT_NEAR( bodyCount / 8, count, 65 ); // over four standard deviations
        }
    }
}

TEST_P( Jumping, LeavesTheOtherBodiesUnchanged )
{
    const ScenePtr without = createScene( GetParam(), 50, 0 );
    const ScenePtr with = createScene( GetParam(), 50, 10 );
    cltScene_Step( without.get() );
    cltScene_Step( with.get() );
    EXPECT_NEAR( 200, double( changed( boxesOf( *without ), *with ).size() ), 55 );
}

TEST( JumpingColumn, LeavesBodiesAtRestWhereTheyLand )
{
    const ScenePtr scene = createScene( clt_sceneColumn, 100, 1 );
    cltScene_Step( scene.get() );
    const ScenePtr calm = createScene( clt_sceneColumn, 100, 0 );
    cltScene_Step( calm.get() );
    const std::vector<uint32_t> jumped = changed( boxesOf( *calm ), *scene );
    const std::vector<cltAabb> landed = boxesOf( *scene );
    cltScene_Step( scene.get() );
    const auto rests = [&]( uint32_t body )
    { return std::abs( scene->boxes[body].lower[2] - landed[body].lower[2] ) < 0.1f; };
    EXPECT_GT( jumped.size(), 5u );
    EXPECT_GE( std::count_if( jumped.begin(), jumped.end(), rests ) + 3,
               long( jumped.size() ) ); // 3 may jump a second time
}
