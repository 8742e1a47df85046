// SPDX-License-Identifier: Zlib
// What runs on a device when the algorithm is left to it, or is one that it does not have. Which is why no other test
// is repeated for these two.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <gtest/gtest.h>

using namespace test;

TEST( Choice, AutoAndWideRunTheTree )
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
