// SPDX-License-Identifier: Zlib
// Whatever stage of whichever update a device fails in, for whatever reason: changes and pairs are as if it had gone on.
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

using namespace test;

namespace
{

class Takeover : public testing::TestWithParam<Config>
{
protected:
    cltBroadphaseDef def() const
    {
        cltBroadphaseDef def = defOf( GetParam() );
        def.device = clt_deviceCuda;
        installLog( def );
        return def;
    }
};

void expectTakenOver( const DevicePlan& plan, const cltStats& stats )
{
    EXPECT_EQ( clt_deviceCpu, stats.device );
    EXPECT_STREQ( "a device failed, and the CPU took its place", stats.deviceReason );
    EXPECT_EQ( 1u, stats.deviceFailureCount );
    EXPECT_EQ( 0u, stats.deviceBytes );
    EXPECT_EQ( 0u, plan.lateCallCount ) << "a lost device was asked for more";
    EXPECT_EQ( 1u, plan.destroyedCount );
    ASSERT_EQ( 1u, plan.log.size() );
    EXPECT_EQ( plan.status, plan.log[0].first );
    EXPECT_EQ( "cuda: pulled out of its socket; from this update on the CPU finds the pairs of this broadphase, the "
               "same ones",
               plan.log[0].second );
}

void expectAllIsWell( const DevicePlan& plan, const cltStats& stats )
{
    EXPECT_EQ( clt_deviceCuda, stats.device );
    EXPECT_STREQ( "asked for", stats.deviceReason );
    EXPECT_EQ( 0u, stats.deviceFailureCount );
    EXPECT_EQ( 1u, stats.deviceBytes );
    EXPECT_EQ( 0u, plan.log.size() );
}

/// With one thread and with three. The device does what the CPU does here.
std::vector<Config> cpuConfigs()
{
    std::vector<Config> configs;
    for ( const Config& config : allConfigs() )
    {
        const bool isPlain = config.device == clt_deviceCpu && config.simd == clt_simdAuto;
        if ( isPlain && ( config.threadCount == 1 || config.threadCount == 3 ) )
        {
            configs.push_back( config );
        }
    }
    return configs;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, Takeover, testing::ValuesIn( cpuConfigs() ), configName );

TEST_P( Takeover, AtEachStageOfEachUpdate )
{
    for ( Stage stage : allStages )
    {
        uint64_t seed = 1;
        for ( bool failed = true; failed; ++seed )
        {
            SCOPED_TRACE( std::string( nameOf( stage ) ) + ", call " + std::to_string( seed ) );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = static_cast<uint32_t>( seed );
            plan.status = allFailures[seed % 3];
            plan.late = seed % 2 == 0;
            plan.showsBoxes = seed % 4 < 2;
            World world( createOnDevice( def() ), def() );
            live( world, seed );
            failed = plan.failed;
            if ( failed )
            {
                expectTakenOver( plan, world.stats() );
            }
            else
            {
                expectAllIsWell( plan, world.stats() );
            }
            ASSERT_FALSE( HasFailure() );
        }
        EXPECT_GT( seed, 3u );
    }
}

/// Nobody has asked for pairs before: the list that the CPU makes is its first.
TEST_P( Takeover, WithoutPairsBefore )
{
    for ( uint32_t call = 1; call <= lifeUpdates; ++call )
    {
        DevicePlan plan;
        plan.stage = Stage::findChanges;
        plan.call = call;
        World world( createOnDevice( def() ), def() );
        live( world, call, false );
        expectTakenOver( plan, world.stats() );
    }
}

/// What a device fails to read out is what it was before the proxies that changed since did.
TEST_P( Takeover, InTheMiddleOfChanges )
{
    DevicePlan plan;
    plan.stage = Stage::readPairs;
    plan.call = 1;
    World world( createOnDevice( def() ), def() );
    const cltProxyId a = world.create( span( 0, 1 ) ), b = world.create( span( 0, 1 ) );
    const cltProxyId c = world.create( span( 0, 1 ) ), d = world.create( span( 0, 1 ) );
    world.updateOnly();
    world.move( a, span( 5, 6 ) );
    world.setFilter( b, { 1, 0 } );
    world.move( b, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    world.move( c, span( 7, 8 ) );
    world.destroy( c );
    world.create( span( 0, 1 ) );
    world.expectPairs(); // all but those of c
    EXPECT_TRUE( plan.failed );
    EXPECT_EQ( 3u, world.pairCount() );
    expectQuery( world, span( 0, 1 ) );
    world.update(); // and now they end
    world.move( d, span( 5, 6 ) );
    world.update();
    expectTakenOver( plan, world.stats() );
}

/// With threads, and enough of everything for several blocks and chunks.
TEST_P( Takeover, OfManyProxies )
{
    DevicePlan plan;
    plan.stage = Stage::readBack;
    plan.call = 3;
    World world( createOnDevice( def() ), def() );
    Random random( 9 );
    const std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 1500, 9 ) );
    for ( int update = 0; update < 4; ++update )
    {
        world.update();
        for ( cltProxyId proxy : proxies )
        {
            if ( random.below( 3 ) > 0 )
            {
                world.move( proxy, randomCube( random, 9 ) );
            }
        }
    }
    world.update();
    expectTakenOver( plan, world.stats() );
}

/// What failed for one world may work for the next.
TEST( TakeoverAgain, EachWorldTriesTheDevice )
{
    DevicePlan plan;
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    def.device = clt_deviceCuda;
    for ( uint32_t round = 1; round <= 3; ++round )
    {
        plan.call = plan.stageCallCount + 2;
        World world( createOnDevice( def ), def );
        EXPECT_EQ( round, plan.createdCount );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        live( world, round );
        EXPECT_EQ( clt_deviceCpu, world.stats().device );
        EXPECT_EQ( round, plan.destroyedCount );
    }
}
