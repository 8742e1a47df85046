// SPDX-License-Identifier: Zlib
// The requested share of the bodies jumps, different bodies in each step, to anywhere in the scene. All other bodies
// have the same boxes as without jumps.
#include "demos/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

static const uint32_t bodyCount = 2000;

using ScenePtr = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;
using Bodies = std::vector<uint32_t>;

static ScenePtr createScene( int kind, double movingPercent, double jumpingPercent )
{
    const cltSceneDef def = { cltSceneKind( kind ), bodyCount, movingPercent, 1.0f, CLT_SCENE_SEED, jumpingPercent };
    return ScenePtr( cltCreateScene( &def ), cltDestroyScene );
}

/// The boxes that differ from those in `before`, without those that the last step replaced, ascending.
static Bodies changed( const std::vector<cltAabb>& before, const cltScene& scene )
{
    Bodies bodies;
    const std::set<uint32_t> replaced( scene.replaced, scene.replaced + scene.replacedCount );
    for ( uint32_t box = 0; box < scene.boxCount; ++box )
    {
        if ( replaced.count( box ) == 0 && std::memcmp( &before[box], &scene.boxes[box], sizeof( cltAabb ) ) != 0 )
        {
            bodies.push_back( box );
        }
    }
    return bodies;
}

static Bodies movedInNextStep( cltScene& scene )
{
    const std::vector<cltAabb> before( scene.boxes, scene.boxes + scene.boxCount );
    cltScene_Step( &scene );
    return changed( before, scene );
}

class Jumping : public testing::TestWithParam<int>
{
};

INSTANTIATE_TEST_SUITE_P(, Jumping, testing::Range( 0, CLT_SCENE_COUNT ),
                         []( const auto& info ) { return std::string( cltSceneName( cltSceneKind( info.param ) ) ); } );

TEST_P( Jumping, MovesTheRequestedShareAndOtherBodiesInEachStep )
{
    const ScenePtr scene = createScene( GetParam(), 0, 5 );
    EXPECT_EQ( 0u, scene->movedCount ); // no body jumps before the first step
    Bodies last;
    for ( int step = 0; step < 2; ++step )
    {
        const Bodies moved = movedInNextStep( *scene );
        EXPECT_EQ( moved, Bodies( scene->moved, scene->moved + scene->movedCount ) );
        EXPECT_NEAR( 100, double( moved.size() ), 40 ); // four standard deviations of a binomial number
        EXPECT_NE( last, moved );
        last = moved;
    }
    const ScenePtr without = createScene( GetParam(), 50, 0 );
    const ScenePtr with = createScene( GetParam(), 50, 10 );
    cltScene_Step( without.get() );
    cltScene_Step( with.get() );
    EXPECT_NEAR( 200, double( changed( { without->boxes, without->boxes + without->boxCount }, *with ).size() ), 55 );
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

TEST( JumpingColumn, LeavesBodiesAtRestWhereTheyLand )
{
    const ScenePtr scene = createScene( clt_sceneColumn, 100, 1 );
    const ScenePtr calm = createScene( clt_sceneColumn, 100, 0 );
    cltScene_Step( scene.get() );
    cltScene_Step( calm.get() );
    const Bodies jumped = changed( { calm->boxes, calm->boxes + calm->boxCount }, *scene );
    const std::vector<cltAabb> landed( scene->boxes, scene->boxes + scene->boxCount );
    cltScene_Step( scene.get() );
    const auto rests = [&]( uint32_t body )
    { return std::abs( scene->boxes[body].lower[2] - landed[body].lower[2] ) < 0.1f; };
    EXPECT_GT( jumped.size(), 5u );
    // up to three of these bodies may have jumped a second time
    EXPECT_GE( std::count_if( jumped.begin(), jumped.end(), rests ) + 3, long( jumped.size() ) );
}

TEST( Churn, ReplacesOtherStaticBoxesInEachStep )
{
    const ScenePtr scene = createScene( clt_sceneChurn, 0, 0 );
    std::set<uint32_t> replaced;
    for ( int step = 1; step <= 5; ++step )
    {
        const std::vector<cltAabb> before( scene->boxes, scene->boxes + scene->boxCount );
        cltScene_Step( scene.get() );
        for ( uint32_t k = 0; k < scene->replacedCount; ++k )
        {
            const uint32_t box = scene->replaced[k];
            EXPECT_TRUE( box >= bodyCount && box < scene->boxCount );
            EXPECT_NE( 0, std::memcmp( &before[box], &scene->boxes[box], sizeof( cltAabb ) ) );
            replaced.insert( box );
        }
        EXPECT_EQ( size_t( step ) * bodyCount / 20, replaced.size() );
    }
}
