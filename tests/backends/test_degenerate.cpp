// SPDX-License-Identifier: Zlib
// Input that breaks trees and grids: nothing, one, all in one place, all in a line, all sizes at once.
#include "tests/backends/each_config.h"

#include <cfloat>

using namespace test;

CLT_EACH_CONFIG( Degenerate );

TEST_P( Degenerate, NoProxies )
{
    World world( def() );
    world.update();
    world.update();
}

TEST_P( Degenerate, OneProxy )
{
    World world( def() );
    cltProxyId proxy = world.create( span( 0, 1 ) );
    world.update();
    world.move( proxy, span( 5, 6 ) );
    world.update();
    world.destroy( proxy );
    world.update();
}

TEST_P( Degenerate, TwoProxies )
{
    World world( def() );
    world.create( span( 0, 1 ) );
    cltProxyId second = world.create( span( 2, 3 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( second, span( 1, 2 ) ); // they touch in one point
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.move( second, span( 1.5, 2 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
}

TEST_P( Degenerate, AllEqual )
{
    World world( def() );
    world.createAll( std::vector<cltAabbD>( 150, span( -1, 1 ) ) );
    world.update();
    EXPECT_EQ( 150u * 149u / 2u, world.pairCount() );
}

TEST_P( Degenerate, LatticeWhereAllNeighboursTouch )
{
    World world( def() );
    for ( int cell = 0; cell < 6 * 6 * 6; ++cell )
    {
        double x = cell % 6 - 3;
        double y = cell / 6 % 6 - 3;
        double z = cell / 36 - 3;
        world.create( { { x, y, z }, { x + 1, y + 1, z + 1 } } );
    }
    world.update();
    // Ordered pairs of lattice places at most one apart on each axis: 16 a line, less each with itself, halved.
    EXPECT_EQ( ( 16u * 16u * 16u - 216u ) / 2u, world.pairCount() );
}

TEST_P( Degenerate, Points )
{
    World world( def() );
    for ( int i = 0; i < 120; ++i )
    {
        double x = i % 40;
        world.create( { { x, 2, 3 }, { x, 2, 3 } } );
    }
    world.update();
    EXPECT_EQ( 40u * 3u, world.pairCount() );
}

TEST_P( Degenerate, OneLine )
{
    World world( def() );
    for ( int i = 0; i < 200; ++i )
    {
        world.create( cube( 0.75 * i, 0, 0, 0.5 ) );
    }
    world.update();
    EXPECT_EQ( 199u, world.pairCount() );
}

TEST_P( Degenerate, OneBodyFarAwayDoesNotCrowdTheRest )
{
    World world( def() );
    Random random( 11 );
    world.createAll( randomCubes( random, 2000, 20 ) );
    cltProxyId lost = world.create( span( 0, 1 ) );
    for ( double place : { -1e4, -1e5, -1e30 } )
    {
        world.move( lost, span( place, place + 1 ) );
        world.update();
        if ( world.stats().algorithm == clt_algorithmGrid )
        {
            // in cells stretched to reach the lost body, all others would share a few and be tested pair by pair
            EXPECT_LT( world.stats().candidateCount, 2000u * 1999u / 2u / 10u );
        }
    }
}

TEST_P( Degenerate, TinyBesideHuge )
{
    World world( def() );
    Random random( 4 );
    for ( const cltAabbD& box : randomCubes( random, 100, 3 ) )
    {
        cltAabbD scaled = box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            scaled.lower[axis] *= 1e-6;
            scaled.upper[axis] *= 1e-6;
        }
        world.create( scaled );
    }
    world.create( span( -1e6, 1e6 ) );
    world.create( span( 1e6, 1e6 + 1 ) );
    world.create( { { -1e6, 0, -1e6 }, { 1e6, 1e-6, 1e6 } } );
    world.update();
}

TEST_P( Degenerate, Subnormal )
{
    World world( def() );
    double step = static_cast<double>( FLT_TRUE_MIN );
    for ( int i = 0; i < 20; ++i )
    {
        world.create( span( 2 * i * step, ( 2 * i + 1 ) * step ) );
    }
    world.create( span( -step, 0 ) );
    world.create( span( -0.0, 0.0 ) );
    world.update();
    EXPECT_EQ( 3u, world.pairCount() ); // around zero alone: the others are one smallest number apart
}

TEST_P( Degenerate, EverySizeAtOnce )
{
    World world( def() );
    Random random( 5 );
    for ( int i = 0; i < 250; ++i )
    {
        double half = 0.001 * static_cast<double>( 1u << random.below( 20 ) );
        world.create( cube( random.between( -9, 9 ), random.between( -9, 9 ), random.between( -9, 9 ), half ) );
    }
    world.update();
}

class DegenerateLarge : public EachConfig
{
};

INSTANTIATE_TEST_SUITE_P(, DegenerateLarge, testing::ValuesIn( configsWith( 3 ) ), configName );

TEST_P( DegenerateLarge, ThreeThousandInOnePlace )
{
    World world( def() );
    world.createAll( std::vector<cltAabbD>( 3000, span( 7, 8 ) ) );
    world.update();
    EXPECT_EQ( 3000u * 2999u / 2u, world.pairCount() );
}

static cltAabbD shifted( cltAabbD box, double way )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        box.lower[axis] += way;
        box.upper[axis] += way;
    }
    return box;
}

/// Groups so far apart that each is smaller than a cell of the curve over all; two of them share one; and one of them is
/// many bodies in a single place.
TEST_P( Degenerate, CrowdsFarApart )
{
    World world( def() );
    Random random( 31 );
    std::vector<cltProxyId> proxies;
    for ( double place : { 0.0, 5e5, 5e5 + 300, 1e6 } )
    {
        for ( int i = 0; i < 150; ++i )
        {
            proxies.push_back( world.create( shifted( randomCube( random, 5 ), place ) ) );
        }
    }
    for ( int i = 0; i < 80; ++i )
    {
        proxies.push_back( world.create( cube( 7e5, 0, 0, 0.5 ) ) );
    }
    world.update();
    for ( size_t step = 0; step < 8; ++step )
    {
        for ( cltProxyId proxy : proxies )
        {
            world.move( proxy, shifted( world.oracle().proxies().at( proxy ).box, random.between( -0.5, 0.5 ) ) );
        }
        world.move( proxies[step], cube( -1e6, 0, 0, 1 ) );
        world.update();
    }
}
