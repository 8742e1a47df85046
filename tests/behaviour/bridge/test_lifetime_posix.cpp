// SPDX-License-Identifier: Zlib
// A forked child goes on with its parent's broadphase.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <memory>
#include <sys/wait.h>
#include <unistd.h>

using namespace test;

#if !defined( __SANITIZE_THREAD__ ) // ThreadSanitizer does not follow children of a program with threads

TEST( Lifetime, AForkedChildUpdatesWithoutThePoolsThreads )
{
    const cltBroadphaseDef def = defOf( clt_algorithmLbvh, clt_precisionFloat, 4 );
    auto world =
        std::make_unique<World>( createBroadphase( def ), def ); // the child goes on without the device, if one is used
    Random random( 1 );
    const Ids proxies = world->createAll( randomCubes( random, 5000, 14 ) );
    world->update(); // threads have started
    pid_t child = fork();
    ASSERT_GE( child, 0 );
    world->moveAll( proxies, randomCubes( random, 5000, 14 ) );
    world->update();
    world.reset();
    if ( child == 0 )
    {
        _exit( HasFailure() ? 1 : 0 );
    }
    int state = -1;
    ASSERT_EQ( child, waitpid( child, &state, 0 ) );
    EXPECT_TRUE( WIFEXITED( state ) && WEXITSTATUS( state ) == 0 );
}

#endif
