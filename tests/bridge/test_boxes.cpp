// SPDX-License-Identifier: Zlib
// Boxes come back as they were given, bit for bit, updated or not.
#include "tests/support/config.h"
#include "tests/support/world.h"

#include <cmath>
#include <cstring>

using namespace test;

static const cltAabbD someBoxes[] = { span( 0, 1 ),
                                      span( -0.0, 0.0 ),
                                      span( -infinity, infinity ),
                                      span( 3, -3 ),
                                      { { 1e-40, -1e-40, 0 }, { 1e38, 2, 3 } },
                                      span( 0.1, 0.2 ) };

TEST( Boxes, DoubleComesBackBitForBit )
{
    World world( defOf( clt_algorithmAuto, clt_precisionDouble ) );
    for ( const cltAabbD& box : someBoxes )
    {
        cltProxyId proxy = world.create( box );
        cltAabbD found;
        ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), proxy, &found ) );
        EXPECT_EQ( 0, std::memcmp( &box, &found, sizeof( box ) ) );
    }
}

TEST( Boxes, FloatComesBackInBothPrecisions )
{
    World world( defOf( clt_algorithmAuto ) );
    for ( const cltAabbD& doubleBox : someBoxes )
    {
        cltAabb box = toFloat( doubleBox );
        cltAabbD widened = toDouble( box );
        cltProxyId proxy = world.create( doubleBox );
        world.update();
        cltAabb found;
        cltAabbD foundD;
        ASSERT_EQ( clt_ok, cltBroadphase_GetBox( world.broadphase(), proxy, &found ) );
        ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( world.broadphase(), proxy, &foundD ) );
        EXPECT_EQ( 0, std::memcmp( &box, &found, sizeof( box ) ) );
        EXPECT_EQ( 0, std::memcmp( &widened, &foundD, sizeof( widened ) ) );
    }
}

TEST( Boxes, NansComeBackToo )
{
    World world( defOf( clt_algorithmAuto ) );
    cltProxyId proxy = world.create( { { 1, notANumber, 2 }, { 3, 4, 5 } } );
    world.update();
    cltAabb found;
    ASSERT_EQ( clt_ok, cltBroadphase_GetBox( world.broadphase(), proxy, &found ) );
    EXPECT_TRUE( std::isnan( found.lower[1] ) );
    EXPECT_EQ( 1.0f, found.lower[0] );
    EXPECT_EQ( 5.0f, found.upper[2] );
}

TEST( Boxes, FloatBoxesInADoubleWorldAreWidened )
{
    BroadphasePtr broadphase = createBroadphase( defOf( clt_algorithmAuto, clt_precisionDouble ) );
    cltAabb box = toFloat( span( 0.1, 0.2 ) );
    cltProxyId proxy;
    ASSERT_EQ( clt_ok, cltBroadphase_CreateProxy( broadphase.get(), &box, nullptr, 0, &proxy ) );
    cltAabbD found;
    ASSERT_EQ( clt_ok, cltBroadphase_GetBoxD( broadphase.get(), proxy, &found ) );
    EXPECT_EQ( static_cast<double>( 0.1f ), found.lower[0] );
    EXPECT_EQ( static_cast<double>( 0.2f ), found.upper[0] );
}
