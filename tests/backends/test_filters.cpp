// SPDX-License-Identifier: Zlib
// Group and mask: Bullet's rule, any bits, changed while the world runs.
#include "tests/backends/each_config.h"

#include <climits>

using namespace test;

CLT_EACH_CONFIG( Filters );

/// Among them two of which only one wants the other, and sign bits, which are bits like others.
TEST_P( Filters, EveryGroupMeetsEveryMask )
{
    World world( def() );
    for ( const cltFilter& filter : { cltFilter{ 1, -1 },
                                      { 2, 1 },
                                      { 1, 2 },
                                      { -1, -1 },
                                      { 0, -1 },
                                      { -1, 0 },
                                      { 64, 1 },
                                      { INT_MIN, -1 },
                                      { 1, INT_MIN },
                                      { 3, 3 },
                                      { INT_MIN, INT_MIN },
                                      { INT_MIN, INT_MAX },
                                      { 2, 4 } } )
    {
        world.create( span( 0, 1 ), filter );
        world.create( span( 0.5, 2 ), filter );
    }
    world.update();
}

TEST_P( Filters, ChangeEndsAndBeginsPairs )
{
    World world( def() );
    const cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.setFilter( a, { 1, 0 } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.setFilter( a, defaultFilter );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.setFilter( a, { 1, 0 } );
    world.setFilter( a, defaultFilter ); // and back within one update
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( Filters, SwitchedOffPairsEverything )
{
    cltBroadphaseDef unfiltered = def();
    unfiltered.filterMasks = false;
    World world( unfiltered );
    const cltProxyId a = world.create( span( 0, 1 ), { 0, 0 } );
    world.create( span( 0, 1 ), { 1, 2 } );
    world.create( span( 0, 1 ), { 4, 8 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
    world.setFilter( a, { 16, 16 } );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() );
}
