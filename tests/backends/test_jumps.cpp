// SPDX-License-Identifier: Zlib
// Bodies that move further than their size: the union of the old and the new box would meet everything in between.
#include "tests/backends/each_config.h"

using namespace test;

CLT_EACH_CONFIG( Jumps );

TEST_P( Jumps, EverythingAcrossTheScene )
{
    World world( def() );
    Random random( 11 );
    std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 300, 5 ) );
    world.update();
    for ( int step = 0; step < 4; ++step )
    {
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, randomCube( random, 5 ) );
        }
        world.update();
    }
}

TEST_P( Jumps, HalfOfIt )
{
    World world( def() );
    Random random( 12 );
    std::vector<cltProxyId> proxies = world.createAll( randomCubes( random, 300, 5 ) );
    world.update();
    for ( size_t step = 0; step < 4; ++step )
    {
        for ( size_t i = step % 2; i < proxies.size(); i += 2 )
        {
            world.move( proxies[i], randomCube( random, 5 ) );
        }
        world.update();
    }
}

TEST_P( Jumps, OneBodyThroughAll )
{
    World world( def() );
    for ( int i = 0; i < 200; ++i )
    {
        world.create( cube( i, 0, 0, 0.4 ) );
    }
    cltProxyId bullet = world.create( cube( -10, 0, 0, 0.5 ) );
    world.update();
    for ( double x : { 50.0, 51.0, 51.5, 199.0, -10.0, 250.0, 0.0 } )
    {
        world.move( bullet, cube( x, 0, 0, 0.5 ) );
        world.update();
    }
}

TEST_P( Jumps, TheWholeSceneTogether )
{
    World world( def() );
    Random random( 13 );
    std::vector<cltAabbD> boxes = randomCubes( random, 200, 4 );
    std::vector<cltProxyId> proxies = world.createAll( boxes );
    world.update();
    for ( double shift : { 1e3, -1e6, 1e7, 0.0 } )
    {
        for ( size_t i = 0; i < proxies.size(); ++i )
        {
            cltAabbD box = boxes[i];
            for ( int axis = 0; axis < 3; ++axis )
            {
                box.lower[axis] += shift;
                box.upper[axis] += shift;
            }
            world.move( proxies[i], box );
        }
        world.update();
    }
}

TEST_P( Jumps, ThereAndBackWithinOneUpdate )
{
    World world( def() );
    Random random( 14 );
    std::vector<cltAabbD> boxes = randomCubes( random, 100, 3 );
    std::vector<cltProxyId> proxies = world.createAll( boxes );
    world.update();
    for ( size_t i = 0; i < proxies.size(); ++i )
    {
        world.move( proxies[i], span( 100, 101 ) );
        world.move( proxies[i], boxes[i] );
    }
    world.update();
}

TEST_P( Jumps, GrowingAndShrinking )
{
    World world( def() );
    Random random( 15 );
    world.createAll( randomCubes( random, 200, 5 ) );
    cltProxyId body = world.create( span( 0, 0 ) );
    for ( double half : { 0.1, 1.0, 100.0, 1e9, infinity, 0.5, 0.0 } )
    {
        world.move( body, span( -half, half ) );
        world.update();
    }
}
