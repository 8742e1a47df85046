// SPDX-License-Identifier: Zlib
// The same bytes for every algorithm and number of threads.
#include "demos/scenes/scenes.h"
#include "tests/support/config.h"
#include "tests/support/world.h"

using namespace test;

namespace
{

/// Everything that a broadphase hands out over a scene's life: began, ended and all pairs of each step, as one array.
PairSet playScene( const cltBroadphaseDef& def, cltSceneKind kind, uint32_t bodyCount, double movingPercent = 30 )
{
    PairSet handedOut;
    auto append = [&handedOut]( const cltPair* pairs, size_t count )
    {
        const PairSet copy = copyPairs( pairs, count );
        handedOut.push_back( cullet::PairKey( count ) << 32 | CLT_NULL_PROXY );
        handedOut.insert( handedOut.end(), copy.begin(), copy.end() );
    };

    cltSceneDef sceneDef = { kind, bodyCount, movingPercent, 2.0f, CLT_SCENE_SEED, 0.0 };
    cltScene* scene = cltCreateScene( &sceneDef );
    BroadphasePtr broadphase = createBroadphase( def );
    Ids proxies( scene->boxCount );
    EXPECT_EQ( clt_ok, cltBroadphase_CreateProxies( broadphase.get(), scene->boxCount, scene->boxes, scene->filters,
                                                    nullptr, proxies.data() ) );
    for ( int step = 0; step < 6; ++step )
    {
        cltPairChanges changes = {};
        EXPECT_EQ( clt_ok, cltBroadphase_Update( broadphase.get(), &changes ) );
        append( changes.began, changes.beganCount );
        append( changes.ended, changes.endedCount );
        const cltPair* pairs = nullptr;
        size_t pairCount = 0;
        EXPECT_EQ( clt_ok, cltBroadphase_GetPairs( broadphase.get(), &pairs, &pairCount ) );
        append( pairs, pairCount );

        cltScene_Step( scene );
        EXPECT_EQ( clt_ok,
                   cltBroadphase_MoveProxies( broadphase.get(), scene->boxCount, proxies.data(), scene->boxes ) );
    }
    cltDestroyScene( scene );
    return handedOut;
}

/// FNV-1a (Fowler, Noll and Vo), 64 bits, over the numbers' bytes, lowest first.
uint64_t hashPairs( const PairSet& pairs )
{
    uint64_t hash = 0xcbf29ce484222325u;
    auto mix = [&hash]( uint32_t number )
    {
        for ( int shift = 0; shift < 32; shift += 8 )
        {
            hash = ( hash ^ ( ( number >> shift ) & 0xffu ) ) * 0x100000001b3u;
        }
    };
    for ( const cullet::PairKey key : pairs )
    {
        mix( cullet::smallerOf( key ) );
        mix( cullet::largerOf( key ) );
    }
    return hash;
}

} // namespace

class Determinism : public testing::TestWithParam<cltSceneKind>
{
};

INSTANTIATE_TEST_SUITE_P(, Determinism,
                         testing::Values( clt_sceneBrownian, clt_sceneMixed, clt_sceneColumn, clt_sceneClustered ),
                         []( const auto& info ) { return std::string( cltSceneName( info.param ) ); } );

TEST_P( Determinism, EveryAlgorithmAndNumberOfThreads )
{
    const PairSet reference = playScene( defOf( clt_algorithmBruteForce ), GetParam(), 1000 );
    EXPECT_GT( reference.size(), 1000u );
    for ( cltAlgorithm algorithm : allAlgorithms )
    {
        for ( int threadCount : { 1, 2, 3, 5, 8 } )
        {
            const PairSet played = playScene( defOf( algorithm, clt_precisionFloat, threadCount ), GetParam(), 1000 );
            EXPECT_TRUE( reference == played ) << cltAlgorithmName( algorithm ) << ", " << threadCount << " threads";
        }
    }
}

/// Large enough for every loop of an update to be divided, where a fifth of the bodies move, and where all do.
TEST_P( Determinism, LargeWorldsOnSeveralThreads )
{
    if ( testDevice != clt_deviceCpu )
    {
        GTEST_SKIP() << "about the CPU's threads";
    }
    const uint32_t bodyCount = 14000;
    for ( double movingPercent : { 20.0, 100.0 } )
    {
        SCOPED_TRACE( movingPercent );
        const PairSet reference = playScene( defOf( clt_algorithmLbvh ), GetParam(), bodyCount, movingPercent );
        EXPECT_GT( reference.size(), bodyCount );
        for ( int threadCount : { 1, 2, 3, 8 } )
        {
            const cltBroadphaseDef def = defOf( clt_algorithmWide, clt_precisionFloat, threadCount );
            EXPECT_TRUE( reference == playScene( def, GetParam(), bodyCount, movingPercent ) )
                << threadCount << " threads";
        }
    }
}

TEST( Golden, BrownianHasNotChanged )
{
    // Taken when the pairs were also compared with brute force. It differs when the scene, the pairs or their order do.
    EXPECT_EQ( 7606103373714998380u, hashPairs( playScene( defOf( clt_algorithmAuto ), clt_sceneBrownian, 1000 ) ) );
}
