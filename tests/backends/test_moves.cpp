// SPDX-License-Identifier: Zlib
// Moves that an update may take the wrong shortcut for: none, one, all, further than a body's size, out of the proper
// boxes and into them, and large bodies that become small.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Moves );

static const double crowdReach = 6;

static cltAabbD hugeCube( Random& random )
{
    return cube( random.between( -crowdReach, crowdReach ), 0, 0, random.between( 20, 200 ) );
}

static void moveSome( World& world, const Ids& proxies, size_t first, size_t stride, Random& random, double reach )
{
    for ( size_t i = first; i < proxies.size(); i += stride )
    {
        world.move( proxies[i], randomCube( random, reach ) );
    }
}

TEST_P( Moves, NoneOrTheSameBoxAgainChangesNothing )
{
    World world( def() );
    Random random( 41 );
    const std::vector<cltAabbD> boxes = randomCubes( random, 200, 3 );
    const Ids proxies = world.createAll( boxes );
    world.update();
    EXPECT_GT( world.pairCount(), 0u );
    for ( size_t movedCount : { 0, 100 } )
    {
        for ( size_t i = 0; i < movedCount; ++i )
        {
            world.move( proxies[i], boxes[i] );
        }
        world.update();
        EXPECT_EQ( 0u, world.stats().changedCount );
        EXPECT_EQ( 0u, world.stats().beganCount );
        EXPECT_EQ( 0u, world.stats().endedCount );
    }
}

TEST_P( Moves, OneAmongMany )
{
    World world( def() );
    Random random( 43 );
    const Ids proxies = world.createAll( randomCubes( random, 300, 4 ) );
    world.update();
    for ( int step = 0; step < 20; ++step )
    {
        world.move( proxies[random.below( 300u )], randomCube( random, 4 ) );
        world.update();
        EXPECT_EQ( 1u, world.stats().changedCount );
    }
}

/// The union of a body's box now and before would meet everything in between.
TEST_P( Moves, AllOrHalfAcrossTheScene )
{
    World world( def() );
    Random random( 11 );
    const Ids proxies = world.createAll( randomCubes( random, 300, 5 ) );
    world.update();
    for ( size_t step = 0; step < 8; ++step )
    {
        moveSome( world, proxies, step % 2, 1 + step / 4, random, 5 );
        world.update();
    }
}

TEST_P( Moves, OneBodyThroughAll )
{
    World world( def() );
    for ( int i = 0; i < 200; ++i )
    {
        world.create( cube( i, 0, 0, 0.4 ) );
    }
    const cltProxyId bullet = world.create( cube( -10, 0, 0, 0.5 ) );
    world.update();
    for ( double x : { 50.0, 51.0, 51.5, 199.0, -10.0, 250.0, 0.0 } )
    {
        world.move( bullet, cube( x, 0, 0, 0.5 ) );
        world.update();
    }
}

TEST_P( Moves, TheWholeSceneTogether )
{
    World world( def() );
    Random random( 13 );
    const std::vector<cltAabbD> boxes = randomCubes( random, 200, 4 );
    const Ids proxies = world.createAll( boxes );
    world.update();
    for ( double shift : { 1e3, -1e6, 1e7, 0.0 } )
    {
        for ( size_t i = 0; i < proxies.size(); ++i )
        {
            world.move( proxies[i], shifted( boxes[i], shift ) );
        }
        world.update();
    }
}

TEST_P( Moves, GrowingAndShrinking )
{
    World world( def() );
    Random random( 15 );
    world.createAll( randomCubes( random, 200, 5 ) );
    const cltProxyId body = world.create( span( 0, 0 ) );
    for ( double half : { 0.1, 1.0, 100.0, 1e9, infinity, 0.5, 0.0 } )
    {
        world.move( body, span( -half, half ) );
        world.update();
    }
}

/// Groups so far apart that each is smaller than a cell of the curve over all; two of them share one; and one of them
/// is many bodies in a single place.
TEST_P( Moves, CrowdsFarApart )
{
    World world( def() );
    Random random( 31 );
    Ids proxies = world.createAll( std::vector<cltAabbD>( 80, cube( 7e5, 0, 0, 0.5 ) ) );
    for ( double place : { 0.0, 5e5, 5e5 + 300, 1e6 } )
    {
        for ( int i = 0; i < 150; ++i )
        {
            proxies.push_back( world.create( shifted( randomCube( random, 5 ), place ) ) );
        }
    }
    world.update();
    for ( size_t step = 0; step < 8; ++step )
    {
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, shifted( world.boxOf( proxy ), random.between( -0.5, 0.5 ) ) );
        }
        world.move( proxies[80 + step], cube( -1e6, 0, 0, 1 ) );
        world.update();
    }
}

/// So many that they are no outliers, with centres that are infinite or not a number.
TEST_P( Moves, MostReachToInfinity )
{
    World world( def() );
    Random random( 6 );
    const Ids proxies = world.createAll( randomCubes( random, 400, 3 ) );
    for ( int step = 0; step < 3; ++step )
    {
        for ( size_t i = 60; i < proxies.size(); ++i )
        {
            cltAabbD box = randomCube( random, 3 );
            for ( int axis = 0; axis < 3; ++axis )
            {
                const uint32_t choice = random.below( 4u );
                box.lower[axis] = choice % 2 == 1 ? -infinity : box.lower[axis];
                box.upper[axis] = choice >= 2 ? infinity : box.upper[axis];
            }
            world.move( proxies[i], box );
        }
        world.update();
    }
}

TEST_P( Moves, NotANumberComesAndGoes )
{
    World world( def() );
    const cltProxyId a = world.create( span( 0, 1 ) );
    world.create( span( 0, 1 ) );
    world.update();
    world.move( a, { { 0, notANumber, 0 }, { 1, 1, 1 } } );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( a, { { notANumber, 0, 0 }, { 1, 1, 1 } } );
    world.update();
    EXPECT_EQ( 1u, world.stats().nanCount );
    world.move( a, span( 0.5, 1 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    EXPECT_EQ( 0u, world.stats().nanCount );
}

/// Who was hidden or away between two updates and is back has kept its pairs.
TEST_P( Moves, HiddenOrAwayAndBackBetweenUpdates )
{
    World world( def() );
    Random random( 9 );
    const Ids proxies = world.createAll( randomCubes( random, 200, 3 ) );
    world.update();
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < proxies.size(); i += 3 )
        {
            const cltAabbD box = world.boxOf( proxies[i] );
            world.move( proxies[i], step % 2 == 0 ? cltAabbD{ { notANumber, 0, 0 }, { 1, 1, 1 } } : span( 100, 101 ) );
            world.move( proxies[i], i % 2 == 0 ? box : shifted( box, 0.3 ) );
        }
        world.update();
    }
}

/// Outliers are tested against everything, so there is a limit to them; beyond, large bodies are bodies like others.
TEST_P( Moves, MoreLargeBodiesThanOutliers )
{
    World world( def() );
    Random random( 72 );
    world.createAll( randomCubes( random, 200, crowdReach ) );
    world.update();
    Ids large;
    for ( int i = 0; i < 80; ++i )
    {
        large.push_back( world.create( hugeCube( random ) ) );
        if ( i % 7 == 0 )
        {
            world.update();
        }
    }
    for ( cltProxyId proxy : large )
    {
        world.move( proxy, hugeCube( random ) );
    }
    world.update();
    moveSome( world, large, 0, 3, random, crowdReach );
    world.update();
}

/// An outlier needs a place among the others when it is no longer large, however full they are.
TEST_P( Moves, OutliersBecomeSmall )
{
    for ( size_t count = 96; count < 130; ++count )
    {
        World world( def() );
        Random random( 73 );
        const Ids small = world.createAll( randomCubes( random, count, crowdReach ) );
        Ids large;
        for ( int i = 0; i < 20; ++i )
        {
            large.push_back( world.create( hugeCube( random ) ) );
        }
        world.updateOnly();
        moveSome( world, large, 0, 1, random, crowdReach );
        moveSome( world, small, 0, 4, random, 100 * crowdReach );
        world.updateOnly();
        moveSome( world, small, 0, 2, random, crowdReach );
        world.updateOnly();
    }
}

/// Asking for all pairs searches with everybody; the next small step must search with its few movers again. Only a
/// large world has few enough.
TEST_P( Moves, FewAfterAllPairsWereAskedFor )
{
    World world( def() );
    for ( int i = 0; i < 5000; ++i )
    {
        world.create( cube( 3 * ( i % 17 ), 3 * ( i / 17 % 17 ), 3 * ( i / 289 ), 1 ) );
    }
    world.updateOnly();
    const Ids row = world.createAll( { cube( 100, 0, 0, 1 ), cube( 105, 0, 0, 1 ), cube( 110, 0, 0, 1 ) } );
    world.updateOnly();
    world.move( 0, cube( 0.1, 0, 0, 1 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( row[1], cube( 101.5, 0, 0, 1 ) );
    world.updateOnly();
    world.move( row[2], cube( 102.5, 0, 0, 1 ) );
    world.updateOnly();
    EXPECT_EQ( 2u, world.pairCount() );
}
