// SPDX-License-Identifier: Zlib
// A device that cannot even be created, or that could not be replaced: the broadphase is refused, and nothing is left.
#include "tests/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"

using namespace test;

static cltBroadphaseDef deviceDef()
{
    cltBroadphaseDef def = defOf( clt_algorithmAuto );
    def.device = clt_deviceCuda;
    return def;
}

TEST( TakeoverCreation, SaysWhatTheDeviceSaid )
{
    for ( cltStatus status : { clt_noDevice, clt_deviceMemory, clt_deviceFailed, clt_hostMemory } )
    {
        Hooks hooks;
        cltBroadphaseDef def = deviceDef();
        hooks.installMemory( def );
        DevicePlan plan;
        plan.creation = status;
        cltStatus said = clt_ok;
        EXPECT_EQ( nullptr, createOnDevice( def, &said ) );
        EXPECT_EQ( status, said );
        EXPECT_EQ( 1u, plan.createdCount );
        EXPECT_EQ( 0u, hooks.bytesHeld() );

        plan.creation = clt_ok; // it may be tried again
        EXPECT_NE( nullptr, createOnDevice( def ) );
        EXPECT_EQ( 0u, hooks.bytesHeld() );
    }
}

/// Otherwise the update in which the device fails would have to end with an error.
TEST( TakeoverCreation, RefusesWhatTheCpuCouldNotTakeOver )
{
    DevicePlan plan;
    cltBroadphaseDef def = deviceDef();
    uint32_t refusedCount = 0;
    for ( cltSimd simd : allSimds )
    {
        cltBroadphaseDef cpuDef = defOf( clt_algorithmAuto );
        def.simd = cpuDef.simd = simd;
        cltBroadphase* onCpu = nullptr;
        const cltStatus expected = cltCreateBroadphase( &cpuDef, &onCpu );
        cltDestroyBroadphase( onCpu );
        cltStatus said = clt_ok;
        createOnDevice( def, &said );
        EXPECT_EQ( expected, said ) << cltSimdName( simd );
        refusedCount += said == clt_invalidArgument;
    }
    EXPECT_GT( refusedCount, 0u );
    EXPECT_EQ( plan.createdCount, plan.destroyedCount );
}

/// No log line: who asked for a device by name gets the status, and who did not asked for none.
TEST( TakeoverCreation, AutoBeginsOnTheCpuAndSaysWhy )
{
    World world( defOf( Config{ clt_deviceAuto, clt_algorithmAuto, clt_precisionFloat, 1 } ) );
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
    EXPECT_STRNE( "asked for", world.stats().deviceReason );
    EXPECT_STRNE( "", world.stats().deviceReason );

    World asked( defOf( clt_algorithmAuto ) );
    EXPECT_STREQ( "asked for", asked.stats().deviceReason );
    asked.create( span( 0, 1 ) );
    asked.update();
    EXPECT_STREQ( "asked for", asked.stats().deviceReason );
}
