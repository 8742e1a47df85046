// SPDX-License-Identifier: Zlib
// Group and mask: Bullet's rule, any bits, changed while the world runs.
#include "tests/backends/each_config.h"

#include <climits>

using namespace test;

CLT_EACH_CONFIG( Filters );

static const cltFilter someFilters[] = { { 1, -1 }, { 2, 1 },  { 1, 2 },        { -1, -1 },     { 0, -1 },
                                         { -1, 0 }, { 64, 1 }, { INT_MIN, -1 }, { 1, INT_MIN }, { 3, 3 } };

static cltFilter someFilter( Random& random )
{
    return someFilters[random.below( sizeof( someFilters ) / sizeof( someFilters[0] ) )];
}

TEST_P( Filters, EveryGroupMeetsEveryMask )
{
    World world( def() );
    for ( const cltFilter& filter : someFilters )
    {
        world.create( span( 0, 1 ), filter );
        world.create( span( 0.5, 2 ), filter );
    }
    world.update();
}

TEST_P( Filters, BothMustAgree )
{
    World world( def() );
    world.create( span( 0, 1 ), { 1, 2 } );
    world.create( span( 0, 1 ), { 2, 4 } ); // the first wants it, it does not want the first
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
}

TEST_P( Filters, TheSignBitIsABit )
{
    World world( def() );
    world.create( span( 0, 1 ), { INT_MIN, INT_MIN } );
    cltProxyId other = world.create( span( 0, 1 ), { INT_MIN, INT_MAX } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.setFilter( other, { -1, -1 } );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( Filters, ChangeEndsAndBeginsPairs )
{
    World world( def() );
    cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.setFilter( a, { 1, 0 } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.setFilter( a, defaultFilter );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( Filters, ThereAndBackWithinOneUpdate )
{
    World world( def() );
    cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    world.setFilter( a, { 1, 0 } );
    world.setFilter( a, defaultFilter );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( Filters, ChangedTogetherWithBoxes )
{
    World world( def() );
    Random random( 21 );
    std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 200, 3 ) );
    world.update();
    for ( int step = 0; step < 5; ++step )
    {
        for ( cltProxyId proxy : proxies )
        {
            uint32_t choice = random.below( 4 );
            if ( choice % 2 == 1 )
            {
                world.setFilter( proxy, someFilter( random ) );
            }
            if ( choice >= 2 )
            {
                world.move( proxy, randomCube( random, 3 ) );
            }
        }
        world.update();
    }
}

TEST_P( Filters, SwitchedOffPairsEverything )
{
    cltBroadphaseDef unfiltered = def();
    unfiltered.filterMasks = false;
    World world( unfiltered );
    cltProxyId a = world.create( span( 0, 1 ), { 0, 0 } );
    world.create( span( 0, 1 ), { 1, 2 } );
    world.create( span( 0, 1 ), { 4, 8 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
    world.setFilter( a, { 16, 16 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
}
