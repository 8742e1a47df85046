// SPDX-License-Identifier: Zlib
// There is no host memory for a switch. A device that failed: the update says so, nothing is lost, and when the call is
// repeated the CPU takes its place then; the device is not asked again. A promotion: it is tried again later.
#include "tests/bridge/hooks.h"
#include "tests/support/life.h"
#include "tests/switch/failing_device.h"

using namespace test;

namespace
{

class FailoverMemory : public testing::TestWithParam<Config>
{
protected:
    /// Leads a world to where the device fails, in `failing`, and lets the k-th allocation fail there, for every k.
    static void failEach( Stage stage, const std::function<void( World&, Hooks& )>& failing )
    {
        for ( uint64_t k = 1;; ++k )
        {
            SCOPED_TRACE( "allocation " + std::to_string( k ) );
            Hooks hooks;
            cltBroadphaseDef def = defOn( clt_deviceCuda, GetParam() );
            hooks.installMemory( def );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = stage == Stage::readPairs ? 1 : 2;
            {
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
                failing( world, hooks );
                EXPECT_TRUE( plan.failed );
                expectSwitched( plan, world, clt_deviceCpu, 1 );
                live( world, k );
            }
            EXPECT_EQ( 0u, hooks.bytesHeld() );
            if ( HasFailure() || hooks.failureCount() == 0 )
            {
                EXPECT_GT( k, 8u ) << "a failover takes more allocations than that";
                return;
            }
        }
    }
};

/// Calls again if there was no memory. What did not come to its end changed nothing.
void updateUntilItWorks( World& world, Hooks& hooks )
{
    const uint64_t before = hooks.failureCount();
    const cltStatus status = world.tryUpdate();
    ASSERT_EQ( hooks.failureCount() == before ? clt_ok : clt_hostMemory, status );
    hooks.failAllocations( 0, 0 );
    world.expectQuery( span( -1, 1 ) );
    world.create( span( 0, 1 ) ); // the world goes on meanwhile
    world.destroy( 7 );
    world.updateOnly();
}

void readPairsUntilItWorks( World& world, Hooks& hooks )
{
    const uint64_t before = hooks.failureCount();
    const cltPair* pairs = nullptr;
    size_t count = 0;
    const cltStatus status = cltBroadphase_GetPairs( world.broadphase(), &pairs, &count );
    ASSERT_EQ( hooks.failureCount() == before ? clt_ok : clt_hostMemory, status );
    hooks.failAllocations( 0, 0 );
    world.expectPairs();
}

std::vector<Config> fewConfigs()
{
    return { { clt_deviceCpu, clt_algorithmWide, clt_precisionFloat, 2 },
             { clt_deviceCpu, clt_algorithmWide, clt_precisionDouble, 1 },
             { clt_deviceCpu, clt_algorithmLbvh, clt_precisionFloat, 1 },
             { clt_deviceCpu, clt_algorithmGrid, clt_precisionFloat, 1 } };
}

void moveBackAndForth( World& world, const Ids& proxies, size_t count, int step )
{
    for ( size_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], span( step % 2, 1.5 + step % 2 ) );
    }
    world.updateOnly();
}

} // namespace

INSTANTIATE_TEST_SUITE_P(, FailoverMemory, testing::ValuesIn( fewConfigs() ), configName );

TEST_P( FailoverMemory, RunsOutInAnUpdate )
{
    failEach( Stage::findChanges, updateUntilItWorks );
}

TEST_P( FailoverMemory, RunsOutBetweenUpdates )
{
    failEach( Stage::readPairs, readPairsUntilItWorks );
}

/// That the host has no memory for a device's work is nothing that the CPU could do better.
TEST( FailoverOfHostMemory, IsNone )
{
    DevicePlan plan;
    plan.stage = Stage::build;
    plan.call = 1;
    plan.status = clt_hostMemory;
    plan.late = true;
    World world = worldOn( defOn( clt_deviceCuda ) );
    world.create( span( 0, 1 ) );
    EXPECT_EQ( clt_hostMemory, world.tryUpdate() );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    EXPECT_EQ( 0u, world.stats().deviceFailureCount );
    EXPECT_EQ( 0u, plan.log.size() );
}

TEST( PromotionMemory, RunsOut )
{
    uint64_t failures = 0;
    for ( uint64_t k = 1; k == failures + 1; ++k )
    {
        SCOPED_TRACE( "allocation " + std::to_string( k ) );
        Hooks hooks;
        cltBroadphaseDef def = defOn( clt_deviceAuto );
        hooks.installMemory( def );
        DevicePlan plan;
        plan.worthFrom = 60;
        {
            World world = worldOn( def );
            const Ids proxies = world.createAll( std::vector<cltAabbD>( 60, span( 0, 1 ) ) );
            world.updateOnly();
            for ( int step = 1; step < 9; ++step ) // until the CPU needs no memory any more
            {
                moveBackAndForth( world, proxies, 59, step );
            }
            hooks.failAllocations( k, 1 );
            moveBackAndForth( world, proxies, 60, 9 );
            EXPECT_EQ( 1u, plan.createdCount );
            const bool failed = hooks.failureCount() > 0;
            failures += hooks.failureCount();
            hooks.failAllocations( 0, 0 );
            EXPECT_EQ( 0u, world.stats().deviceFailureCount ) << "that was the host";
            moveBackAndForth( world, proxies, 60, 10 );
            EXPECT_EQ( failed ? 2u : 1u, plan.createdCount );
            EXPECT_EQ( clt_deviceCuda, world.stats().device );
            live( world, k );
        }
        EXPECT_EQ( 0u, hooks.bytesHeld() );
        ASSERT_FALSE( HasFailure() );
    }
    EXPECT_GT( failures, 8u );
}
