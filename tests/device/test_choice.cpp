// SPDX-License-Identifier: Zlib
// The algorithm that a device runs for auto and `wide`. Other tests on a device leave these two out.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>

using namespace test;

TEST( Choice, RunsTheTreeForAutoAndWide )
{
    if ( !isUsable( clt_deviceCuda ) )
    {
        GTEST_SKIP() << "no CUDA device answers";
    }
    const std::pair<cltAlgorithm, std::string> cases[] = {
        { clt_algorithmAuto, "on a GPU the tree, which needs no cells that fit the scene" },
        { clt_algorithmWide, "wide is made for a processor's vector units; a GPU runs the tree in its place" } };
    for ( const auto& [asked, reason] : cases )
    {
        World world( defOf( Config{ clt_deviceCuda, asked, clt_precisionFloat, 1 } ) );
        Random random( 91 );
        world.createAll( randomCubes( random, 200, 3 ) );
        world.update();
        EXPECT_EQ( clt_deviceCuda, world.stats().device );
        EXPECT_EQ( clt_algorithmLbvh, world.stats().algorithm );
        EXPECT_EQ( reason, world.stats().reason );
    }
}
