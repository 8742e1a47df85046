// SPDX-License-Identifier: Zlib
// The algorithm that a device runs for clt_algorithmAuto.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>

using namespace test;

TEST( Choice, RunsWideForAuto )
{
    if ( !isUsable( clt_deviceCuda ) )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    World world( defOf( Config{ clt_deviceCuda, clt_algorithmAuto, clt_precisionFloat, 1 } ) );
    Random random( 91 );
    world.createAll( randomCubes( random, 200, 3 ) );
    world.update();
    EXPECT_EQ( clt_deviceCuda, world.stats().device );
    EXPECT_EQ( clt_algorithmWide, world.stats().algorithm );
    EXPECT_STREQ( "the fastest on a GPU", world.stats().reason );
}
