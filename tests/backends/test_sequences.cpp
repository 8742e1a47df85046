// SPDX-License-Identifier: Zlib
// Random lives: proxies created, moved, refiltered and destroyed in any order between updates. Changes are exact: began
// and ended are the difference of two sets, destroyed proxies go silently, ids are reused only after an update.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Sequences );

/// One random thing happens to a random proxy.
static void operate( World& world, std::vector<cltProxyId>& alive, Random& random )
{
    uint32_t choice = alive.empty() ? 0 : random.below( 8 );
    size_t victim = alive.empty() ? 0 : random.below( static_cast<uint32_t>( alive.size() ) );
    if ( choice <= 1 )
    {
        alive.push_back( world.create( randomCube( random, 3 ) ) );
    }
    else if ( choice == 2 )
    {
        world.destroy( alive[victim] );
        alive[victim] = alive.back();
        alive.pop_back();
    }
    else if ( choice == 3 )
    {
        int32_t mask = static_cast<int32_t>( random.below( 4 ) );
        world.setFilter( alive[victim], { static_cast<int32_t>( 1 + random.below( 3 ) ), mask } );
    }
    else if ( choice == 4 )
    {
        world.destroy( alive[victim] );
        alive[victim] = world.create( randomCube( random, 3 ) );
    }
    else
    {
        world.move( alive[victim], randomCube( random, 3 ) );
    }
}

TEST_P( Sequences, TwoHundredOperationsBetweenChecks )
{
    World world( def() );
    Random random( 31 );
    std::vector<cltProxyId> alive = world.createAll( randomCubes( random, 150, 3 ) );
    for ( int round = 0; round < 12; ++round )
    {
        for ( int operation = 0; operation < 200; ++operation )
        {
            operate( world, alive, random );
        }
        world.update();
    }
}

TEST_P( Sequences, OneOperationBetweenChecks )
{
    World world( def() );
    Random random( 32 );
    std::vector<cltProxyId> alive = world.createAll( randomCubes( random, 60, 2 ) );
    for ( int operation = 0; operation < 150; ++operation )
    {
        operate( world, alive, random );
        world.update();
    }
}

TEST_P( Sequences, ToNothingAndBack )
{
    World world( def() );
    Random random( 33 );
    for ( int round = 0; round < 5; ++round )
    {
        std::vector<cltProxyId> alive = world.createAll( randomCubes( random, 120, 2 ) );
        world.update();
        for ( cltProxyId proxy : alive )
        {
            world.destroy( proxy );
        }
        world.update();
        EXPECT_EQ( 0u, world.pairCount() );
    }
}

TEST_P( Sequences, CreatedAndDestroyedBetweenUpdates )
{
    World world( def() );
    cltProxyId stays = world.create( span( 0, 1 ) );
    world.update();
    cltProxyId brief = world.create( span( 0, 1 ) );
    world.destroy( brief );
    cltProxyId next = world.create( span( 0, 1 ) );
    EXPECT_NE( brief, next );
    world.update();
    world.destroy( stays );
    world.update();
}

TEST_P( Sequences, MovedAwayThenDestroyedEndsSilently )
{
    World world( def() );
    cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    world.move( a, span( 5, 6 ) );
    world.destroy( a );
    world.expectPairs();
    world.update();
}

TEST_P( Sequences, PairsStandUntilTheUpdate )
{
    World world( def() );
    cltProxyId a = world.create( span( 0, 1 ) );
    cltProxyId b = world.create( span( 0, 1 ) );
    cltProxyId c = world.create( span( 0, 1 ) );
    world.expectPairs(); // none before the first update
    world.update();
    world.move( a, span( 5, 6 ) );
    world.setFilter( b, { 1, 0 } );
    world.create( span( 0, 1 ) );
    world.expectPairs(); // as they were
    world.destroy( c );
    world.expectPairs(); // less those of the one destroyed
    world.update();
}
