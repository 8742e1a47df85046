// SPDX-License-Identifier: Zlib
// Segments against boxes. For small integers the reference is exact: it compares fractions by cross multiplication. So
// touching an edge or a corner is a hit, and passing beside it is not.
#include "gpu/core/segment.h"
#include "tests/support/boxes.h"

#include <gtest/gtest.h>

using namespace test;

namespace
{

/// A fraction with a positive denominator.
struct Fraction
{
    int64_t over;
    int64_t under;
};

bool operator<( const Fraction& a, const Fraction& b )
{
    return a.over * b.under < b.over * a.under;
}

/// Exact test: the largest entry fraction is at most the smallest exit fraction. `enter` gets the entry fraction.
bool exactlyMeets( const double from[3], const double to[3], const cltAabbD& box, Fraction& enter )
{
    enter = { 0, 1 };
    Fraction exit = { 1, 1 };
    for ( int axis = 0; axis < 3; ++axis )
    {
        const int64_t start = int64_t( from[axis] );
        const int64_t lower = int64_t( box.lower[axis] ) - start;
        const int64_t upper = int64_t( box.upper[axis] ) - start;
        const int64_t way = int64_t( to[axis] ) - start;
        if ( way == 0 )
        {
            if ( lower > 0 || upper < 0 )
            {
                return false;
            }
            continue;
        }
        const int64_t sign = way > 0 ? 1 : -1;
        Fraction in = { sign * ( way > 0 ? lower : upper ), sign * way };
        Fraction out = { sign * ( way > 0 ? upper : lower ), sign * way };
        enter = enter < in ? in : enter;
        exit = out < exit ? out : exit;
    }
    return !( exit < enter );
}

bool meets( const cltAabbD& box, std::initializer_list<double> from, std::initializer_list<double> to,
            double maxFraction = 1.0, double* enter = nullptr )
{
    cltSegment ray = cltSegment_Make( from.begin(), to.begin() );
    double fraction = -1.0;
    bool result = cltSegment_Meets( &ray, &box, maxFraction, &fraction );
    if ( enter != nullptr )
    {
        *enter = fraction;
    }
    return result;
}

} // namespace

TEST( Ray, IsExactOnIntegers )
{
    Random random( 1 );
    int hits = 0;
    for ( int repeat = 0; repeat < 200000; ++repeat )
    {
        double from[3];
        double to[3];
        cltAabbD box;
        for ( int axis = 0; axis < 3; ++axis )
        {
            from[axis] = random.below( 13 ) - 6.0;
            to[axis] = random.below( 13 ) - 6.0;
            box.lower[axis] = random.below( 9 ) - 5.0;
            box.upper[axis] = box.lower[axis] + random.below( 5 );
        }
        Fraction exact;
        bool expected = exactlyMeets( from, to, box, exact );
        cltSegment ray = cltSegment_Make( from, to );
        double enter = -1.0;
        ASSERT_EQ( expected, cltSegment_Meets( &ray, &box, 1.0, &enter ) ) << "repeat " << repeat;
        if ( expected )
        {
            ++hits;
            ASSERT_NEAR( static_cast<double>( exact.over ) / static_cast<double>( exact.under ), enter, 1e-14 );
        }
    }
    EXPECT_GT( hits, 10000 );
}

TEST( Ray, IsAPointWithoutLengthAndEndsAtTheFraction )
{
    EXPECT_TRUE( meets( span( 0, 1 ), { 1, 1, 1 }, { 1, 1, 1 } ) );
    EXPECT_FALSE( meets( span( 0, 1 ), { 1, 1.5, 1 }, { 1, 1.5, 1 } ) );
    EXPECT_TRUE( meets( cube( 5, 0, 0, 1 ), { 0, 0, 0 }, { 8, 0, 0 }, 0.5 ) );
    EXPECT_FALSE( meets( cube( 5, 0, 0, 1 ), { 0, 0, 0 }, { 8, 0, 0 }, 0.49 ) );
}

TEST( Ray, HandlesNanInvertedAndInfiniteBoxes )
{
    EXPECT_TRUE( meets( span( -infinity, infinity ), { 0, 0, 0 }, { 1, 2, 3 } ) );
    EXPECT_TRUE( meets( span( -infinity, 0 ), { 1, 1, 1 }, { -1, -1, -1 } ) );
    EXPECT_FALSE( meets( span( infinity, infinity ), { 0, 0, 0 }, { 1, 1, 1 } ) );
    EXPECT_FALSE( meets( span( 1, -1 ), { -3, 0, 0 }, { 3, 0, 0 } ) );
    EXPECT_FALSE( meets( { { notANumber, -1, -1 }, { 1, 1, 1 } }, { -3, 0, 0 }, { 3, 0, 0 } ) );
    EXPECT_FALSE( meets( { { -1, -1, -1 }, { 1, notANumber, 1 } }, { -3, 0, 0 }, { 3, 0, 0 } ) );
    EXPECT_TRUE( meets( span( 2, 2 ), { 0, 0, 0 }, { 3, 3, 3 } ) );
}

TEST( Ray, HandlesHugeAndTinyCoordinates )
{
    double enter;
    EXPECT_TRUE( meets( span( -1, 1 ), { -1.7e308, 0, 0 }, { 1.7e308, 0, 0 }, 1.0, &enter ) );
    EXPECT_NEAR( 0.5, enter, 1e-12 );
    EXPECT_TRUE( meets( span( -1.7e308, 1.7e308 ), { -1, 0, 0 }, { 1, 0, 0 }, 1.0, &enter ) );
    EXPECT_EQ( 0.0, enter );
    EXPECT_TRUE( meets( span( 0, 5e-324 ), { 0, 0, 0 }, { 5e-324, 5e-324, 5e-324 } ) );
    EXPECT_TRUE( meets( span( 1e-310, 2e-310 ), { 0, 0, 0 }, { 1e-300, 1e-300, 1e-300 } ) );
    EXPECT_FALSE( meets( span( 1e-310, 2e-310 ), { 0, 0, 0 }, { 1e-312, 1e-312, 1e-312 } ) );
}
