// SPDX-License-Identifier: Zlib
// Signs of determinants: against integers on lattices, and against fixed-point numbers for doubles of any size.
#include "tests/support/random.h"
#include "tests/unit/core/exact_oracle.h"

#include <gtest/gtest.h>

#include <limits>

using namespace test;

namespace
{

/// A random finite double; all exponents are equally likely.
double anyDouble( Random& random )
{
    for ( ;; )
    {
        const std::uint64_t bits = random.bits();
        double value;
        memcpy( &value, &bits, sizeof value );
        if ( std::isfinite( value ) )
        {
            return value;
        }
    }
}

cltPoint anyPoint( Random& random )
{
    return { { anyDouble( random ), anyDouble( random ), anyDouble( random ) } };
}

int exactly( const cltPoint& a, const cltPoint& b, const cltPoint& c, const cltPoint& d )
{
    const cltPoint* points[4] = { &a, &b, &c, &d };
    return cltExactDeterminant( points );
}

} // namespace

TEST( Exact, ProductsAre128BitsWide )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 10000; ++repeat )
    {
        const std::uint64_t a = random.bits() >> random.below( 64 );
        const std::uint64_t b = random.bits() >> random.below( 64 );
        std::uint64_t high;
        std::uint64_t low;
        cltMultiply( a, b, &high, &low );
        __extension__ typedef unsigned __int128 Wide;
        ASSERT_TRUE( Wide( a ) * b == ( Wide( high ) << 64 | low ) );
    }
}

TEST( Exact, DeterminantTermsAreAllPermutations )
{
    std::uint32_t seen = 0;
    for ( std::uint32_t term = 0; term < 24; ++term )
    {
        std::uint32_t rows[4];
        bool isOdd;
        cltDeterminantTerm( term, rows, &isOdd );
        int inversions = 0;
        for ( int i = 0; i < 4; ++i )
        {
            for ( int j = i + 1; j < 4; ++j )
            {
                ASSERT_NE( rows[i], rows[j] );
                inversions += rows[i] > rows[j];
            }
        }
        EXPECT_EQ( inversions % 2 == 1, isOdd );
        seen |= 1u << ( rows[0] * 6 + ( rows[1] - ( rows[1] > rows[0] ) ) * 2 + ( rows[2] > rows[3] ) );
    }
    EXPECT_EQ( 0xffffffu, seen );
}

TEST( Exact, SignsEqualIntegersOnLatticesOfAllScales )
{
    Random random( 2 );
    int zeroCount = 0;
    for ( int repeat = 0; repeat < 200000; ++repeat )
    {
        const std::int64_t half = std::int64_t( 1 ) << random.below( 39 );
        LatticePoint at[4];
        for ( LatticePoint& place : at )
        {
            place = { std::int64_t( random.below( 2 * half + 1 ) ) - half,
                      std::int64_t( random.below( 2 * half + 1 ) ) - half,
                      std::int64_t( random.below( 2 * half + 1 ) ) - half };
        }
        if ( repeat % 2 == 0 ) // the last point in the plane of the others
        {
            at[3] = { at[0].x + at[1].x - at[2].x, at[0].y + at[1].y - at[2].y, at[0].z + at[1].z - at[2].z };
        }
        const LatticePoint u = at[1] - at[0];
        const LatticePoint v = at[2] - at[0];
        const LatticePoint w = at[3] - at[0];
        const Int128 volume = ( Int128( u.y ) * v.z - Int128( u.z ) * v.y ) * w.x +
                              ( Int128( u.z ) * v.x - Int128( u.x ) * v.z ) * w.y +
                              ( Int128( u.x ) * v.y - Int128( u.y ) * v.x ) * w.z;
        const int expected = signOf( volume );
        zeroCount += expected == 0;
        const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 2040 ) ) - 1074 );
        cltPoint points[4];
        for ( int i = 0; i < 4; ++i )
        {
            points[i] = pointOf( at[i], scale );
        }
        if ( !std::isfinite( scale * static_cast<double>( 4 * half ) ) )
        {
            continue;
        }
        ASSERT_EQ( expected, cltOrient3( &points[0], &points[1], &points[2], &points[3] ) ) << repeat;
        ASSERT_EQ( -expected, cltOrient3( &points[1], &points[0], &points[2], &points[3] ) ) << repeat;
        ASSERT_EQ( -expected, exactly( points[0], points[1], points[2], points[3] ) ) << repeat;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const Int128 areas[3] = { Int128( u.y ) * v.z - Int128( u.z ) * v.y,
                                      Int128( u.z ) * v.x - Int128( u.x ) * v.z,
                                      Int128( u.x ) * v.y - Int128( u.y ) * v.x };
            ASSERT_EQ( signOf( areas[axis] ), cltOrient2( &points[0], &points[1], &points[2], axis ) ) << repeat;
        }
    }
    EXPECT_GT( zeroCount, 90000 );
}

TEST( Exact, SignsAreExactForDoublesOfAnySize )
{
    Random random( 3 );
    FixedPointDeterminant oracle;
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        const cltPoint a = anyPoint( random );
        const cltPoint b = random.oneIn( 2 ) ? anyPoint( random ) : a;
        cltPoint c = anyPoint( random );
        cltPoint d = anyPoint( random );
        if ( random.oneIn( 3 ) ) // shared coordinates, so that terms cancel
        {
            c = { { a.at[0] * 2, b.at[1], d.at[2] } };
            d = { { a.at[0], a.at[1], d.at[2] * 0.5 } };
            if ( !std::isfinite( c.at[0] ) )
            {
                c.at[0] = 0;
            }
        }
        const int expected = oracle.sign( a, b, c, d );
        ASSERT_EQ( expected, exactly( a, b, c, d ) ) << repeat;
        ASSERT_EQ( -expected, cltOrient3( &a, &b, &c, &d ) ) << repeat;
    }
}

// The last bit of one coordinate decides, from the smallest double to the largest ones.
TEST( Exact, SideIsExactOneBitFromAPlane )
{
    Random random( 4 );
    FixedPointDeterminant oracle;
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 1900 ) ) - 1000 );
        const cltPoint a = { { scale, 0, 0 } };
        const cltPoint b = { { 0, scale, 0 } };
        const cltPoint c = { { 0, 0, scale } };
        const double share = std::floor( 1024 * random.unit() ) / 1024;
        cltPoint on = { { scale * share, scale * ( 1 - share ), 0 } };
        ASSERT_EQ( 0, cltOrient3( &a, &b, &c, &on ) );
        const int axis = static_cast<int>( random.below( 3 ) );
        const bool up = random.oneIn( 2 );
        const double end = up ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
        on.at[axis] = std::nextafter( on.at[axis], end );
        ASSERT_EQ( up ? 1 : -1, cltOrient3( &a, &b, &c, &on ) ) << share << " " << scale;
        ASSERT_EQ( up ? -1 : 1, oracle.sign( a, b, c, on ) );
    }
}

// Points as near a line as rounding allows.
TEST( Exact, OrientationIsExactNearALine )
{
    Random random( 5 );
    FixedPointDeterminant oracle;
    int zeroCount = 0;
    for ( int repeat = 0; repeat < 5000; ++repeat )
    {
        const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 1900 ) ) - 1000 );
        cltPoint a = { { 0, scale * random.between( -1, 1 ), scale * random.between( -1, 1 ) } };
        cltPoint b = { { 0, scale * random.between( -1, 1 ), scale * random.between( -1, 1 ) } };
        const double share = random.oneIn( 4 ) ? 0.5 : random.between( -1, 2 );
        cltPoint c = { { 0, a.at[1] + share * ( b.at[1] - a.at[1] ), a.at[2] + share * ( b.at[2] - a.at[2] ) } };
        const cltPoint apex = { { 1, 0, 0 } };
        const int expected = -oracle.sign( a, b, c, apex );
        zeroCount += expected == 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            ASSERT_EQ( expected, cltOrient2( &a, &b, &c, axis ) );
            ASSERT_EQ( -expected, cltOrient2( &a, &c, &b, axis ) );
            for ( cltPoint* point : { &a, &b, &c } )
            {
                *point = { { point->at[2], point->at[0], point->at[1] } };
            }
        }
    }
    EXPECT_GT( zeroCount, 100 );
}

TEST( Exact, SignsAreExactForHugeAndTinyTogether )
{
    const double huge = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    const cltPoint a = { { -huge, -huge, 0 } };
    const cltPoint b = { { huge, -huge, 0 } };
    const cltPoint c = { { 0, huge, 0 } };
    const cltPoint above = { { 0, 0, tiny } };
    const cltPoint below = { { huge, -tiny, -tiny } };
    EXPECT_EQ( 1, cltOrient3( &a, &b, &c, &above ) );
    EXPECT_EQ( -1, cltOrient3( &a, &b, &c, &below ) );
    const cltPoint p = { { tiny, 0, 0 } };
    const cltPoint q = { { 0, tiny, 0 } };
    const cltPoint o = { { 0, 0, 0 } };
    EXPECT_EQ( 1, cltOrient3( &o, &p, &q, &above ) );
    EXPECT_EQ( 1, cltOrient2( &o, &p, &q, 2 ) );
    EXPECT_EQ( -1, cltOrient2( &o, &q, &p, 2 ) );
}
