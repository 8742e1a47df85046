// SPDX-License-Identifier: Zlib
// A double world is exact where float cannot tell boxes apart, a float world is exact to its last bit.
#include "tests/backends/each_config.h"

#include <cmath>

using namespace test;

class DoublePrecision : public EachConfig
{
};

INSTANTIATE_TEST_SUITE_P(, DoublePrecision, testing::ValuesIn( configsOf( clt_precisionDouble ) ), configName );

TEST_P( DoublePrecision, GapAndOverlapOfANanometreFarFromTheOrigin )
{
    World world( def() );
    world.create( span( 1e6, 1e6 + 1 ) );
    cltProxyId other = world.create( span( 1e6 + 1 + 1e-9, 1e6 + 2 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
    world.move( other, span( 1e6 + 1 - 1e-9, 1e6 + 2 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.move( other, span( 1e6 + 1, 1e6 + 2 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
}

TEST_P( DoublePrecision, ManySmallBoxesFarFromTheOrigin )
{
    World world( def() );
    Random random( 51 );
    std::vector<cltProxyId> proxies;
    auto place = [&random] {
        return cube( 1e7 + random.between( 0, 1e-3 ), -1e7 + random.between( 0, 1e-3 ), random.between( 0, 1e-3 ),
                     1e-4 );
    };
    for ( int i = 0; i < 200; ++i )
    {
        proxies.push_back( world.create( place() ) );
    }
    world.update();
    for ( cltProxyId proxy : proxies )
    {
        world.move( proxy, place() );
    }
    world.update();
}

TEST_P( DoublePrecision, OneBitApart )
{
    World world( def() );
    for ( double where : { 0.1, 1.0, -1.0, 1e6, -1e12, 1e39, -1e300, 5e-324, 1e-40 } )
    {
        world.create( { { where, 0, 0 }, { where, 1, 1 } } );
        world.create( { { std::nextafter( where, infinity ), 0, 0 }, { std::nextafter( where, infinity ), 1, 1 } } );
        world.create( { { where, 1, 1 }, { std::nextafter( where, infinity ), 2, 2 } } );
    }
    world.update();
}

TEST_P( DoublePrecision, TheSmallestMoveIsSeen )
{
    World world( def() );
    world.create( span( 0, 1 ) );
    cltProxyId other = world.create( span( 1, 2 ) );
    world.update();
    EXPECT_EQ( 1u, world.pairCount() );
    world.move( other, span( std::nextafter( 1.0, 2.0 ), 2 ) );
    world.update();
    EXPECT_EQ( 0u, world.pairCount() );
}

class FloatPrecision : public EachConfig
{
};

INSTANTIATE_TEST_SUITE_P(, FloatPrecision, testing::ValuesIn( configsOf( clt_precisionFloat ) ), configName );

TEST_P( FloatPrecision, OneBitApart )
{
    World world( def() );
    for ( float where : { 0.1f, 1.0f, -1.0f, 1e6f, -1e12f, 3e38f, 1e-45f, 0.0f } )
    {
        double next = static_cast<double>( std::nextafter( where, INFINITY ) );
        double here = static_cast<double>( where );
        world.create( { { here, 0, 0 }, { here, 1, 1 } } );
        world.create( { { next, 0, 0 }, { next, 1, 1 } } );
        world.create( { { here, 1, 1 }, { next, 2, 2 } } );
    }
    world.update();
}
