// SPDX-License-Identifier: Zlib
// More pairs than anybody planned for: buffers grow within the update, nothing is truncated.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( ManyPairs );

TEST_P( ManyPairs, FirstUpdateWithAHundredTimesMorePairsThanBodies )
{
    World world( def() );
    Random random( 61 );
    for ( int i = 0; i < 400; ++i )
    {
        world.create( randomCube( random, 0.3 ) );
    }
    world.update();
    EXPECT_GT( world.pairCount(), 100u * 400u );
}

TEST_P( ManyPairs, FromNoneToAllAndBack )
{
    World world( def() );
    std::vector<cltProxyId> proxies;
    for ( int i = 0; i < 250; ++i )
    {
        proxies.push_back( world.create( cube( 3 * i, 0, 0, 1 ) ) );
    }
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    for ( int cycle = 0; cycle < 2; ++cycle )
    {
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, cube( 0.001 * proxy, 0, 0, 1 ) );
        }
        world.update();
        EXPECT_EQ( 250u * 249u / 2u, world.pairCount() );
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, cube( 3.0 * proxy, 0, 0, 1 ) );
        }
        world.update();
        EXPECT_EQ( 0u, world.pairCount() );
    }
}

TEST_P( ManyPairs, OneMeetsAll )
{
    World world( def() );
    for ( int i = 0; i < 1000; ++i )
    {
        world.create( cube( i, 0, 0, 0.25 ) );
    }
    cltProxyId sweeper = world.create( { { -9, -9, 5 }, { 1009, 9, 6 } } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( sweeper, { { -9, -9, 0 }, { 1009, 9, 1 } } );
    world.update();
    EXPECT_EQ( 1000u, world.pairCount() );
}
