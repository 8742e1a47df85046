// SPDX-License-Identifier: Zlib
// Overlaps on each axis, and of infinite, inverted and NaN boxes. A union overlaps all boxes that its parts overlap.
#include "gpu/core/aabb.h"
#include "tests/support/boxes.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace test;

namespace
{

/// Expects the result in both precisions and in both orders. The boxes must be exact in float.
void expectOverlap( bool expected, const cltAabbD& a, const cltAabbD& b )
{
    const cltAabb floatA = toFloat( a );
    const cltAabb floatB = toFloat( b );
    EXPECT_EQ( expected, cltAabbD_Overlaps( &a, &b ) );
    EXPECT_EQ( expected, cltAabbD_Overlaps( &b, &a ) );
    EXPECT_EQ( expected, cltAabb_Overlaps( &floatA, &floatB ) );
    EXPECT_EQ( expected, cltAabb_Overlaps( &floatB, &floatA ) );
}

} // namespace

TEST( Aabb, OverlapIfTheyTouchOnAllAxes )
{
    const double beyond = static_cast<double>( std::nextafter( 1.0f, 2.0f ) );
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( const auto& [lower, overlap] : { std::pair{ 1.0, true }, { beyond, false }, { -4.0, false } } )
        {
            cltAabbD other = span( -1, 1 );
            other.lower[axis] = lower;
            other.upper[axis] = lower + 1;
            expectOverlap( overlap, span( -1, 1 ), other );
        }
        cltAabbD other = span( -1, 1 );
        other.lower[axis] = std::nextafter( 1.0, 2.0 ); // not a float
        const cltAabbD box = span( -1, 1 );
        EXPECT_FALSE( cltAabbD_Overlaps( &box, &other ) );
    }
    expectOverlap( true, span( 0, 10 ), span( 4, 5 ) );
}

TEST( Aabb, OverlapFollowsTheFormulaForInfiniteInvertedAndNanBoxes )
{
    const cltAabbD everywhere = span( -infinity, infinity );
    expectOverlap( true, everywhere, span( 3, 4 ) );
    expectOverlap( true, span( infinity, infinity ), everywhere );
    expectOverlap( false, span( infinity, infinity ), span( -infinity, -infinity ) );
    expectOverlap( true, span( 2, 2 ), span( 2, 2 ) );
    expectOverlap( true, span( -0.0, -0.0 ), span( 0.0, 0.0 ) );
    expectOverlap( true, span( 5, 3 ), span( 0, 10 ) ); // inverted, both bounds inside the other box
    expectOverlap( false, span( 5, 3 ), span( 4, 4 ) );
    expectOverlap( false, span( 5, 3 ), span( 5, 3 ) );
    EXPECT_FALSE( cltAabbD_HasNan( &everywhere ) );
    for ( int place = 0; place < 6; ++place )
    {
        cltAabbD broken = everywhere;
        ( place < 3 ? broken.lower : broken.upper )[place % 3] = notANumber;
        const cltAabb brokenFloat = toFloat( broken );
        expectOverlap( false, broken, everywhere );
        expectOverlap( false, broken, broken );
        EXPECT_TRUE( cltAabb_HasNan( &brokenFloat ) && cltAabbD_HasNan( &broken ) );
    }
}

TEST( Aabb, UnionOverlapsEachBoxThatAPartOverlaps )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 20000; ++repeat )
    {
        cltAabb boxes[3];
        for ( cltAabb& box : boxes )
        {
            box = toFloat( randomCube( random, 2 ) );
            const uint32_t inverted = random.below( 8 );
            if ( inverted < 3 )
            {
                std::swap( box.lower[inverted], box.upper[inverted] );
            }
        }
        const cltAabb both = cltAabb_Union( &boxes[0], &boxes[1] );
        const bool either = cltAabb_Overlaps( &boxes[0], &boxes[2] ) || cltAabb_Overlaps( &boxes[1], &boxes[2] );
        ASSERT_TRUE( !either || cltAabb_Overlaps( &both, &boxes[2] ) );
    }
}
