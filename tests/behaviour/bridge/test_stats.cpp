// SPDX-License-Identifier: Zlib
// Statistics: exact counts, plausible times, and the algorithm, the device and the instruction set in use.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cstdlib>

using namespace test;

TEST( Stats, CountTheProxiesOfEachUpdate )
{
    World world( defOf( clt_algorithmAuto ) );
    cltStats stats = world.stats();
    EXPECT_EQ( clt_deviceCpu, stats.device );
    EXPECT_EQ( clt_algorithmAuto, stats.algorithm );
    EXPECT_EQ( 0u, stats.proxyCount + stats.nanCount + stats.changedCount + stats.deviceFailureCount );
    EXPECT_NE( nullptr, stats.reason );

    cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 1, 2 ) );
    cltProxyId c = world.create( { { 0, 0, notANumber }, { 1, 1, 1 } } );
    EXPECT_EQ( 3u, world.stats().proxyCount ); // counted without an update
    world.update();
    stats = world.stats();
    EXPECT_EQ( 3u, stats.proxyCount );
    EXPECT_EQ( 1u, stats.nanCount );
    EXPECT_EQ( 3u, stats.changedCount );

    world.move( a, span( 8, 9 ) );
    world.move( a, span( 7, 8 ) ); // a proxy that moved twice is one change
    world.destroy( c );
    world.update();
    stats = world.stats();
    EXPECT_EQ( 2u, stats.proxyCount );
    EXPECT_EQ( 0u, stats.nanCount );
    EXPECT_EQ( 2u, stats.changedCount );
}

/// A tree keeps the filters below each node only if some pair of proxies may be filtered out.
TEST( Stats, FiltersThatAcceptAllPairsNeedNoMemory )
{
    World world( defOf( clt_algorithmLbvh ) );
    Random random( 1 );
    Ids ids = world.createAll( randomCubes( random, 5000, 50 ) );
    auto bytesAfterAll = [&]( const cltFilter& filter )
    {
        world.setFilter( ids[0], filter );
        world.moveAll( ids, randomCubes( random, ids.size(), 50 ) );
        world.updateOnly();
        return world.stats().hostBytes;
    };
    bytesAfterAll( { 2, -1 } );
    const size_t bytes = bytesAfterAll( { 4, -1 } );
    EXPECT_GE( bytes + 5000, bytesAfterAll( { 8, 15 } ) ); // a mask of all groups used so far
    EXPECT_LT( bytes + 2 * 5000 * sizeof( cltFilter ), bytesAfterAll( { 8, 7 } ) );
}

TEST( Stats, ReportTheRequestedAlgorithm )
{
    for ( cltAlgorithm algorithm :
          { clt_algorithmBruteForce, clt_algorithmGrid, clt_algorithmLbvh, clt_algorithmWide, clt_algorithmFrontier } )
    {
        World world( defOf( algorithm ) );
        Random random( 1 );
        world.createAll( randomCubes( random, 200, 5 ) );
        world.update();
        const cltStats stats = world.stats();
        const cltResearchStats counts = world.researchStats();
        EXPECT_EQ( algorithm, stats.algorithm );
        EXPECT_STREQ( "asked for", stats.reason );
        const bool hasCandidates = algorithm == clt_algorithmBruteForce || algorithm == clt_algorithmGrid;
        EXPECT_EQ( hasCandidates, counts.candidateCount > 0 );
        EXPECT_EQ( algorithm == clt_algorithmFrontier, counts.nodeTestCount > 0 );
        EXPECT_EQ( algorithm == clt_algorithmFrontier, counts.passCount > 0 );
        if ( algorithm == clt_algorithmBruteForce )
        {
            EXPECT_EQ( 200u * 199u / 2u, counts.candidateCount );
        }
    }
}

/// CULLET_TEST_SIMD forces an instruction set (tests/support/forced_simd.c). On a device there is none.
TEST( Stats, InstructionSetIsTheRequestedTheForcedOrTheBestOne )
{
    const char* forced = std::getenv( "CULLET_TEST_SIMD" );
    const bool isForced = testDevice == clt_deviceCpu && forced != nullptr && *forced != '\0';
    const auto simdOf = []( cltSimd requested )
    {
        World world( defOf( Config{ testDevice, clt_algorithmWide, clt_precisionFloat, 1, requested } ) );
        world.create( span( 0, 1 ) );
        world.update();
        return world.stats().simd;
    };
    cltSimd best = clt_simdAuto;
    for ( cltSimd simd : allSimds )
    {
        if ( testDevice == clt_deviceCpu && isUsable( simd ) )
        {
            best = simd;
            EXPECT_EQ( simd, simdOf( simd ) );
        }
    }
    EXPECT_STREQ( isForced ? forced : cltSimdName( best ), cltSimdName( simdOf( clt_simdAuto ) ) );
}

/// The algorithm for many bodies stays, but is not timed.
TEST( Stats, ReportNoTimesWhenFewBodiesAreLeft )
{
    World world( defOf( clt_algorithmAuto ) );
    Random random( 1 );
    const Ids ids = world.createAll( randomCubes( random, 3000, 20 ) );
    world.update();
    EXPECT_LT( 0.0f, world.stats().buildMs );
    world.destroyAll( Ids( ids.begin() + 3, ids.end() ) );
    for ( int update = 0; update < 600; ++update )
    {
        world.move( ids[0], randomCube( random, 20 ) );
        world.updateOnly();
    }
    const cltStats stats = world.stats();
    EXPECT_EQ( testDevice == clt_deviceCpu, stats.totalMs == 0.0f );
    EXPECT_EQ( testDevice == clt_deviceCpu, stats.buildMs + stats.findMs == 0.0f );
}

TEST( Stats, ReportTheChoiceOfAutoAndTimesThatAddUp )
{
    for ( uint32_t count : { 3u, 30u, 300u, 3000u } )
    {
        World world( defOf( clt_algorithmAuto ) );
        Random random( 1 );
        world.createAll( randomCubes( random, count, 20 ) );
        world.update();
        const cltStats stats = world.stats();
        EXPECT_NE( clt_algorithmAuto, stats.algorithm );
        EXPECT_STRNE( "", stats.reason );
        EXPECT_STRNE( "asked for", stats.reason );
        float sum = 0;
        for ( float stage :
              { stats.gatherMs, stats.uploadMs, stats.buildMs, stats.findMs, stats.orderMs, stats.readBackMs } )
        {
            EXPECT_GE( stage, 0.0f );
            sum += stage;
        }
        EXPECT_LE( sum, stats.totalMs * 1.01f + 0.01f );
        EXPECT_EQ( testDevice == clt_deviceCpu && count <= 64, sum == 0.0f );
        EXPECT_EQ( testDevice == clt_deviceCpu && count <= 64, stats.totalMs == 0.0f );
        EXPECT_GE( stats.hostBytes, count * sizeof( cltAabb ) );
        EXPECT_EQ( 0u, stats.deviceBytes );
    }
}
