// SPDX-License-Identifier: Zlib
// Host memory runs out during failover or promotion. In a failover the call returns clt_hostMemory, nothing is lost,
// and the repeated call moves to the CPU; the device is not used again. A promotion is tried again later.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/behaviour/switch/failing_device.h"
#include "tests/support/random_operations.h"

using namespace test;

namespace
{

class FailoverMemory : public testing::TestWithParam<Config>
{
protected:
    /// For every k: during the call `failing`, both the device and the k-th allocation fail.
    static void failEach( Stage stage, void ( World::*failing )() )
    {
        const auto live = [=]( Hooks& hooks, uint64_t k )
        {
            cltBroadphaseDef def = defOn( clt_deviceCuda, GetParam() );
            hooks.installMemory( def );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = stage == Stage::readPairs ? 1 : 2;
            World world = worldOn( def );
            Random random( k );
            world.createAll( randomCubes( random, 60, 2 ) );
            world.updateOnly();
            world.destroy( 3 );
            for ( cltProxyId proxy = 5; proxy < 60; proxy += 2 )
            {
                world.move( proxy, randomCube( random, 2 ) );
            }
            hooks.failAllocations( k, 1 );
            uint64_t saidCount = 0;
            world.onOutOfMemory = [&]
            {
                ++saidCount;
                hooks.failAllocations( 0, 0 );
                world.expectProxies(); // the failed call changed nothing
                world.expectQuery( span( -1, 1 ) );
                world.create( span( 0, 1 ) ); // changes in between
                world.destroy( 7 );
            };
            ( world.*failing )();
            EXPECT_EQ( hooks.failureCount(), saidCount );
            EXPECT_TRUE( plan.failed );
            expectSwitched( plan, world, clt_deviceCpu, 1 );
            test::runRandomOperations( world, k );
        };
        EXPECT_GT( failEachAllocation( live ), 7u ) << "a failover takes more allocations than that";
    }
};

std::vector<Config> fewConfigs()
{
    return { { clt_deviceCpu, clt_algorithmWide, clt_precisionFloat, 2 },
             { clt_deviceCpu, clt_algorithmWide, clt_precisionDouble, 1 },
             { clt_deviceCpu, clt_algorithmLbvh, clt_precisionFloat, 1 },
             { clt_deviceCpu, clt_algorithmGrid, clt_precisionFloat, 1 } };
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, FailoverMemory, testing::ValuesIn( fewConfigs() ), configName );

TEST_P( FailoverMemory, RunsOutInAnUpdateWithoutLoss )
{
    failEach( Stage::findChanges, &World::updateOnly );
}

TEST_P( FailoverMemory, RunsOutInAPairListWithoutLoss )
{
    failEach( Stage::readPairs, &World::expectPairs );
}

/// Host memory runs out in a stage of the device. The CPU would lack this memory too, so it does not take over.
TEST( FailoverHostMemory, CausesNoFailoverWhenItRunsOut )
{
    DevicePlan plan;
    plan.stage = Stage::build;
    plan.call = 1;
    plan.status = clt_hostMemory;
    plan.failsAfterWork = true;
    World world = worldOn( defOn( clt_deviceCuda ) );
    world.create( span( 0, 1 ) );
    EXPECT_EQ( clt_hostMemory, world.tryUpdate() );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    EXPECT_EQ( 0u, world.stats().deviceFailureCount );
    EXPECT_EQ( 0u, plan.log.size() );
}

TEST( PromotionMemory, RunsOutAndPromotionIsTriedAgain )
{
    const auto live = []( Hooks& hooks, uint64_t k )
    {
        cltBroadphaseDef def = defOn( clt_deviceAuto );
        hooks.installMemory( def );
        DevicePlan plan;
        plan.promoteFrom = 60;
        World world = worldOn( def );
        const Ids proxies = world.createAll( Boxes( 100, span( 0, 1 ) ) );
        world.updateOnly();
        for ( int step = 0; step < 8; ++step ) // until the CPU allocates no more
        {
            moveAlong( world, proxies, 59 );
        }
        hooks.failAllocations( k, 1 );
        moveAlong( world, proxies, 60 );
        EXPECT_EQ( 1u, plan.createdCount );
        const uint32_t failureCount = uint32_t( hooks.failureCount() );
        hooks.failAllocations( 0, 0 );
        EXPECT_EQ( 0u, world.stats().deviceFailureCount ) << "not a failure of the device";
        moveAlong( world, proxies, 60 );
        EXPECT_EQ( 1u + failureCount, plan.createdCount );
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        test::runRandomOperations( world, k );
    };
    EXPECT_GT( failEachAllocation( live ), 8u );
}
