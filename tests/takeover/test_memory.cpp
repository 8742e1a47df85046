// SPDX-License-Identifier: Zlib
// A device fails, and the CPU has no memory to take its place: the update says so, nothing is lost, and when the call is
// repeated the CPU takes over then. The device is not asked again.
#include "tests/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

#include <functional>

using namespace test;

namespace
{

class TakeoverMemory : public testing::TestWithParam<Config>
{
protected:
    TakeoverMemory() : m_def( defOf( GetParam() ) )
    {
        m_def.device = clt_deviceCuda;
    }

    /// Leads a world to where the device fails, in `failing`, and lets the k-th allocation fail there, for every k.
    void failEach( Stage stage, const std::function<void( World&, Hooks& )>& failing )
    {
        for ( uint64_t k = 1;; ++k )
        {
            SCOPED_TRACE( "allocation " + std::to_string( k ) );
            Hooks hooks;
            hooks.installMemory( m_def );
            DevicePlan plan;
            plan.stage = stage;
            plan.call = stage == Stage::readPairs ? 1 : 2;
            {
                World world( createOnDevice( m_def ), m_def );
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
                EXPECT_EQ( 0u, plan.lateCallCount );
                EXPECT_EQ( clt_deviceCpu, world.stats().device );
                EXPECT_EQ( 1u, world.stats().deviceFailureCount );
                live( world, k );
            }
            EXPECT_EQ( 0u, hooks.bytesHeld() );
            if ( HasFailure() || hooks.failureCount() == 0 )
            {
                EXPECT_GT( k, 8u ) << "a takeover takes more allocations than that";
                return;
            }
        }
    }

    cltBroadphaseDef m_def;
};

/// Calls again if there was no memory. What did not come to its end changed nothing.
void updateUntilItWorks( World& world, Hooks& hooks )
{
    const uint64_t before = hooks.failureCount();
    const cltStatus status = world.tryUpdate();
    ASSERT_EQ( hooks.failureCount() == before ? clt_ok : clt_hostMemory, status );
    hooks.failAllocations( 0, 0 );
    expectQuery( world, span( -1, 1 ) );
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

} // namespace

INSTANTIATE_TEST_SUITE_P(, TakeoverMemory, testing::ValuesIn( fewConfigs() ), configName );

TEST_P( TakeoverMemory, RunsOutInAnUpdate )
{
    failEach( Stage::findChanges, updateUntilItWorks );
}

TEST_P( TakeoverMemory, RunsOutBetweenUpdates )
{
    failEach( Stage::readPairs, readPairsUntilItWorks );
}

/// That the host has no memory for a device's work is nothing that the CPU could do better.
TEST( TakeoverOfHostMemory, IsNone )
{
    DevicePlan plan;
    plan.stage = Stage::build;
    plan.call = 1;
    plan.status = clt_hostMemory;
    plan.late = true;
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    def.device = clt_deviceCuda;
    installLog( def );
    BroadphasePtr broadphase = createOnDevice( def );
    const cltAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
    cltProxyId proxy;
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxy( broadphase.get(), &box, nullptr, 0, &proxy ) );
    EXPECT_EQ( clt_hostMemory, cltBroadphase_Update( broadphase.get(), nullptr ) );
    cltStats stats;
    ASSERT_EQ( clt_ok, cltBroadphase_GetStats( broadphase.get(), &stats ) );
    EXPECT_EQ( clt_deviceCuda, stats.device );
    EXPECT_EQ( 0u, stats.deviceFailureCount );
    EXPECT_EQ( 0u, plan.log.size() );
}
