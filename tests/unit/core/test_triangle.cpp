// SPDX-License-Identifier: Zlib
// Signs of determinants and intersections of triangles, against the oracle in integers: on lattices of all sizes, for
// doubles of any size, and one bit from where the sign changes. k-DOPs of triangles with a common point overlap.
#include "demos/oracle/triangles.h"
#include "gpu/mesh/core/kdop.h"
#include "gpu/mesh/core/triangle.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace test;
using Point = cullet::ExactPoint;

namespace
{

constexpr double beyondAll = std::numeric_limits<double>::infinity();

cltPoint pointOf( const Point& point )
{
    return { { point[0], point[1], point[2] } };
}

/// A random point. Its coordinates are integers up to `half`, times `scale`.
Point latticePoint( Random& random, std::int64_t half, double scale )
{
    Point point;
    for ( double& coordinate : point )
    {
        coordinate = double( std::int64_t( random.below( 2 * half + 1 ) ) - half ) * scale;
    }
    return point;
}

/// A random finite point of random bits: all exponents are equally likely.
Point anyPoint( Random& random )
{
    Point point;
    for ( double& coordinate : point )
    {
        do
        {
            const std::uint64_t bits = random.bits();
            memcpy( &coordinate, &bits, sizeof bits );
        } while ( !std::isfinite( coordinate ) );
    }
    return point;
}

/// Moves one coordinate by one bit, up or down.
void nudge( Random& random, Point& point )
{
    double& coordinate = point[random.below( 3 )];
    coordinate = std::nextafter( coordinate, random.oneIn( 2 ) ? beyondAll : -beyondAll );
}

/// A random point on the line through two points, up to rounding; between the points or beyond them.
Point nearLine( Random& random, const Point& a, const Point& b )
{
    const double share = random.oneIn( 4 ) ? 0.5 : random.between( -1, 2 );
    return { a[0] + share * ( b[0] - a[0] ), a[1] + share * ( b[1] - a[1] ), a[2] + share * ( b[2] - a[2] ) };
}

/// Compares the signs of determinants of the points with the oracle. \return whether one was zero
bool expectSigns( const Point& a, const Point& b, const Point& c, const Point& d )
{
    const cltPoint points[4] = { pointOf( a ), pointOf( b ), pointOf( c ), pointOf( d ) };
    const cltPoint* all[4] = { points, points + 1, points + 2, points + 3 };
    const int expected = cullet::determinantSign( a, b, c, d );
    EXPECT_EQ( expected, cltExactDeterminant( all ) );
    EXPECT_EQ( -expected, cltOrient3( all[0], all[1], all[2], all[3] ) );
    EXPECT_EQ( expected, cltOrient3( all[1], all[0], all[2], all[3] ) );
    bool hasZero = expected == 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        Point flat[4] = { a, b, c, { 0, 0, 0 } };
        for ( int i = 0; i < 4; ++i )
        {
            flat[i][size_t( axis )] = i == 3;
        }
        const int expected2 = -cullet::determinantSign( flat[0], flat[1], flat[2], flat[3] );
        EXPECT_EQ( expected2, cltOrient2( all[0], all[1], all[2], axis ) );
        hasZero = hasZero || expected2 == 0;
    }
    return hasZero;
}

cltFacet facetOf( const std::vector<Point>& corners )
{
    return { { pointOf( corners[0] ), pointOf( corners[1] ), pointOf( corners[2] ) } };
}

cltKdop kdopOf( const std::vector<Point>& corners )
{
    float floats[3][3];
    for ( size_t i = 0; i < 9; ++i )
    {
        floats[i / 3][i % 3] = static_cast<float>( corners[i / 3][i % 3] );
    }
    return cltKdop_OfTriangle( floats[0], floats[1], floats[2] );
}

/// Makes the triangles touch, share corners or lie in one plane. On large lattices random triangles hardly ever do.
void makeSpecial( Random& random, std::vector<Point>& a, std::vector<Point>& b )
{
    switch ( random.below( 6 ) )
    {
    case 0: // a corner of one on an edge of the other
        b[0] = nearLine( random, a[0], a[1] );
        break;
    case 1:
        b[random.below( 3 )] = a[random.below( 3 )];
        break;
    case 2:
        b = { a[1], a[0], b[2] };
        break;
    case 3: // both in one plane
        for ( size_t i = 0; i < 3; ++i )
        {
            a[i][2] = b[i][2] = a[0][2];
        }
        break;
    case 4: // a corner of one inside the other, up to rounding
        b[0] = nearLine( random, nearLine( random, a[0], a[1] ), a[2] );
        break;
    default: // segments
        a[2] = a[random.below( 2 )];
        b[2] = b[random.below( 2 )];
        break;
    }
}

} // namespace

TEST( Exact, SignsEqualTheOracle )
{
    Random random( 2 );
    int zeroCount = 0;
    for ( int repeat = 0; repeat < 20000 && !HasFailure(); ++repeat )
    {
        SCOPED_TRACE( repeat );
        const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 1970 ) ) - 1074 );
        const std::int64_t half = std::int64_t( 1 ) << random.below( 39 );
        const bool isLattice = repeat % 2 == 0;
        const auto draw = [&] { return isLattice ? latticePoint( random, half, scale ) : anyPoint( random ); };
        const Point a = draw(), b = draw();
        Point c = draw(), d = draw();
        switch ( random.below( 4 ) )
        {
        case 0: // in one plane
            d = { a[0] + b[0] - c[0], a[1] + b[1] - c[1], a[2] + b[2] - c[2] };
            break;
        case 1: // shared coordinates, so that terms cancel
            c = { a[0] * 2, b[1], d[2] };
            d = { a[0], a[1], d[2] * 0.5 };
            break;
        case 2:
            c = nearLine( random, a, b );
            break;
        default:
            break;
        }
        if ( random.oneIn( 3 ) )
        {
            nudge( random, d );
        }
        const auto isFinite = []( double x ) { return std::isfinite( x ); };
        if ( std::all_of( c.begin(), c.end(), isFinite ) && std::all_of( d.begin(), d.end(), isFinite ) )
        {
            zeroCount += expectSigns( a, b, c, d );
        }
    }
    EXPECT_GT( zeroCount, 2000 );
    const double huge = std::numeric_limits<double>::max();
    const double tiny = std::numeric_limits<double>::denorm_min();
    expectSigns( { -huge, -huge, 0 }, { huge, -huge, 0 }, { 0, huge, 0 }, { 0, 0, tiny } );
    expectSigns( { -huge, -huge, 0 }, { huge, -huge, 0 }, { 0, huge, 0 }, { huge, -tiny, -tiny } );
    expectSigns( { 0, 0, 0 }, { tiny, 0, 0 }, { 0, tiny, 0 }, { 0, 0, tiny } );
}

/// Each pair of triangles is tested in several orders of corners and triangles, with the same result.
TEST( Triangle, IntersectionsEqualTheOracle )
{
    for ( const std::int64_t half : { 1, 2, 3, 1 << 5, 1 << 12, 1 << 19 } )
    {
        Random random( static_cast<std::uint64_t>( half ) );
        int counts[2] = { 0, 0 };
        for ( int repeat = 0; repeat < 2500 && !HasFailure(); ++repeat )
        {
            SCOPED_TRACE( testing::Message() << "pair " << repeat << " of lattice " << half );
            // a power of two with which the lattice is exact in float, because k-DOPs are computed in float
            const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 255 ) ) - 149 );
            std::vector<Point> a( 3 ), b( 3 );
            std::generate( a.begin(), a.end(), [&] { return latticePoint( random, half, scale ); } );
            std::generate( b.begin(), b.end(), [&] { return latticePoint( random, half, scale ); } );
            const bool isSpecial = random.oneIn( 2 );
            if ( isSpecial )
            {
                makeSpecial( random, a, b );
                random.oneIn( 3 ) ? nudge( random, b[0] ) : void();
            }
            const bool expected = cullet::hullsIntersect( a, b );
            ++counts[expected];
            const cltKdop kdopA = kdopOf( a ), kdopB = kdopOf( b );
            EXPECT_TRUE( !expected || isSpecial || cltKdop_Overlaps( &kdopA, &kdopB ) );
            for ( size_t way = 0; way < 6; ++way )
            {
                std::swap( a[way % 3], a[( way + 1 ) % 3] );
                std::swap( b[( way + 1 ) % 3], b[( way + 2 ) % 3] );
                const cltFacet first = facetOf( a ), second = facetOf( b );
                EXPECT_EQ( expected, cltFacet_Meets( &first, &second ) );
                EXPECT_EQ( expected, cltFacet_Meets( &second, &first ) );
            }
        }
        EXPECT_GT( counts[0], 300 );
        EXPECT_GT( counts[1], 300 );
    }
}

TEST( Kdop, EveryDirectionSeparates )
{
    const int ways[CLT_KDOP_DIRECTION_COUNT][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },  { 1, 1, 0 }, { 1, 0, 1 },
                                                    { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 } };
    for ( int direction = 0; direction < CLT_KDOP_DIRECTION_COUNT; ++direction )
    {
        const int* way = ways[direction];
        cltKdop all = { { { -1, -1, -1 }, { 1, 1, 1 } }, {} };
        std::fill_n( all.diagonals.lower, CLT_DIAGONAL_COUNT, -1.0f );
        std::fill_n( all.diagonals.upper, CLT_DIAGONAL_COUNT, 1.0f );
        cltKdop other = all;
        ( direction < 3 ? other.box.lower[direction] : other.diagonals.lower[direction - 3] ) = 2;
        ( direction < 3 ? other.box.upper[direction] : other.diagonals.upper[direction - 3] ) = 3;
        EXPECT_TRUE( cltKdop_Overlaps( &all, &all ) );
        EXPECT_FALSE( cltKdop_Overlaps( &all, &other ) ) << direction;
        EXPECT_FALSE( cltKdop_Overlaps( &other, &all ) ) << direction;
        const float point[3] = { 3, 5, 11 };
        const cltKdop measured = cltKdop_OfTriangle( point, point, point );
        EXPECT_EQ( static_cast<float>( 3 * way[0] + 5 * way[1] + 11 * way[2] ), cltKdop_Lower( &measured, direction ) );
    }
}

/// k-DOPs of triangles that share a corner overlap without a tolerance, however bounds are rounded. The bounds of two
/// points along diagonals overlap if the points are less than 0.5 apart and each bound is widened by 0.25.
TEST( Kdop, NeverSeparatesTrianglesWithACommonPointNorNearWidenedPoints )
{
    Random random( 5 );
    for ( int repeat = 0; repeat < 100000; ++repeat )
    {
        float shared[3], corners[4][3], away[3];
        double length = 0;
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double size = std::ldexp( 1.0, static_cast<int>( random.below( 40 ) ) - 20 );
            shared[axis] = static_cast<float>( size * random.between( -1, 1 ) );
            for ( auto& corner : corners )
            {
                corner[axis] = static_cast<float>( size * random.between( -1, 1 ) );
            }
            away[axis] = random.oneIn( 3 ) ? static_cast<float>( random.between( -1, 1 ) ) : random.oneIn( 2 ) ? 1 : 0;
            length += double( away[axis] ) * double( away[axis] );
        }
        const cltKdop a = cltKdop_OfTriangle( shared, corners[0], corners[1] );
        const cltKdop b = cltKdop_OfTriangle( corners[2], shared, corners[3] );
        ASSERT_TRUE( cltKdop_Overlaps( &a, &b ) );
        const cltKdop both = cltKdop_Union( &a, &b );
        for ( int direction = 0; direction < CLT_KDOP_DIRECTION_COUNT; ++direction )
        {
            ASSERT_LE( cltKdop_Lower( &both, direction ),
                       std::min( cltKdop_Lower( &a, direction ), cltKdop_Lower( &b, direction ) ) );
            ASSERT_GE( cltKdop_Upper( &both, direction ),
                       std::max( cltKdop_Upper( &a, direction ), cltKdop_Upper( &b, direction ) ) );
        }
        float other[3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            corners[0][axis] = static_cast<float>( random.between( -4, 4 ) );
            const double step = length > 0 ? double( away[axis] ) / std::sqrt( length ) * 0.499999 : 0;
            other[axis] = static_cast<float>( double( corners[0][axis] ) + step );
        }
        cltDiagonalIntervals first = cltDiagonalIntervals_OfTriangle( corners[0], corners[0], corners[0] );
        cltDiagonalIntervals second = cltDiagonalIntervals_OfTriangle( other, other, other );
        cltDiagonalIntervals_Widen( &first, 0.25f );
        cltDiagonalIntervals_Widen( &second, 0.25f );
        ASSERT_TRUE( cltDiagonalIntervals_Overlap( &first, &second ) );
    }
}
