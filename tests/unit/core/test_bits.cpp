// SPDX-License-Identifier: Zlib
// Neighbouring floats, outward rounding, roots, and integers ordered as their floats, against the standard library.
#include "gpu/core/aabb.h"
#include "gpu/core/bits.h"
#include "gpu/core/pair_key.h"
#include "tests/support/boxes.h"
#include "tests/support/float_mode.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

using namespace test;

namespace
{

/// Every kind of float: zeros, subnormals, powers of two and their neighbours, the largest, infinities, random bits.
std::vector<float> someFloats()
{
    std::vector<float> floats = { 0.0f, FLT_TRUE_MIN, FLT_MIN, FLT_MAX, INFINITY, 1.0f / 3.0f };
    for ( int exponent = -149; exponent < 128; ++exponent )
    {
        const float power = std::ldexp( 1.0f, exponent );
        floats.insert( floats.end(), { power, std::nextafter( power, 0.0f ), std::nextafter( power, INFINITY ) } );
    }
    Random random( 1 );
    while ( floats.size() < 20000 )
    {
        const float value = cltFloatOfBits( static_cast<uint32_t>( random.bits() ) );
        floats.push_back( std::isnan( value ) ? 0.0f : value );
    }
    const std::vector<float> positive = floats;
    std::transform( positive.begin(), positive.end(), std::back_inserter( floats ), std::negate<>() );
    return floats;
}

/// Expects cltRoundDown to give the largest float not above `value`, and cltRoundUp the smallest float not below it.
/// The float box around a double box must have the same bounds.
void expectTightRounding( double value )
{
    const float down = cltRoundDown( value );
    const float up = cltRoundUp( value );
    ASSERT_LE( static_cast<double>( down ), value );
    ASSERT_GE( static_cast<double>( up ), value );
    ASSERT_TRUE( down == value || static_cast<double>( std::nextafter( down, INFINITY ) ) > value ) << value;
    ASSERT_TRUE( up == value || static_cast<double>( std::nextafter( up, -INFINITY ) ) < value ) << value;
    const cltAabbD box = { { value, value, value }, { value, value, value } };
    const cltAabb cover = cltAabb_FromDouble( &box );
    for ( int axis = 0; axis < 3; ++axis )
    {
        ASSERT_EQ( cltBitsOfFloat( down ), cltBitsOfFloat( cover.lower[axis] ) ) << value;
        ASSERT_EQ( cltBitsOfFloat( up ), cltBitsOfFloat( cover.upper[axis] ) ) << value;
    }
}

cltAabb coverOf( double value )
{
    const cltAabbD box = { { value, value, value }, { value, value, value } };
    const cltAabb cover = cltAabb_FromDouble( &box );
    return { { cover.lower[0], cover.lower[2], cltRoundDown( value ) },
             { cover.upper[0], cover.upper[2], cltRoundUp( value ) } };
}

/// coverOf in a mode of the caller's. The pointer keeps the compiler from moving the call out of the mode.
cltAabb coverInMode( unsigned mode, double value )
{
    cltAabb ( *volatile call )( double ) = coverOf;
    const unsigned before = getFloatMode();
    setFloatMode( before | mode );
    const cltAabb cover = call( value );
    setFloatMode( before );
    return cover;
}

} // namespace

TEST( Bits, NeighboursEqualNextafter )
{
    EXPECT_TRUE( std::isnan( cltNan() ) );
    for ( float value : someFloats() )
    {
        ASSERT_TRUE( value == -INFINITY || std::nextafter( value, -INFINITY ) == cltNextBelow( value ) ) << value;
        ASSERT_TRUE( value == INFINITY || std::nextafter( value, INFINITY ) == cltNextAbove( value ) ) << value;
    }
}

TEST( Bits, RoundingOutwardIsTight )
{
    for ( float value : someFloats() )
    {
        const double here = static_cast<double>( value );
        for ( double near :
              { here, std::nextafter( here, infinity ), std::nextafter( here, -infinity ), here * ( 1.0 + 1e-9 ) } )
        {
            ASSERT_NO_FATAL_FAILURE( expectTightRounding( near ) );
        }
    }
    for ( double value : { 3.5e38, 1e39, DBL_MAX, DBL_TRUE_MIN, 1e-60, 2.5e-45 } ) // beyond float, large or small
    {
        ASSERT_NO_FATAL_FAILURE( expectTightRounding( value ) );
        ASSERT_NO_FATAL_FAILURE( expectTightRounding( -value ) );
    }
    const cltAabbD box = { { notANumber, 0, 1 }, { 1, 2, notANumber } };
    const cltAabb cover = cltAabb_FromDouble( &box );
    EXPECT_TRUE( std::isnan( cover.lower[0] ) && std::isnan( cover.upper[2] ) );
    EXPECT_EQ( 2.0f, cover.upper[1] );
}

/// Programs change the floating-point mode of their threads.
TEST( Bits, RoundingIsOutwardInEveryModeOfTheCaller )
{
    for ( const unsigned mode : { flushResults, flushOperands, flushResults | flushOperands } )
    {
        for ( const double value : { 0.0, 1e-300, 1e-60, 1.5e-45, 1e-40, 1.17e-38, double( FLT_MIN ), 2e-38, 0.1 } )
        {
            for ( const double either : { value, -value } )
            {
                const cltAabb cover = coverInMode( mode, either );
                for ( int axis = 0; axis < 3; ++axis )
                {
                    EXPECT_LE( double( cover.lower[axis] ), either ) << mode;
                    EXPECT_GE( double( cover.upper[axis] ), either ) << mode;
                }
            }
        }
    }
}

TEST( Bits, OrderOfFloatIsMonotoneAndInvertible )
{
    std::vector<float> floats = someFloats();
    std::sort( floats.begin(), floats.end() );
    for ( size_t i = 0; i < floats.size(); ++i )
    {
        EXPECT_EQ( cltBitsOfFloat( floats[i] ), cltBitsOfFloat( cltFloatOfOrder( cltOrderOfFloat( floats[i] ) ) ) );
        EXPECT_TRUE( i == 0 || floats[i - 1] == floats[i] ||
                     cltOrderOfFloat( floats[i - 1] ) < cltOrderOfFloat( floats[i] ) );
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

TEST( Bits, IndexBitsHoldEveryIndex )
{
    EXPECT_EQ( 0u, cltIndexBits( 0 ) );
    EXPECT_EQ( 0u, cltIndexBits( 1 ) );
    for ( uint32_t bits = 1; bits < 32; ++bits )
    {
        EXPECT_EQ( bits, cltIndexBits( 1u << bits ) );
        EXPECT_EQ( bits + 1, cltIndexBits( ( 1u << bits ) + 1u ) );
    }
}
