// SPDX-License-Identifier: Zlib
// The definition of an overlap, on each axis and for odd boxes. Unions and float covers contain their boxes.
#include "gpu/core/aabb.h"
#include "tests/support/boxes.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace test;

/// Expects the same result in both precisions and in both orders. The boxes must be exact in float.
static bool bothOverlap( const cltAabbD& a, const cltAabbD& b )
{
    cltAabb floatA = toFloat( a );
    cltAabb floatB = toFloat( b );
    bool result = cltAabbD_Overlaps( &a, &b );
    EXPECT_EQ( result, cltAabbD_Overlaps( &b, &a ) );
    EXPECT_EQ( result, cltAabb_Overlaps( &floatA, &floatB ) );
    EXPECT_EQ( result, cltAabb_Overlaps( &floatB, &floatA ) );
    return result;
}

TEST( Aabb, OverlapIfTheyTouchButNotOneBitApart )
{
    for ( int axis = 0; axis < 3; ++axis )
    {
        cltAabbD a = span( -1, 1 );
        cltAabbD b = span( -1, 1 );
        b.lower[axis] = 1;
        b.upper[axis] = 2;
        EXPECT_TRUE( bothOverlap( a, b ) );
        b.lower[axis] = static_cast<double>( std::nextafter( 1.0f, 2.0f ) );
        EXPECT_FALSE( bothOverlap( a, b ) );
        b.lower[axis] = std::nextafter( 1.0, 2.0 );
        EXPECT_FALSE( cltAabbD_Overlaps( &a, &b ) );
    }
}

TEST( Aabb, OverlapOnlyIfTheyDoOnAllAxes )
{
    EXPECT_TRUE( bothOverlap( span( 0, 10 ), span( 4, 5 ) ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( double outside : { 11.0, -2.0 } )
        {
            cltAabbD beside = span( 4, 5 );
            beside.lower[axis] = outside;
            beside.upper[axis] = outside + 1;
            EXPECT_FALSE( bothOverlap( span( 0, 10 ), beside ) );
        }
    }
}

TEST( Aabb, NanOverlapsNothing )
{
    for ( int place = 0; place < 6; ++place )
    {
        cltAabbD broken = span( -infinity, infinity );
        ( place < 3 ? broken.lower : broken.upper )[place % 3] = notANumber;
        EXPECT_FALSE( bothOverlap( broken, span( -infinity, infinity ) ) );
        EXPECT_FALSE( bothOverlap( broken, broken ) );
        cltAabb brokenFloat = toFloat( broken );
        EXPECT_TRUE( cltAabb_HasNan( &brokenFloat ) );
        EXPECT_TRUE( cltAabbD_HasNan( &broken ) );
    }
    cltAabbD infinite = span( -infinity, infinity );
    EXPECT_FALSE( cltAabbD_HasNan( &infinite ) );
}

TEST( Aabb, FollowTheFormulaIfInfiniteInvertedOrPoints )
{
    EXPECT_TRUE( bothOverlap( span( -infinity, infinity ), span( 3, 4 ) ) );
    EXPECT_TRUE( bothOverlap( span( infinity, infinity ), span( -infinity, infinity ) ) );
    EXPECT_FALSE( bothOverlap( span( infinity, infinity ), span( -infinity, -infinity ) ) );
    EXPECT_TRUE( bothOverlap( span( 2, 2 ), span( 2, 2 ) ) );
    EXPECT_TRUE( bothOverlap( span( -0.0, -0.0 ), span( 0.0, 0.0 ) ) );
    EXPECT_TRUE( bothOverlap( span( 5, 3 ), span( 0, 10 ) ) ); // inverted, both bounds inside the other box
    EXPECT_FALSE( bothOverlap( span( 5, 3 ), span( 4, 4 ) ) );
    EXPECT_FALSE( bothOverlap( span( 5, 3 ), span( 5, 3 ) ) );
}

TEST( Aabb, UnionOverlapsAllThatEitherBoxOverlaps )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 20000; ++repeat )
    {
        cltAabb boxes[3];
        for ( cltAabb& box : boxes )
        {
            box = toFloat( randomCube( random, 2 ) );
            uint32_t odd = random.below( 8 );
            if ( odd < 3 )
            {
                std::swap( box.lower[odd], box.upper[odd] );
            }
        }
        cltAabb both = cltAabb_Union( &boxes[0], &boxes[1] );
        bool either = cltAabb_Overlaps( &boxes[0], &boxes[2] ) || cltAabb_Overlaps( &boxes[1], &boxes[2] );
        ASSERT_TRUE( !either || cltAabb_Overlaps( &both, &boxes[2] ) );
    }
}

TEST( Aabb, FloatCoverOverlapsAllThatTheDoubleBoxDoesAndKeepsNans )
{
    Random random( 2 );
    int lost = 0;
    for ( int repeat = 0; repeat < 20000; ++repeat )
    {
        double where = std::ldexp( random.between( -1, 1 ), static_cast<int>( random.below( 300 ) ) - 150 );
        cltAabbD a = span( where, where * ( 1 + 1e-12 ) );
        cltAabbD b = span( std::nextafter( where, infinity ), where * ( 1 + 1e-11 ) );
        cltAabb coverA = cltAabb_FromDouble( &a );
        cltAabb coverB = cltAabb_FromDouble( &b );
        lost += cltAabbD_Overlaps( &a, &b ) && !cltAabb_Overlaps( &coverA, &coverB );
    }
    EXPECT_EQ( 0, lost );
    cltAabbD box = { { notANumber, 0, 1 }, { 1, 2, notANumber } };
    cltAabb cover = cltAabb_FromDouble( &box );
    EXPECT_TRUE( std::isnan( cover.lower[0] ) );
    EXPECT_TRUE( std::isnan( cover.upper[2] ) );
    EXPECT_EQ( 2.0f, cover.upper[1] );
}
