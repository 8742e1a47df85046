// SPDX-License-Identifier: Zlib
// A device is asked in updates and for pairs, and at no other time: what applications call thousands of times a step, or
// from other threads, must never wait for it.
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

using namespace test;

static bool stopAtOnce( cltProxyId, uint64_t, void* )
{
    return false;
}

static double goOn( cltProxyId, uint64_t, double, double maxFraction, void* )
{
    return maxFraction;
}

static void callAllButUpdates( World& world, Random& random )
{
    const std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 2000, 9 ) );
    const double from[3] = { -9, -9, -9 }, to[3] = { 9, 9, 9 };
    for ( cltProxyId proxy : proxies )
    {
        world.move( proxy, randomCube( random, 9 ) );
        world.setFilter( proxy, { 1, 1 } );
        EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, goOn, nullptr ) );
    }
    const cltAabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
    EXPECT_EQ( clt_ok, cltBroadphase_QueryBox( world.broadphase(), &box, stopAtOnce, nullptr ) );
    world.stats();
    world.destroy( proxies[0] );
}

TEST( DeviceUntouched, ByAllButUpdatesAndPairs )
{
    DevicePlan plan;
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    def.device = clt_deviceCuda;
    World world( createOnDevice( def ), def );
    Random random( 1 );
    for ( int round = 0; round < 3; ++round )
    {
        const uint32_t before = plan.callCount;
        callAllButUpdates( world, random );
        EXPECT_EQ( before, plan.callCount );
        world.update();
        EXPECT_EQ( before + 5, plan.callCount ); // upload, build, findChanges, readBack, readPairs
        world.updateOnly();                      // nothing changed
        EXPECT_EQ( before + 5, plan.callCount );
    }
}
