// SPDX-License-Identifier: Zlib
// A child process inherits a broadphase, but not its device: the CPU takes over there without touching it, and the parent
// goes on with the device.
#include "tests/support/config.h"
#include "tests/takeover/failing_device.h"
#include "tests/takeover/life.h"

#if defined( __unix__ )

#include <sys/wait.h>
#include <unistd.h>

using namespace test;

namespace
{

/// What went wrong in the child, as bits of its exit code.
int playChild( World& world, const DevicePlan& plan, bool asksPairsFirst )
{
    alarm( 60 ); // a child that waits for what is not there is a failure, not a hang
    if ( asksPairsFirst )
    {
        world.expectPairs();
    }
    live( world, 2 );
    int wrong = testing::Test::HasFailure() ? 1 : 0;
    wrong |= plan.lateCallCount != 0 ? 2 : 0;
    wrong |= world.stats().device != clt_deviceCpu || world.stats().deviceFailureCount != 1 ? 4 : 0;
    const bool oneLine = plan.log.size() == 1 && plan.log[0].first == clt_deviceFailed &&
                         plan.log[0].second.find( "forked" ) != std::string::npos;
    return wrong | ( oneLine ? 0 : 8 );
}

void forkAndPlay( bool asksPairsFirst )
{
    DevicePlan plan;
    cltBroadphaseDef def = defOf( clt_algorithmAuto, clt_precisionFloat, 2 );
    def.device = clt_deviceCuda;
    installLog( def );
    World world( createOnDevice( def ), def );
    live( world, 1 );
    world.move( world.oracle().proxies().begin()->first, span( 0, 1 ) ); // under way when it forks

    const pid_t child = fork();
    ASSERT_GE( child, 0 );
    if ( child == 0 )
    {
        _exit( playChild( world, plan, asksPairsFirst ) );
    }
    int status = -1;
    ASSERT_EQ( child, waitpid( child, &status, 0 ) );
    ASSERT_TRUE( WIFEXITED( status ) );
    EXPECT_EQ( 0, WEXITSTATUS( status ) ) << "1: wrong pairs, 2: touched the device, 4: wrong statistics, 8: wrong log";

    live( world, 3 );
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    EXPECT_EQ( 0u, plan.log.size() );
}

} // namespace

TEST( TakeoverFork, BeforeAnUpdate )
{
    forkAndPlay( false );
}

TEST( TakeoverFork, BeforeThePairsAreRead )
{
    forkAndPlay( true );
}

#endif
