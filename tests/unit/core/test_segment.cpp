// SPDX-License-Identifier: Zlib
// Segments against boxes. For small integers the reference is exact: it compares fractions by cross multiplication. So
// touching an edge or a corner is a hit, and passing beside it is not.
#include "gpu/core/segment.h"
#include "tests/support/boxes.h"

#include <array>
#include <gtest/gtest.h>

using namespace test;

namespace
{

using Point = std::array<double, 3>;

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

/// Whether a segment meets a box, both multiplied by `unit`.
bool meets( const Point& from, const Point& to, const cltAabbD& box, double unit, double* enter )
{
    double ends[2][3];
    cltAabbD scaledBox;
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        ends[0][axis] = unit * from[axis];
        ends[1][axis] = unit * to[axis];
        scaledBox.lower[axis] = unit * box.lower[axis];
        scaledBox.upper[axis] = unit * box.upper[axis];
    }
    const cltSegment segment = cltSegment_Make( ends[0], ends[1] );
    return cltSegment_Meets( &segment, &scaledBox, 1.0, enter );
}

/// True if the largest entry fraction is at most the smallest exit fraction. `enter` receives the entry fraction.
bool exactlyMeets( const Point& from, const Point& to, const cltAabbD& box, Fraction& enter )
{
    enter = { 0, 1 };
    Fraction exit = { 1, 1 };
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        const int64_t start = int64_t( from[axis] );
        const int64_t lower = int64_t( box.lower[axis] ) - start;
        const int64_t upper = int64_t( box.upper[axis] ) - start;
        const int64_t way = int64_t( to[axis] ) - start;
        if ( way == 0 && ( lower > 0 || upper < 0 ) )
        {
            return false;
        }
        if ( way != 0 )
        {
            const int64_t sign = way > 0 ? 1 : -1;
            const Fraction in = { sign * ( way > 0 ? lower : upper ), sign * way };
            const Fraction out = { sign * ( way > 0 ? upper : lower ), sign * way };
            enter = enter < in ? in : enter;
            exit = out < exit ? out : exit;
        }
    }
    return !( exit < enter );
}

} // namespace

/// Times 1, the smallest doubles, and a number at which the difference of two coordinates overflows.
TEST( Ray, IsExactOnIntegersTimesAnyPowerOfTwo )
{
    Random random( 1 );
    int hits = 0;
    for ( int repeat = 0; repeat < 200000; ++repeat )
    {
        Point from, to;
        cltAabbD box;
        for ( size_t axis = 0; axis < 3; ++axis )
        {
            from[axis] = random.below( 13 ) - 6.0;
            to[axis] = random.below( 13 ) - 6.0;
            box.lower[axis] = random.below( 9 ) - 5.0;
            box.upper[axis] = box.lower[axis] + random.below( 5 );
        }
        Fraction exact;
        const bool expected = exactlyMeets( from, to, box, exact );
        hits += expected;
        for ( const double unit : { 1.0, 0x1p-1074, 0x1p-1073, 0x1p-1070, 0x1p1021 } )
        {
            double enter = -1.0;
            ASSERT_EQ( expected, meets( from, to, box, unit, &enter ) ) << "repeat " << repeat << ", unit " << unit;
            if ( expected )
            {
                ASSERT_NEAR( static_cast<double>( exact.over ) / static_cast<double>( exact.under ), enter, 1e-14 );
            }
        }
    }
    EXPECT_GT( hits, 10000 );
}

TEST( Ray, FollowsTheDefinitionForExtremeBoxesAndEnds )
{
    const struct
    {
        cltAabbD box;
        Point from, to;
        double maxFraction;
        double enter; ///< negative: no hit
    } cases[] = {
        { span( 0, 1 ), { 1, 1, 1 }, { 1, 1, 1 }, 1, 0 }, // a point
        { span( 0, 1 ), { 1, 1.5, 1 }, { 1, 1.5, 1 }, 1, -1 },
        { cube( 5, 0, 0, 1 ), { 0, 0, 0 }, { 8, 0, 0 }, 0.5, 0.5 },
        { cube( 5, 0, 0, 1 ), { 0, 0, 0 }, { 8, 0, 0 }, 0.49, -1 },
        { span( -infinity, infinity ), { 0, 0, 0 }, { 1, 2, 3 }, 1, 0 },
        { span( -infinity, 0 ), { 1, 1, 1 }, { -1, -1, -1 }, 1, 0.5 },
        { span( infinity, infinity ), { 0, 0, 0 }, { 1, 1, 1 }, 1, -1 },
        { span( 1, -1 ), { -3, 0, 0 }, { 3, 0, 0 }, 1, -1 }, // inverted
        { { { notANumber, -1, -1 }, { 1, 1, 1 } }, { -3, 0, 0 }, { 3, 0, 0 }, 1, -1 },
        { { { -1, -1, -1 }, { 1, notANumber, 1 } }, { -3, 0, 0 }, { 3, 0, 0 }, 1, -1 },
        { span( 2, 2 ), { 0, 0, 0 }, { 3, 3, 3 }, 1, 2.0 / 3.0 },
        { span( -1, 1 ), { -1.7e308, 0, 0 }, { 1.7e308, 0, 0 }, 1, 0.5 },
        { span( -1.7e308, 1.7e308 ), { -1, 0, 0 }, { 1, 0, 0 }, 1, 0 },
        { span( 0, 5e-324 ), { 0, 0, 0 }, { 5e-324, 5e-324, 5e-324 }, 1, 0 },
        { span( 1e-310, 2e-310 ), { 0, 0, 0 }, { 1e-300, 1e-300, 1e-300 }, 1, 1e-10 },
        { span( 1e-310, 2e-310 ), { 0, 0, 0 }, { 1e-312, 1e-312, 1e-312 }, 1, -1 },
    };
    for ( const auto& ray : cases )
    {
        const cltSegment segment = cltSegment_Make( ray.from.data(), ray.to.data() );
        double enter = -1;
        SCOPED_TRACE( &ray - cases );
        EXPECT_EQ( ray.enter >= 0, cltSegment_Meets( &segment, &ray.box, ray.maxFraction, &enter ) );
        EXPECT_TRUE( ray.enter < 0 || std::fabs( ray.enter - enter ) < 1e-12 ) << enter;
    }
}
