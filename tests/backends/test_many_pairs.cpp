// SPDX-License-Identifier: Zlib
// More pairs than anybody planned for: buffers grow within the update, nothing is truncated.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( ManyPairs );

TEST_P( ManyPairs, FromNoneToAllAndBack )
{
    World world( def() );
    Ids proxies;
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

/// Rows of small boxes, and a bar along every row: more bars than there are outliers, and a group of neighbours among
/// them meets the whole scene.
TEST_P( ManyPairs, BarsAcrossManySmallBoxes )
{
    const int rows = 48;
    const int columns = 72; // so many boxes in the rows of sixteen bars that a search lists them in several goes
    World world( def() );
    Ids bars;
    for ( int y = 0; y < rows; ++y )
    {
        bars.push_back( world.create( { { -9, 1.0 * y, 5 }, { columns + 9.0, y + 0.1, 6 } } ) );
    }
    Ids boxes;
    for ( int i = 0; i < rows * columns; ++i )
    {
        boxes.push_back( world.create( cube( i % columns, i / columns, 0, 0.25 ) ) );
    }
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    for ( cltProxyId bar : bars )
    {
        world.move( bar, { { -9, 1.0 * bar, 0 }, { columns + 9.0, bar + 0.1, 1 } } );
    }
    world.update(); // the bars alone moved
    EXPECT_EQ( size_t( rows * columns ), world.pairCount() );
    for ( int i = 0; i < rows * columns; ++i )
    {
        world.move( boxes[size_t( i )], cube( i % columns, i / columns, i % 2 == 0 ? 0 : -0.5, 0.25 ) );
    }
    world.update(); // nearly all moved
    EXPECT_EQ( size_t( rows * columns / 2 ), world.pairCount() );
}

/// More huge boxes than fit into a block of outliers, all in one place, and the next moment nowhere near it, while
/// everything else moves, too.
TEST_P( ManyPairs, HugeBoxesPartAtOnce )
{
    World world( def() );
    Ids huge;
    for ( int i = 0; i < 20; ++i )
    {
        huge.push_back( world.create( cube( 0, 0, 0, 250 + i ) ) );
    }
    Ids boxes;
    for ( int i = 0; i < 300; ++i )
    {
        boxes.push_back( world.create( cube( 3 * i, 0, 1000, 1 ) ) );
    }
    world.update();
    EXPECT_EQ( 20u * 19u / 2u, world.pairCount() );
    for ( int i = 0; i < 20; ++i )
    {
        world.move( huge[size_t( i )], cube( 0, 0, 5000 + 1000 * i, 250 ) );
    }
    for ( int i = 0; i < 300; ++i )
    {
        world.move( boxes[size_t( i )], cube( 3 * i, 0.1, 1000, 1 ) );
    }
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
}
