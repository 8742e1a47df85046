// SPDX-License-Identifier: Zlib
// The triangle intersection test against integer arithmetic on lattices of all sizes, with every degeneracy that small
// lattices have.
#include "tests/support/random.h"
#include "tests/unit/core/exact_oracle.h"

#include "gpu/mesh/core/kdop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

using namespace test;

namespace
{

using Corners = std::array<LatticePoint, 3>;

LatticePoint randomLatticePoint( Random& random, std::int64_t half )
{
    return { std::int64_t( random.below( 2 * half + 1 ) ) - half, std::int64_t( random.below( 2 * half + 1 ) ) - half,
             std::int64_t( random.below( 2 * half + 1 ) ) - half };
}

Corners randomCorners( Random& random, std::int64_t half )
{
    return { randomLatticePoint( random, half ), randomLatticePoint( random, half ),
             randomLatticePoint( random, half ) };
}

/// Makes triangles that touch, share corners or lie in one plane. On large lattices random triangles hardly ever do.
void makeSpecial( Random& random, Corners& a, Corners& b )
{
    switch ( random.below( 5 ) )
    {
    case 0: // a corner of one on an edge of the other
        b[0] = { ( a[0].x + a[1].x ) / 2, ( a[0].y + a[1].y ) / 2, ( a[0].z + a[1].z ) / 2 };
        break;
    case 1:
        b[random.below( 3 )] = a[random.below( 3 )];
        break;
    case 2:
        b = { a[1], a[0], b[2] };
        break;
    case 3: // both in one plane
        for ( std::size_t i = 0; i < 3; ++i )
        {
            a[i].z = a[0].z;
            b[i] = { b[i].x / 4, b[i].y / 4, a[0].z };
        }
        break;
    default: // a corner of one inside the other, up to rounding
        b[0] = { a[0].x + ( a[1].x - a[0].x ) / 4 + ( a[2].x - a[0].x ) / 4,
                 a[0].y + ( a[1].y - a[0].y ) / 4 + ( a[2].y - a[0].y ) / 4,
                 a[0].z + ( a[1].z - a[0].z ) / 4 + ( a[2].z - a[0].z ) / 4 };
        break;
    }
}

cltKdop kdopOf( const cltFacet& triangle )
{
    float corners[3][3];
    for ( int i = 0; i < 3; ++i )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            corners[i][axis] = static_cast<float>( triangle.corners[i].at[axis] );
        }
    }
    return cltKdop_OfTriangle( corners[0], corners[1], corners[2] );
}

/// True if two triangles intersect. Expects the same result for all equivalent calls.
bool meet( cltFacet a, cltFacet b )
{
    const bool result = cltFacet_Meets( &a, &b );
    for ( int way = 0; way < 6; ++way )
    {
        std::swap( a.corners[way % 3], a.corners[( way + 1 ) % 3] );
        EXPECT_EQ( result, cltFacet_Meets( &a, &b ) );
        EXPECT_EQ( result, cltFacet_Meets( &b, &a ) );
        std::swap( b.corners[( way + 1 ) % 3], b.corners[( way + 2 ) % 3] );
        EXPECT_EQ( result, cltFacet_Meets( &a, &b ) );
    }
    return result;
}

struct Verdicts
{
    int met = 0;
    int parted = 0;
};

/// Tests random pairs of lattice triangles against integers. A power of two scales them so that floats stay exact.
Verdicts expectAsInIntegers( std::uint64_t seed, std::int64_t half, int pairCount )
{
    Random random( seed );
    Verdicts counts;
    for ( int repeat = 0; repeat < pairCount; ++repeat )
    {
        Corners a = randomCorners( random, half );
        Corners b = randomCorners( random, half );
        if ( half > 4 && random.oneIn( 2 ) )
        {
            makeSpecial( random, a, b );
        }
        if ( random.oneIn( 4 ) ) // degenerate to segments
        {
            a[2] = a[random.below( 2 )];
            b[2] = b[random.below( 2 )];
        }
        const double scale = std::ldexp( 1.0, static_cast<int>( random.below( 255 ) ) - 149 );
        const cltFacet first = triangleOf( a, scale );
        const cltFacet second = triangleOf( b, scale );
        const bool expected = HullOfDifferences( a, b ).holdsOrigin();
        EXPECT_EQ( expected, meet( first, second ) ) << "pair " << repeat << " of lattice " << half;
        const cltKdop firstKdop = kdopOf( first );
        const cltKdop secondKdop = kdopOf( second );
        EXPECT_TRUE( !expected || cltKdop_Overlaps( &firstKdop, &secondKdop ) ) << repeat;
        ++( expected ? counts.met : counts.parted );
        if ( testing::Test::HasFailure() )
        {
            break;
        }
    }
    return counts;
}

} // namespace

TEST( Triangle, EqualsIntegersOnSmallLattices )
{
    for ( std::int64_t half : { 1, 2, 3 } )
    {
        const Verdicts counts = expectAsInIntegers( static_cast<std::uint64_t>( half ), half, 3000 );
        EXPECT_GT( counts.met, 500 );
        EXPECT_GT( counts.parted, 500 );
    }
}

TEST( Triangle, EqualsIntegersOnLargeLattices )
{
    for ( std::int64_t half : { 1 << 5, 1 << 12, 1 << 19 } )
    {
        const Verdicts counts = expectAsInIntegers( static_cast<std::uint64_t>( half ), half, 1500 );
        EXPECT_GT( counts.met, 300 );
        EXPECT_GT( counts.parted, 300 );
    }
}

// Lattice coordinates have at most 20 bits. Here the last bit of a double decides.
TEST( Triangle, IsExactOneBitApart )
{
    for ( double scale : { 0x1p-1000, 0x1p-100, 1.0, 0x1p100, 0x1p1000 } )
    {
        const cltFacet floor = { { { { 0, 0, 0 } }, { { 3 * scale, 0, scale } }, { { 0, 3 * scale, scale } } } };
        const double height = 2.0 * scale / 3.0; // of the floor's centre; rounded, so not exactly on the floor
        const double above = std::nextafter( height, std::numeric_limits<double>::infinity() );
        const double below = std::nextafter( height, 0.0 );
        const auto needle = [&]( double end )
        {
            return cltFacet{
                { { { scale, scale, end } }, { { scale, scale, 2 * scale } }, { { scale, 2 * scale, 9 * scale } } } };
        };
        EXPECT_FALSE( meet( floor, needle( above ) ) ) << scale;
        EXPECT_TRUE( meet( floor, needle( below ) ) ) << scale;
    }
}

TEST( Triangle, IsExactForDegenerateTriangles )
{
    const auto point = []( double x, double y, double z ) { return cltPoint{ { x, y, z } }; };
    const cltPoint o = point( 0, 0, 0 );
    const cltPoint p = point( 1, 2, 3 );
    EXPECT_TRUE( meet( { { o, o, o } }, { { o, o, o } } ) );
    EXPECT_FALSE( meet( { { o, o, o } }, { { p, p, p } } ) );
    EXPECT_TRUE( meet( { { o, o, p } }, { { point( 0.5, 1, 1.5 ), point( 0.5, 1, 1.5 ), point( 0.5, 1, 1.5 ) } } ) );
    EXPECT_TRUE( meet( { { o, p, p } }, { { p, point( 2, 4, 6 ), point( 3, 6, 9 ) } } ) );
    EXPECT_FALSE( meet( { { o, p, p } }, { { point( 2, 4, 6 ), point( 2, 4, 6 ), point( 3, 6, 9 ) } } ) );
}

// ------------------------------------------------------------------------------------------------------------ k-DOPs

TEST( Kdop, SeparatesTrianglesThatBoxesDoNot )
{
    const float a[3][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    const float b[3][3] = { { 1, 1, 0 }, { 1, 0.5f, 0 }, { 0.5f, 1, 0 } };
    const cltKdop first = cltKdop_OfTriangle( a[0], a[1], a[2] );
    cltKdop second = cltKdop_OfTriangle( b[0], b[1], b[2] );
    EXPECT_TRUE( cltAabb_Overlaps( &first.box, &second.box ) );
    EXPECT_FALSE( cltKdop_Overlaps( &first, &second ) );
    EXPECT_FALSE( cltKdop_Overlaps( &second, &first ) );
    cltDiagonals_Widen( &second.diagonals, 0.4f );
    EXPECT_TRUE( cltKdop_Overlaps( &first, &second ) );
    const float touching[3] = { 1, 0, 0 };
    const cltKdop point = cltKdop_OfTriangle( touching, touching, touching );
    EXPECT_TRUE( cltKdop_Overlaps( &first, &point ) );
}

TEST( Kdop, EveryDirectionSeparates )
{
    const int ways[CLT_KDOP_DIRECTION_COUNT][3] = { { 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 },  { 1, 1, 0 }, { 1, 0, 1 },
                                                    { 0, 1, 1 }, { 1, -1, 0 }, { 1, 0, -1 }, { 0, 1, -1 } };
    for ( int direction = 0; direction < CLT_KDOP_DIRECTION_COUNT; ++direction )
    {
        const int* way = ways[direction];
        cltKdop all;
        for ( int axis = 0; axis < 3; ++axis )
        {
            all.box.lower[axis] = -1;
            all.box.upper[axis] = 1;
        }
        std::fill_n( all.diagonals.lower, CLT_DIAGONAL_COUNT, -1.0f );
        std::fill_n( all.diagonals.upper, CLT_DIAGONAL_COUNT, 1.0f );
        cltKdop other = all;
        ( direction < 3 ? other.box.lower[direction] : other.diagonals.lower[direction - 3] ) = 2;
        ( direction < 3 ? other.box.upper[direction] : other.diagonals.upper[direction - 3] ) = 3;
        EXPECT_FALSE( cltKdop_Overlaps( &all, &other ) ) << direction;
        EXPECT_FALSE( cltKdop_Overlaps( &other, &all ) ) << direction;
        EXPECT_EQ( 2, cltKdop_Lower( &other, direction ) );
        EXPECT_EQ( 3, cltKdop_Upper( &other, direction ) );
        const float point[3] = { 3, 5, 11 };
        const cltKdop measured = cltKdop_OfTriangle( point, point, point );
        EXPECT_EQ( static_cast<float>( 3 * way[0] + 5 * way[1] + 11 * way[2] ), cltKdop_Lower( &measured, direction ) );
    }
}

// No tolerance is needed: k-DOPs never separate triangles that share a point, however their bounds are rounded.
TEST( Kdop, NeverSeparatesTrianglesThatIntersect )
{
    Random random( 5 );
    for ( int repeat = 0; repeat < 100000; ++repeat )
    {
        float shared[3];
        float corners[4][3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            const double size = std::ldexp( 1.0, static_cast<int>( random.below( 40 ) ) - 20 );
            shared[axis] = static_cast<float>( size * random.between( -1, 1 ) );
            for ( auto& corner : corners )
            {
                corner[axis] = static_cast<float>( size * random.between( -1, 1 ) );
            }
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
    }
}

// Two points at a distance, in any direction. The k-DOPs of both are widened by half the distance.
TEST( Kdop, ContainsTheDistanceIfWidened )
{
    Random random( 6 );
    for ( int repeat = 0; repeat < 100000; ++repeat )
    {
        double away[3];
        double length = 0;
        for ( double& part : away )
        {
            part = random.oneIn( 3 ) ? random.between( -1, 1 ) : random.between( -1, 1 ) > 0 ? 1 : -1;
            part *= random.oneIn( 3 ) ? 0 : 1;
            length += part * part;
        }
        length = std::sqrt( length );
        const float half = 0.25f;
        float a[3];
        float b[3];
        for ( int axis = 0; axis < 3; ++axis )
        {
            a[axis] = static_cast<float>( random.between( -4, 4 ) );
            b[axis] = static_cast<float>( a[axis] + ( length > 0 ? away[axis] / length * 0.499999 : 0 ) );
        }
        cltDiagonals first = cltDiagonals_OfTriangle( a, a, a );
        cltDiagonals second = cltDiagonals_OfTriangle( b, b, b );
        cltDiagonals_Widen( &first, half );
        cltDiagonals_Widen( &second, half );
        ASSERT_TRUE( cltDiagonals_Overlap( &first, &second ) );
    }
}
