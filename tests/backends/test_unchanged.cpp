// SPDX-License-Identifier: Zlib
// An update with nothing to do reports nothing, and says so.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Unchanged );

TEST_P( Unchanged, SecondUpdateIsEmpty )
{
    World world( def() );
    Random random( 41 );
    world.createAll( randomCubes( random, 200, 3 ) );
    world.update();
    EXPECT_GT( world.pairCount(), 0u );
    world.update();
    EXPECT_EQ( 0u, world.stats().changedCount );
    EXPECT_EQ( 0u, world.stats().beganCount );
    EXPECT_EQ( 0u, world.stats().endedCount );
}

TEST_P( Unchanged, TheSameBoxAgain )
{
    World world( def() );
    Random random( 42 );
    std::vector<cltAabbD> boxes = randomCubes( random, 100, 3 );
    std::vector<cltProxyId> proxies = world.createAll( boxes );
    world.update();
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        world.move( proxies[i], boxes[i] );
    }
    world.update();
    EXPECT_EQ( 0u, world.stats().changedCount );
}

TEST_P( Unchanged, OneMovesAmongMany )
{
    World world( def() );
    Random random( 43 );
    std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 300, 4 ) );
    world.update();
    for ( int step = 0; step < 20; ++step )
    {
        world.move( proxies[random.below( 300 )], randomCube( random, 4 ) );
        world.update();
        EXPECT_EQ( 1u, world.stats().changedCount );
    }
}
