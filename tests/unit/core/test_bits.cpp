// SPDX-License-Identifier: Zlib
// Neighbouring floats, rounding outward, powers and roots, compared with the standard library.
#include "gpu/core/aabb.h"
#include "gpu/core/bits.h"
#include "tests/support/random.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using test::Random;

static const double doubleInfinity = std::numeric_limits<double>::infinity();

/// Every kind of float: zeros, subnormals, powers of two and their neighbours, the largest, infinities, random bits.
static std::vector<float> someFloats()
{
    std::vector<float> floats = { 0.0f, -0.0f, FLT_TRUE_MIN, FLT_MIN, FLT_MAX, INFINITY, 1.0f / 3.0f };
    for ( int exponent = -149; exponent < 128; ++exponent )
    {
        const float power = std::ldexp( 1.0f, exponent );
        floats.insert( floats.end(), { power, std::nextafter( power, 0.0f ), std::nextafter( power, INFINITY ) } );
    }
    Random random( 1 );
    while ( floats.size() < 20000 )
    {
        float value = cltFloatOfBits( static_cast<uint32_t>( random.bits() ) );
        if ( !std::isnan( value ) )
        {
            floats.push_back( value );
        }
    }
    for ( size_t count = floats.size(), i = 0; i < count; ++i )
    {
        floats.push_back( -floats[i] );
    }
    return floats;
}

TEST( Bits, NeighboursEqualNextafter )
{
    EXPECT_TRUE( std::isnan( cltNan() ) );
    for ( float value : someFloats() )
    {
        if ( value != -INFINITY )
        {
            ASSERT_EQ( std::nextafter( value, -INFINITY ), cltNextBelow( value ) ) << value;
        }
        if ( value != INFINITY )
        {
            ASSERT_EQ( std::nextafter( value, INFINITY ), cltNextAbove( value ) ) << value;
        }
    }
}

/// Checks the definition: the largest float not above `value`, and the smallest float not below it.
static void checkRounding( double value )
{
    float down = cltRoundDown( value );
    float up = cltRoundUp( value );
    ASSERT_LE( static_cast<double>( down ), value );
    ASSERT_GE( static_cast<double>( up ), value );
    if ( down < INFINITY )
    {
        ASSERT_TRUE( static_cast<double>( std::nextafter( down, INFINITY ) ) > value || down == value ) << value;
    }
    if ( up > -INFINITY )
    {
        ASSERT_TRUE( static_cast<double>( std::nextafter( up, -INFINITY ) ) < value || up == value ) << value;
    }
}

TEST( Bits, RoundingOutwardIsTight )
{
    for ( float value : someFloats() )
    {
        double here = static_cast<double>( value );
        checkRounding( here );
        checkRounding( std::nextafter( here, doubleInfinity ) );
        checkRounding( std::nextafter( here, -doubleInfinity ) );
        checkRounding( here * ( 1.0 + 1e-9 ) );
    }
}

TEST( Bits, RoundingOutwardHandlesOverflowAndUnderflow )
{
    for ( double value : { 3.5e38, 1e39, 1e300, DBL_MAX } )
    {
        EXPECT_EQ( FLT_MAX, cltRoundDown( value ) );
        EXPECT_EQ( INFINITY, cltRoundUp( value ) );
        EXPECT_EQ( -INFINITY, cltRoundDown( -value ) );
        EXPECT_EQ( -FLT_MAX, cltRoundUp( -value ) );
    }
    EXPECT_EQ( INFINITY, cltRoundDown( doubleInfinity ) );
    EXPECT_EQ( -INFINITY, cltRoundUp( -doubleInfinity ) );
    EXPECT_EQ( 0.0f, cltRoundDown( DBL_TRUE_MIN ) );
    EXPECT_EQ( FLT_TRUE_MIN, cltRoundUp( DBL_TRUE_MIN ) );
    EXPECT_EQ( -FLT_TRUE_MIN, cltRoundDown( -1e-60 ) );
    EXPECT_EQ( 0.0f, cltRoundUp( -1e-60 ) );
    EXPECT_EQ( FLT_TRUE_MIN, cltRoundDown( 2.5e-45 ) ); // between the first and the second subnormal
    EXPECT_EQ( 2 * FLT_TRUE_MIN, cltRoundUp( 2.5e-45 ) );
}

TEST( Bits, OrderOfFloatIsMonotoneAndInvertible )
{
    std::vector<float> floats = someFloats();
    std::sort( floats.begin(), floats.end() );
    for ( size_t i = 0; i < floats.size(); ++i )
    {
        EXPECT_EQ( cltBitsOfFloat( floats[i] ), cltBitsOfFloat( cltFloatOfOrder( cltOrderOfFloat( floats[i] ) ) ) );
        if ( i > 0 && floats[i - 1] < floats[i] )
        {
            EXPECT_LT( cltOrderOfFloat( floats[i - 1] ), cltOrderOfFloat( floats[i] ) );
        }
    }
    EXPECT_LT( cltOrderOfFloat( -0.0f ), cltOrderOfFloat( 0.0f ) );
}

TEST( Bits, CubeRootIsAccurateToTheLastBits )
{
    Random random( 93 );
    for ( int run = 0; run < 10000; ++run )
    {
        const double x = std::exp( random.between( -600, 600 ) );
        EXPECT_NEAR( 1.0, cltCubeRoot( x ) / std::cbrt( x ), 1e-15 );
    }
    EXPECT_EQ( 3.0, cltCubeRoot( 27.0 ) );
    EXPECT_EQ( 0.5, cltCubeRoot( 0.125 ) );
}
