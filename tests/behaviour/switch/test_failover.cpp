// SPDX-License-Identifier: Zlib
// A device fails in any stage of any update, with any status: changes and pairs are as without the failure.
#include "tests/behaviour/switch/failing_device.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

class Failover : public testing::TestWithParam<Config>
{
};

void expectFailedOver( const DevicePlan& plan, const World& world )
{
    expectSwitched( plan, world, clt_deviceCpu, 1 );
    EXPECT_STREQ( "a device failed, and the CPU took its place", world.stats().deviceReason );
    EXPECT_EQ( 1u, plan.destroyedCount );
    ASSERT_EQ( 1u, plan.log.size() );
    EXPECT_EQ( plan.status, plan.log[0].first );
    EXPECT_EQ( "cuda: pulled out of its socket; from this update on the CPU finds the pairs of this broadphase, the "
               "same ones",
               plan.log[0].second );
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, Failover,
                         testing::ValuesIn( configsOf( { std::begin( allAlgorithms ), std::end( allAlgorithms ) } ) ),
                         configName );

/// If findChanges is to fail, no pair list is requested before the last update. So the CPU makes the first pair list.
TEST_P( Failover, KeepsChangesAndPairsAtEachStageOfEachUpdate )
{
    for ( Stage stage : allStages )
    {
        cltBroadphaseDef def = defOn( clt_deviceCuda, GetParam() );
        uint64_t seed = 1;
        for ( bool failed = true; failed; ++seed )
        {
            SCOPED_TRACE( "stage " + std::to_string( int( stage ) ) + ", call " + std::to_string( seed ) );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = static_cast<uint32_t>( seed );
            plan.status = allFailures[seed % 3];
            plan.failsAfterWork = seed % 2 == 0;
            plan.showsBoxes = seed % 4 < 2;
            def.reportDestroyed = seed % 8 < 4;
            World world = worldOn( def );
            EXPECT_EQ( clt_deviceCuda, world.stats().device ); // a new broadphase uses the device again
            runRandomOperations( world, seed, stage != Stage::findChanges );
            failed = plan.failed;
            if ( failed )
            {
                expectFailedOver( plan, world );
            }
            else
            {
                expectSwitched( plan, world, clt_deviceCuda, 0 );
                EXPECT_STREQ( "asked for", world.stats().deviceReason );
            }
            ASSERT_FALSE( HasFailure() );
        }
        EXPECT_GT( seed, 3u );
    }
}

/// All proxies, or a third of them, move twice. Several threads store the moves, and the previous boxes for the CPU.
TEST( FailoverAfterManyMoves, FindsThePairsOfTheUpdate )
{
    constexpr uint32_t count = 33000;
    for ( const uint32_t step : { 1u, 3u } )
    {
        Boxes row( count );
        for ( uint32_t i = 0; i < count; ++i )
        {
            row[i] = { { 2.0 * i, 0, 0 }, { 2.0 * i + 1, 1, 1 } };
        }
        DevicePlan plan;
        World world = worldOn( defOn( clt_deviceCuda ) );
        const Ids ids = world.createAll( row );
        world.updateOnly();
        plan.stage = Stage::findChanges;
        plan.call = 2;
        Ids some;
        std::copy_if( ids.begin(), ids.end(), std::back_inserter( some ),
                      [=]( cltProxyId id ) { return id % step == 0; } );
        for ( double width : { 1.5, 2.5 } ) // every second cube grows and reaches its neighbours
        {
            Boxes boxes;
            for ( const cltProxyId id : some )
            {
                boxes.push_back( row[id] );
                boxes.back().upper[id % 2] += width;
            }
            world.moveAll( some, boxes );
        }
        world.updateOnly();
        EXPECT_TRUE( plan.failed );
        expectFailedOver( plan, world );
    }
}

/// A device may fail without a word, and the application may not listen.
TEST( FailoverInSilence, NamesTheStatus )
{
    for ( const char* failure : { static_cast<const char*>( nullptr ), "" } )
    {
        for ( const bool listens : { true, false } )
        {
            DevicePlan plan;
            plan.call = 2;
            plan.failure = failure;
            cltBroadphaseDef def = defOn( clt_deviceCuda );
            def.hooks.log = listens ? def.hooks.log : nullptr;
            World world = worldOn( def );
            const Ids ids = world.createAll( cubesInARow( 3, 1, 0.6 ) );
            moveAlong( world, ids, 3 );
            moveAlong( world, ids, 2 );
            EXPECT_EQ( clt_deviceCpu, world.stats().device );
            ASSERT_EQ( listens ? 1u : 0u, plan.log.size() );
            const std::string line = listens ? plan.log[0].second : "cuda: clt_deviceFailed;";
            EXPECT_EQ( 0u, line.rfind( "cuda: clt_deviceFailed;", 0 ) ) << line;
        }
    }
}

/// A forked child inherits a broadphase, but not its device: in the child the CPU finds the pairs without touching the
/// device. The parent goes on using the device.
TEST( FailoverInAChild, KeepsPairsForUpdatesAndPairLists )
{
    for ( bool comparesPairsFirst : { false, true } )
    {
        DevicePlan plan;
        World world = worldOn( defOn( clt_deviceCuda ) );
        runRandomOperations( world, 1 );
        world.move( world.proxies().begin()->first, span( 0, 1 ) ); // no update sees this move before the fork
        runInChild(
            [&]
            {
                if ( comparesPairsFirst )
                {
                    world.expectPairs();
                }
                runRandomOperations( world, 2 );
                expectSwitched( plan, world, clt_deviceCpu, 1 );
                const bool told = plan.log.size() == 1 && plan.log[0].first == clt_deviceFailed &&
                                  plan.log[0].second.find( "forked" ) != std::string::npos;
                return told ? 0 : 2;
            } );
        runRandomOperations( world, 3 );
        expectSwitched( plan, world, clt_deviceCuda, 0 );
    }
}
