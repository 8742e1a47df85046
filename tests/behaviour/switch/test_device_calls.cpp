// SPDX-License-Identifier: Zlib
// Calls that use the device: creation, updates and requests for the list of all pairs. No other call uses it.
#include "tests/behaviour/bridge/hooks.h"
#include "tests/behaviour/switch/failing_device.h"
#include "tests/support/random_operations.h"

using namespace test;

/// If the device cannot be created, creation of the broadphase fails with its status, and nothing is held.
TEST( DeviceCreation, ReturnsTheDevicesStatus )
{
    for ( cltStatus status : { clt_noDevice, clt_deviceMemory, clt_deviceFailed, clt_hostMemory } )
    {
        Hooks hooks;
        cltBroadphaseDef def = defOn( clt_deviceCuda );
        hooks.installMemory( def );
        DevicePlan plan;
        plan.creation = status;
        cltStatus said = clt_ok;
        EXPECT_EQ( nullptr, createOnDevice( def, &said ) );
        EXPECT_EQ( status, said );
        EXPECT_EQ( 1u, plan.createdCount );
        EXPECT_EQ( 0u, hooks.bytesHeld() );

        plan.creation = clt_ok; // it may be tried again
        EXPECT_NE( nullptr, createOnDevice( def, &said ) );
        EXPECT_EQ( clt_ok, said );
        EXPECT_EQ( 0u, hooks.bytesHeld() );
    }
}

/// The CPU must be able to take over in an update in which the device fails.
TEST( DeviceCreation, RefusesInstructionSetsThatTheCpuLacks )
{
    DevicePlan plan;
    cltBroadphaseDef def = defOn( clt_deviceCuda );
    uint32_t refusedCount = 0;
    for ( cltSimd simd : allSimds )
    {
        def.simd = simd;
        cltStatus said = clt_ok;
        createOnDevice( def, &said );
        EXPECT_EQ( isUsable( simd ) ? clt_ok : clt_invalidArgument, said ) << cltSimdName( simd );
        refusedCount += said == clt_invalidArgument;
    }
    EXPECT_GT( refusedCount, 0u );
    EXPECT_EQ( plan.createdCount, plan.destroyedCount );
}

/// Calls that applications make thousands of times a step, or from other threads, never wait for a device.
TEST( DeviceCalls, AreMadeByUpdatesAndPairListsOnly )
{
    const auto goOn = []( cltProxyId, uint64_t, double, double maxFraction, void* ) { return maxFraction; };
    const double from[3] = { -9, -9, -9 }, to[3] = { 9, 9, 9 };
    DevicePlan plan;
    World world = worldOn( defOn( clt_deviceCuda ) );
    Random random( 1 );
    for ( int round = 0; round < 3; ++round )
    {
        const uint32_t before = plan.callCount;
        const Ids proxies = world.createAll( randomCubes( random, 2000, 9 ) );
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, randomCube( random, 9 ) );
            world.setFilter( proxy, { 1, 1 } );
            EXPECT_EQ( clt_ok, cltBroadphase_CastRay( world.broadphase(), from, to, goOn, nullptr ) );
        }
        world.expectQuery( span( 0, 1 ) );
        world.destroy( proxies[0] );
        EXPECT_EQ( before, plan.callCount );
        world.update();
        EXPECT_EQ( before + 5, plan.callCount ); // upload, build, findChanges, readBack, readPairs
        world.updateOnly();                      // nothing changed
        EXPECT_EQ( before + 5, plan.callCount );
    }
}
