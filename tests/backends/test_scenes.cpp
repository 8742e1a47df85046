// SPDX-License-Identifier: Zlib
// The named scenes, in which everything, a tenth, a hundredth or nothing moves.
#include "demos/scenes/scenes.h"
#include "tests/backends/each_config.h"

using namespace test;

namespace
{

void followScene( const cltBroadphaseDef& def, cltSceneKind kind, uint32_t bodyCount, double movingPercent )
{
    SCOPED_TRACE( std::string( cltSceneName( kind ) ) + ", " + std::to_string( movingPercent ) + " % moving" );
    const cltSceneDef sceneDef = { kind, bodyCount, movingPercent, 1.0f, CLT_SCENE_SEED, 0.0 };
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
            const cltProxyId proxy = scene->moved[i]; // a fresh broadphase gives ids in order
            world.move( proxy, toDouble( scene->boxes[proxy] ) );
        }
        world.update();
    }
    cltDestroyScene( scene );
}

void followScenes( const cltBroadphaseDef& def, uint32_t bodyCount, std::initializer_list<double> movingPercents )
{
    for ( cltSceneKind kind : { clt_sceneBrownian, clt_sceneMixed, clt_sceneColumn, clt_sceneClustered } )
    {
        for ( double movingPercent : movingPercents )
        {
            followScene( def, kind, bodyCount, movingPercent );
        }
    }
}

} // namespace

CLT_EACH_CONFIG( Scenes );

TEST_P( Scenes, EqualTheOracle )
{
    followScenes( def(), 400, { 100, 10, 1, 0 } );
}

class ScenesLarge : public EachConfig
{
};

INSTANTIATE_TEST_SUITE_P(, ScenesLarge, testing::ValuesIn( configsWith( 1 ) ), configName );

TEST_P( ScenesLarge, EqualTheOracle )
{
    followScenes( def(), 4000, { 100, 10 } );
}
