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
    for ( cltPrecision precision : { clt_precisionFloat, clt_precisionDouble } )
    {
        std::string reasons[2];
        for ( int i = 0; i < 2; ++i )
        {
            const cltAlgorithm asked = i == 0 ? clt_algorithmAuto : clt_algorithmWide;
            World world( defOf( Config{ clt_deviceCuda, asked, precision, 1 } ) );
            Random random( 91 );
            world.createAll( randomCubes( random, 200, 3 ) );
            world.update();
            EXPECT_EQ( clt_deviceCuda, world.stats().device );
            EXPECT_EQ( clt_algorithmLbvh, world.stats().algorithm );
            reasons[i] = world.stats().reason;
        }
        EXPECT_EQ( "on a GPU the tree, which needs no cells that fit the scene", reasons[0] );
        EXPECT_EQ( "wide is made for a processor's vector units; a GPU runs the tree in its place", reasons[1] );
    }
}
