// SPDX-License-Identifier: Zlib
// Moving to a device fails, or the device does later: no update does, and no pair is lost.
#include "tests/bridge/hooks.h"
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

#if defined( __unix__ )
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace test;

namespace
{

constexpr uint32_t worthFromFew = 6;

cltBroadphaseDef autoDef()
{
    return defOf( Config{ clt_deviceAuto, clt_algorithmAuto, clt_precisionFloat, 2 } );
}

void expectStayed( const DevicePlan& plan, const World& world )
{
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
    EXPECT_EQ( 1u, plan.createdCount ) << "tried again";
    EXPECT_EQ( 0u, plan.lateCallCount );
}

void moveBackAndForth( World& world, const std::vector<cltProxyId>& proxies, size_t count, int step )
{
    for ( size_t i = 0; i < count; ++i )
    {
        world.move( proxies[i], span( step % 2, 1.5 + step % 2 ) );
    }
    world.updateOnly();
}

} // namespace

TEST( MoveUpFailure, AtEachStage )
{
    for ( Stage stage : { Stage::upload, Stage::build, Stage::findChanges, Stage::readBack } )
    {
        for ( cltStatus failure : allFailures )
        {
            SCOPED_TRACE( std::string( nameOf( stage ) ) + " " + cltStatusName( failure ) );
            DevicePlan plan;
            plan.worthFrom = worthFromFew;
            plan.stage = stage;
            plan.call = 1;
            plan.status = failure;
            cltBroadphaseDef def = autoDef();
            installLog( def );
            World world( createOnDevice( def ), def );
            live( world, 1 );
            EXPECT_TRUE( plan.failed );
            expectStayed( plan, world );
            EXPECT_EQ( 1u, plan.destroyedCount );
            EXPECT_EQ( 1u, world.stats().deviceFailureCount );
            EXPECT_STREQ( "enough bodies move for a CUDA device, but moving there failed", world.stats().deviceReason );
            ASSERT_EQ( 1u, plan.log.size() );
            EXPECT_EQ( failure, plan.log[0].first );
            EXPECT_EQ( "cuda: pulled out of its socket; the CPU goes on finding the pairs of this broadphase",
                       plan.log[0].second );
        }
    }
}

/// That a machine has no device is no failure, and nobody is told; all else is.
TEST( MoveUpFailure, WhenTheDeviceCannotBeCreated )
{
    for ( cltStatus status : { clt_noDevice, clt_deviceMemory, clt_deviceFailed } )
    {
        SCOPED_TRACE( cltStatusName( status ) );
        DevicePlan plan;
        plan.worthFrom = worthFromFew;
        plan.creation = status;
        cltBroadphaseDef def = autoDef();
        installLog( def );
        World world( createOnDevice( def ), def );
        live( world, 2 );
        expectStayed( plan, world );
        const uint32_t told = status == clt_noDevice ? 0 : 1;
        EXPECT_EQ( told, world.stats().deviceFailureCount );
        EXPECT_EQ( told, plan.log.size() );
    }
}

/// Up once, and down once.
TEST( MoveUpFailure, OfTheDeviceLater )
{
    for ( uint32_t call = 2; call <= 4; ++call )
    {
        DevicePlan plan;
        plan.worthFrom = worthFromFew;
        plan.stage = Stage::findChanges;
        plan.call = call;
        World world( createOnDevice( autoDef() ), autoDef() );
        live( world, call );
        EXPECT_TRUE( plan.failed );
        expectStayed( plan, world );
        EXPECT_EQ( 1u, world.stats().deviceFailureCount );
        EXPECT_STREQ( "a device failed, and the CPU took its place", world.stats().deviceReason );
    }
}

TEST( MoveUpFailure, WithoutMemory )
{
    uint64_t failures = 0;
    for ( uint64_t k = 1; k == failures + 1; ++k )
    {
        SCOPED_TRACE( "allocation " + std::to_string( k ) );
        Hooks hooks;
        cltBroadphaseDef def = autoDef();
        hooks.installMemory( def );
        DevicePlan plan;
        plan.worthFrom = 60;
        {
            World world( createOnDevice( def ), def );
            const std::vector<cltProxyId> proxies = world.createAll( std::vector<cltAabbD>( 60, span( 0, 1 ) ) );
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

#if defined( __unix__ )
/// A child of a world that is still on the CPU has the device for itself.
TEST( MoveUpFork, TheChildMovesUpAlone )
{
    DevicePlan plan;
    plan.worthFrom = worthFromFew;
    World world( createOnDevice( autoDef() ), autoDef() );
    world.create( span( 0, 1 ) );
    world.updateOnly();
    const pid_t child = fork();
    if ( child == 0 )
    {
        alarm( 60 );
        live( world, 1 );
        const bool good = world.stats().device == clt_deviceCuda && world.stats().deviceFailureCount == 0;
        _exit( good && !testing::Test::HasFailure() && plan.lateCallCount == 0 ? 0 : 1 );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    EXPECT_TRUE( WIFEXITED( status ) && WEXITSTATUS( status ) == 0 );
    EXPECT_EQ( clt_deviceCpu, world.stats().device );
}
#endif
