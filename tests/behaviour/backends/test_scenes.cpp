// SPDX-License-Identifier: Zlib
// The named scenes: every algorithm, with any number of threads, reports the same bytes. The bytes are the pairs and
// changes that follow from the definition of an overlap, in canonical order.
#include "demos/scenes/scenes.h"
#include "tests/behaviour/backends/each_config.h"

using namespace test;

namespace
{

/// Runs the scenes with each of the defs, and expects the pairs and changes of the oracle.
void expectExact( std::initializer_list<cltSceneKind> kinds, uint32_t bodyCount,
                  std::initializer_list<double> movingPercents, const std::vector<cltBroadphaseDef>& defs )
{
    for ( cltSceneKind kind : kinds )
    {
        for ( double movingPercent : movingPercents )
        {
            for ( const cltBroadphaseDef& def : defs )
            {
                SCOPED_TRACE( std::string( cltSceneName( kind ) ) + ", " + std::to_string( movingPercent ) +
                              " % moving, " + cltAlgorithmName( def.algorithm ) +
                              " with threads: " + std::to_string( def.threadCount ) );
                const cltSceneDef sceneDef = { kind, bodyCount, movingPercent, 2.0f, CLT_SCENE_SEED, 0.0 };
                const std::unique_ptr<cltScene, decltype( &cltDestroyScene )> scene( cltCreateScene( &sceneDef ),
                                                                                     cltDestroyScene );
                World world( def );
                Ids ids( scene->boxCount );
                Boxes boxes( scene->boxCount );
                for ( size_t i = 0; i < ids.size(); ++i )
                {
                    ids[i] = world.create( toDouble( scene->boxes[i] ), scene->filters[i] );
                }
                for ( int step = 0; step < 5 && !testing::Test::HasFailure(); ++step )
                {
                    world.update();
                    EXPECT_GT( world.pairCount(), bodyCount / 2 );
                    cltScene_Step( scene.get() );
                    std::transform( scene->boxes, scene->boxes + ids.size(), boxes.begin(), toDouble );
                    world.moveAll( ids, boxes );
                }
                world.update();
            }
        }
    }
}

} // namespace

CLT_EACH_CONFIG( Scenes );

TEST_P( Scenes, EqualTheDefinition )
{
    expectExact( { clt_sceneBrownian, clt_sceneMixed, clt_sceneColumn, clt_sceneClustered }, 400, { 100, 10, 1, 0 },
                 { def() } );
}

TEST( Determinism, HoldsForEveryAlgorithmAndNumberOfThreads )
{
    std::vector<cltBroadphaseDef> defs;
    for ( cltAlgorithm algorithm : allAlgorithms )
    {
        for ( int threadCount : { 1, 2, 3, 5, 8 } )
        {
            defs.push_back( defOf( algorithm, clt_precisionFloat, threadCount ) );
        }
    }
    expectExact( { clt_sceneMixed, clt_sceneClustered }, 1000, { 30 }, defs );
}

/// The world is so large that every loop of an update is divided among threads. A fifth of the bodies move, then all.
TEST( Determinism, HoldsForLargeWorldsOnSeveralThreads )
{
    if ( testDevice != clt_deviceCpu )
    {
        GTEST_SKIP() << "about the CPU's threads";
    }
    std::vector<cltBroadphaseDef> defs = { defOf( clt_algorithmLbvh, clt_precisionFloat, 3 ),
                                           defOf( clt_algorithmGrid, clt_precisionFloat, 3 ) };
    for ( int threadCount : { 1, 3, 8 } )
    {
        defs.push_back( defOf( clt_algorithmWide, clt_precisionFloat, threadCount ) );
    }
    expectExact( { clt_sceneMixed, clt_sceneClustered }, 14000, { 20, 100 }, defs );
}
