// SPDX-License-Identifier: Zlib
// The named scenes: every algorithm, with any number of threads, reports the same bytes. They are the pairs and changes
// that follow from the definition of an overlap.
#include "demos/scenes/scenes.h"
#include "tests/behaviour/backends/each_config.h"

using namespace test;

namespace
{

using Record = std::vector<PairSet>; ///< for each step: the pairs that began, the pairs that ended, and all pairs

constexpr int stepCount = 6;

using ScenePtr = std::unique_ptr<cltScene, decltype( &cltDestroyScene )>;

ScenePtr createScene( const cltSceneDef& def )
{
    return { cltCreateScene( &def ), cltDestroyScene };
}

Record handedOut( const cltBroadphaseDef& def, const cltSceneDef& sceneDef )
{
    Record record;
    const ScenePtr scene = createScene( sceneDef );
    const BroadphasePtr owner = createBroadphase( def );
    cltBroadphase* broadphase = owner.get();
    Ids proxies( scene->boxCount );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase, scene->boxCount, scene->boxes, scene->filters, nullptr,
                                                    proxies.data() ) );
    for ( int step = 0; step < stepCount; ++step )
    {
        cltPairChanges changes = {};
        EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase, &changes ) );
        const cltPair* pairs = nullptr;
        size_t pairCount = 0;
        EXPECT_EQ( clt_ok, cltBroadphase_GetPairs( broadphase, &pairs, &pairCount ) );
        record.push_back( copyPairs( changes.began, changes.beganCount ) );
        record.push_back( copyPairs( changes.ended, changes.endedCount ) );
        record.push_back( copyPairs( pairs, pairCount ) );
        cltScene_Step( scene.get() );
        EXPECT_EQ( clt_ok, cltBroadphase_MoveProxies( broadphase, scene->boxCount, proxies.data(), scene->boxes ) );
    }
    return record;
}

/// A new broadphase assigns ids 0, 1, 2, ..., so an id is a body's index.
Record expected( const cltSceneDef& sceneDef )
{
    Record record;
    const ScenePtr scene = createScene( sceneDef );
    PairSet before;
    for ( int step = 0; step < stepCount; ++step )
    {
        std::vector<cullet::Candidate<cltAabb>> candidates;
        for ( uint32_t i = 0; i < scene->boxCount; ++i )
        {
            candidates.push_back( { scene->boxes[i], scene->filters[i], i } );
        }
        const PairSet now = cullet::sweptPairs( std::move( candidates ) );
        record.insert( record.end(), { cullet::difference( now, before ), cullet::difference( before, now ), now } );
        before = now;
        cltScene_Step( scene.get() );
    }
    return record;
}

/// Plays all scenes with each of the defs.
void expectSame( uint32_t bodyCount, std::initializer_list<double> movingPercents,
                 const std::vector<cltBroadphaseDef>& defs )
{
    for ( cltSceneKind kind : { clt_sceneBrownian, clt_sceneMixed, clt_sceneColumn, clt_sceneClustered } )
    {
        for ( double movingPercent : movingPercents )
        {
            const cltSceneDef sceneDef = { kind, bodyCount, movingPercent, 2.0f, CLT_SCENE_SEED, 0.0 };
            const Record record = expected( sceneDef );
            EXPECT_GT( record[0].size(), bodyCount / 2 );
            for ( const cltBroadphaseDef& def : defs )
            {
                SCOPED_TRACE( std::string( cltSceneName( kind ) ) + ", " + std::to_string( movingPercent ) +
                              " % moving, " + cltAlgorithmName( def.algorithm ) +
                              " with threads: " + std::to_string( def.threadCount ) );
                const Record played = handedOut( def, sceneDef );
                for ( size_t i = 0; i < record.size() && !testing::Test::HasFailure(); ++i )
                {
                    EXPECT_EQ( "", cullet::firstWrongPair( played[i], record[i], true ) ) << "step " << i / 3;
                }
            }
        }
    }
}

} // namespace

CLT_EACH_CONFIG( Scenes );

TEST_P( Scenes, EqualTheDefinition )
{
    expectSame( 400, { 100, 10, 1, 0 }, { def() } );
}

TEST( Determinism, EveryAlgorithmAndNumberOfThreads )
{
    std::vector<cltBroadphaseDef> defs;
    for ( cltAlgorithm algorithm : allAlgorithms )
    {
        for ( int threadCount : { 1, 2, 3, 5, 8 } )
        {
            defs.push_back( defOf( algorithm, clt_precisionFloat, threadCount ) );
        }
    }
    expectSame( 1000, { 30 }, defs );
}

/// The world is so large that every loop of an update is divided among threads. A fifth of the bodies move, then all.
TEST( Determinism, LargeWorldsOnSeveralThreads )
{
    if ( testDevice != clt_deviceCpu )
    {
        GTEST_SKIP() << "about the CPU's threads";
    }
    std::vector<cltBroadphaseDef> defs = { defOf( clt_algorithmLbvh ), defOf( clt_algorithmGrid ) };
    for ( int threadCount : { 1, 2, 3, 8 } )
    {
        defs.push_back( defOf( clt_algorithmWide, clt_precisionFloat, threadCount ) );
    }
    expectSame( 14000, { 20, 100 }, defs );
}
