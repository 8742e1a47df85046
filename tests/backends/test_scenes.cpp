// SPDX-License-Identifier: Zlib
// The named scenes, in which everything, a tenth, a hundredth or nothing moves.
#include "demos/scenes/scenes.h"
#include "tests/backends/each_config.h"

#include <tuple>

using namespace test;

static const cltSceneKind allScenes[] = { clt_sceneBrownian, clt_sceneMixed, clt_sceneColumn, clt_sceneClustered };

static void followScene( const cltBroadphaseDef& def, cltSceneKind kind, uint32_t bodyCount, double movingPercent )
{
    cltSceneDef sceneDef = { kind, bodyCount, movingPercent, 1.0f, CLT_SCENE_SEED, 0.0 };
    cltScene* scene = cltCreateScene( &sceneDef );
    ASSERT_NE( nullptr, scene );
    World world( def );
    for ( uint32_t i = 0; i < scene->boxCount; ++i )
    {
        world.create( toDouble( scene->boxes[i] ), scene->filters[i] );
    }
    world.update();
    for ( int step = 0; step < 5; ++step )
    {
        cltScene_Step( scene );
        for ( uint32_t i = 0; i < scene->movedCount; ++i )
        {
            cltProxyId proxy = scene->moved[i]; // a fresh broadphase gives ids in order
            world.move( proxy, toDouble( scene->boxes[proxy] ) );
        }
        world.update();
    }
    cltDestroyScene( scene );
}

using SceneParam = std::tuple<Config, cltSceneKind>;

static std::string sceneParamName( const testing::TestParamInfo<SceneParam>& info )
{
    return std::string( cltSceneName( std::get<1>( info.param ) ) ) + "_" + nameOf( std::get<0>( info.param ) );
}

class Scenes : public testing::TestWithParam<SceneParam>
{
};

INSTANTIATE_TEST_SUITE_P(, Scenes,
                         testing::Combine( testing::ValuesIn( allConfigs() ), testing::ValuesIn( allScenes ) ),
                         sceneParamName );

TEST_P( Scenes, EqualBruteForce )
{
    for ( double movingPercent : { 100.0, 10.0, 1.0, 0.0 } )
    {
        SCOPED_TRACE( movingPercent );
        followScene( defOf( std::get<0>( GetParam() ) ), std::get<1>( GetParam() ), 400, movingPercent );
    }
}

class ScenesLarge : public testing::TestWithParam<SceneParam>
{
};

INSTANTIATE_TEST_SUITE_P(, ScenesLarge,
                         testing::Combine( testing::ValuesIn( configsWith( 2 ) ), testing::ValuesIn( allScenes ) ),
                         sceneParamName );

TEST_P( ScenesLarge, EqualBruteForce )
{
    for ( double movingPercent : { 100.0, 10.0 } )
    {
        SCOPED_TRACE( movingPercent );
        followScene( defOf( std::get<0>( GetParam() ) ), std::get<1>( GetParam() ), 4000, movingPercent );
    }
}
