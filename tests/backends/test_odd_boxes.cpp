// SPDX-License-Identifier: Zlib
// Boxes that are not proper ones: infinite, inside out, not a number, beyond what float holds. The formula decides.
#include "tests/backends/each_config.h"

#include <cfloat>

using namespace test;

CLT_EACH_CONFIG( OddBoxes );

TEST_P( OddBoxes, InfinitePlanesAndEverything )
{
    World world( def() );
    Random random( 1 );
    world.createAll( randomCubes( random, 100, 4 ) );
    world.create( { { -infinity, -infinity, -1 }, { infinity, infinity, 0 } } );
    world.create( { { -infinity, -infinity, 0 }, { infinity, infinity, 1 } } );
    world.create( { { 0, -infinity, -infinity }, { 0, infinity, infinity } } );
    world.create( span( -infinity, infinity ) );
    cltProxyId corner = world.create( span( infinity, infinity ) );
    world.update();
    world.move( corner, span( -infinity, -infinity ) );
    world.update();
    world.move( corner, span( 0, infinity ) );
    world.update();
}

TEST_P( OddBoxes, WhollyAtInfinityOnSomeAxis )
{
    World world( def() ); // infinity less infinity is not a number, so that such boxes have no size
    Random random( 7 );
    for ( uint32_t i = 0; i < 60; ++i )
    {
        cltAabbD box = randomCube( random, 2 );
        uint32_t axis = i % 6;
        if ( axis < 3 )
        {
            box.lower[axis] = box.upper[axis] = random.below( 2 ) == 0 ? infinity : -infinity;
        }
        world.create( box );
    }
    world.update();
}

TEST_P( OddBoxes, MostReachToInfinity )
{
    // So many that they are no exception to be set aside, with centres that are infinite or not a number.
    World world( def() );
    Random random( 6 );
    std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 400, 3 ) );
    auto reachOut = [&random]( cltAabbD box )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            uint32_t choice = random.below( 4 );
            box.lower[axis] = choice % 2 == 1 ? -infinity : box.lower[axis];
            box.upper[axis] = choice >= 2 ? infinity : box.upper[axis];
        }
        return box;
    };
    for ( int step = 0; step < 3; ++step )
    {
        for ( size_t i = 60; i < proxies.size(); ++i )
        {
            world.move( proxies[i], reachOut( randomCube( random, 3 ) ) );
        }
        world.update();
    }
}

TEST_P( OddBoxes, SomeNotANumber )
{
    for ( uint32_t percent : { 1u, 5u, 50u, 100u } )
    {
        World world( def() );
        Random random( percent );
        uint32_t nanCount = 0;
        for ( cltAabbD box : randomCubes( random, 200, 3 ) )
        {
            if ( random.below( 100 ) < percent )
            {
                uint32_t place = random.below( 6 );
                ( place < 3 ? box.lower : box.upper )[place % 3] = notANumber;
                ++nanCount;
            }
            world.create( box );
        }
        world.update();
        EXPECT_EQ( nanCount, world.stats().nanCount );
    }
}

TEST_P( OddBoxes, NotANumberComesAndGoes )
{
    World world( def() );
    cltProxyId a = world.create( span( 0, 1 ) );
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

TEST_P( OddBoxes, InsideOut )
{
    World world( def() );
    Random random( 2 );
    for ( cltAabbD box : randomCubes( random, 150, 3 ) )
    {
        int axis = static_cast<int>( random.below( 6 ) );
        if ( axis < 3 )
        {
            std::swap( box.lower[axis], box.upper[axis] );
        }
        world.create( box );
    }
    world.create( { { 2, 2, 2 }, { -2, -2, -2 } } );
    world.create( { { infinity, infinity, infinity }, { -infinity, -infinity, -infinity } } );
    cltProxyId large = world.create( span( -50, 50 ) );
    world.update();
    world.move( large, span( 50, -50 ) );
    world.update();
}

TEST_P( OddBoxes, Huge )
{
    World world( def() );
    Random random( 3 );
    for ( const cltAabbD& box : randomCubes( random, 100, 3 ) )
    {
        cltAabbD scaled = box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            scaled.lower[axis] *= 1e37;
            scaled.upper[axis] *= 1e37;
        }
        world.create( scaled );
    }
    world.create( span( -double( FLT_MAX ), double( FLT_MAX ) ) );
    world.create( span( double( FLT_MAX ), double( FLT_MAX ) ) );
    world.update();
}

TEST_P( OddBoxes, BeyondFloat )
{
    World world( def() ); // a float world sees infinities here, a double world does not
    world.create( span( 1e300, 2e300 ) );
    world.create( span( 2e300, 3e300 ) );
    world.create( span( 4e300, 5e300 ) );
    world.create( span( -1e308, 1e308 ) );
    world.create( span( 0, 1 ) );
    world.update();
}

/// Between two updates nobody looks: who was hidden in the meantime and is back where it was has kept its pairs.
TEST_P( OddBoxes, HiddenAndShownAgainBetweenUpdates )
{
    World world( def() );
    Random random( 9 );
    const std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 200, 3 ) );
    world.update();
    for ( int step = 0; step < 4; ++step )
    {
        for ( size_t i = 0; i < proxies.size(); i += 3 )
        {
            cltAabbD box = world.oracle().proxies().at( proxies[i] ).box;
            world.move( proxies[i], { { notANumber, 0, 0 }, { 1, 1, 1 } } );
            box.lower[0] += i % 2 == 0 ? 0 : 0.3;
            box.upper[0] += i % 2 == 0 ? 0 : 0.3;
            world.move( proxies[i], box );
        }
        world.update();
    }
}
