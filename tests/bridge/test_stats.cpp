// SPDX-License-Identifier: Zlib
// Statistics: counts that are exact, times that are plausible, and what ran.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <algorithm>
#include <cstdlib>

using namespace test;

TEST( Stats, OfAFreshBroadphase )
{
    World world( defOf( clt_algorithmAuto ) );
    cltStats stats = world.stats();
    EXPECT_EQ( clt_deviceCpu, stats.device );
    EXPECT_EQ( clt_algorithmAuto, stats.algorithm );
    EXPECT_EQ( 0u, stats.proxyCount );
    EXPECT_EQ( 0u, stats.nanCount );
    EXPECT_EQ( 0u, stats.changedCount );
    EXPECT_EQ( 0u, stats.beganCount + stats.endedCount );
    EXPECT_EQ( 0u, stats.deviceFailureCount );
    EXPECT_NE( nullptr, stats.reason );
}

TEST( Stats, CountsOfEachUpdate )
{
    World world( defOf( clt_algorithmAuto ) );
    cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 1, 2 ) );
    cltProxyId c = world.create( { { 0, 0, notANumber }, { 1, 1, 1 } } );
    EXPECT_EQ( 3u, world.stats().proxyCount ); // at once
    world.update();
    cltStats stats = world.stats();
    EXPECT_EQ( 3u, stats.proxyCount );
    EXPECT_EQ( 1u, stats.nanCount );
    EXPECT_EQ( 3u, stats.changedCount );
    EXPECT_EQ( 1u, stats.beganCount );
    EXPECT_EQ( 0u, stats.endedCount );

    world.move( a, span( 8, 9 ) );
    world.move( a, span( 7, 8 ) ); // one proxy, one change
    world.destroy( c );
    world.update();
    stats = world.stats();
    EXPECT_EQ( 2u, stats.proxyCount );
    EXPECT_EQ( 0u, stats.nanCount );
    EXPECT_EQ( 2u, stats.changedCount );
    EXPECT_EQ( 0u, stats.beganCount );
    EXPECT_EQ( 1u, stats.endedCount );
}

TEST( Stats, AlgorithmThatWasAskedFor )
{
    for ( cltAlgorithm algorithm :
          { clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh, clt_algorithmWide } )
    {
        World world( defOf( algorithm ) );
        Random random( 1 );
        world.createAll( randomCubes( random, 200, 5 ) );
        world.update();
        cltStats stats = world.stats();
        EXPECT_EQ( algorithm, stats.algorithm );
        EXPECT_STREQ( "asked for", stats.reason );
        if ( algorithm == clt_algorithmBruteForce )
        {
            EXPECT_EQ( 200u * 199u / 2u, stats.candidateCount );
        }
        if ( algorithm == clt_algorithmGrid )
        {
            EXPECT_GT( stats.candidateCount, 0u );
        }
        if ( algorithm == clt_algorithmLbvh || algorithm == clt_algorithmWide )
        {
            EXPECT_EQ( 0u, stats.candidateCount );
        }
    }
}

TEST( Stats, InstructionSetThatWasAskedFor )
{
    for ( const Config& config : allConfigs() )
    {
        if ( config.simd != clt_simdAuto )
        {
            World world( defOf( config ) );
            world.create( span( 0, 1 ) );
            world.update();
            EXPECT_EQ( config.simd, world.stats().simd );
        }
    }
}

/// The best instruction set, or the one that CULLET_TEST_SIMD names (tests/support/forced_simd.c); none on a device.
static std::string expectedSimd()
{
    const char* forced = std::getenv( "CULLET_TEST_SIMD" );
    if ( testDevice == clt_deviceCpu && forced != nullptr && *forced != '\0' )
    {
        return forced;
    }
    cltSimd best = clt_simdAuto;
    for ( cltSimd simd : allSimds )
    {
        cltBroadphaseDef def = defOf( clt_algorithmWide );
        def.simd = simd;
        cltBroadphase* broadphase = nullptr;
        const bool isThere = testDevice == clt_deviceCpu && cltCreateBroadphase( &def, &broadphase ) == clt_ok;
        best = isThere ? std::max( best, simd ) : best;
        cltDestroyBroadphase( broadphase );
    }
    return cltSimdName( best );
}

TEST( Stats, AutoTakesTheBestOrForcedInstructionSet )
{
    World world( defOf( clt_algorithmWide ) );
    world.create( span( 0, 1 ) );
    world.update();
    EXPECT_EQ( expectedSimd(), cltSimdName( world.stats().simd ) );
}

TEST( Stats, AutoSaysWhatItTookAndWhy )
{
    for ( uint32_t count : { 3u, 30u, 300u, 3000u } )
    {
        World world( defOf( clt_algorithmAuto ) );
        Random random( 1 );
        world.createAll( randomCubes( random, count, 20 ) );
        world.update();
        EXPECT_NE( clt_algorithmAuto, world.stats().algorithm );
        EXPECT_STRNE( "", world.stats().reason );
        EXPECT_STRNE( "asked for", world.stats().reason );
    }
}

TEST( Stats, TimesAddUp )
{
    World world( defOf( clt_algorithmAuto ) );
    Random random( 1 );
    world.createAll( randomCubes( random, 3000, 20 ) );
    world.update();
    cltStats stats = world.stats();
    float sum = 0;
    for ( float stage :
          { stats.gatherMs, stats.uploadMs, stats.buildMs, stats.findMs, stats.orderMs, stats.readBackMs } )
    {
        EXPECT_GE( stage, 0.0f );
        sum += stage;
    }
    EXPECT_GT( stats.totalMs, 0.0f );
    EXPECT_LE( sum, stats.totalMs * 1.01f + 0.01f );
}

TEST( Stats, BytesGrowWithProxies )
{
    World world( defOf( clt_algorithmAuto ) );
    Random random( 1 );
    world.createAll( randomCubes( random, 1000, 10 ) );
    world.update();
    EXPECT_GE( world.stats().hostBytes, 1000 * sizeof( cltAabb ) );
    EXPECT_EQ( 0u, world.stats().deviceBytes );
}
