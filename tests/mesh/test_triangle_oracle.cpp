// SPDX-License-Identifier: Zlib
// Tests the oracle of triangles with known answers. tests/unit/core compares the library with this oracle.
#include "demos/oracle/triangles.h"

#include <gtest/gtest.h>

#include <cmath>

using cullet::ExactPoint;
using cullet::hullsIntersect;

TEST( TriangleOracle, IsExactForTrianglesEdgesAndVertices )
{
    const std::vector<ExactPoint> floor = { { 0, 0, 0 }, { 3, 0, 1 }, { 0, 3, 1 } };
    const double height = 2.0 / 3; // of the floor at its centre, rounded down
    const double above = std::nextafter( height, 1.0 );
    const auto needle = []( double z ) { return std::vector<ExactPoint>{ { 1, 1, z }, { 1, 1, 2 }, { 1, 2, 9 } }; };
    EXPECT_TRUE( hullsIntersect( floor, needle( height ) ) );
    EXPECT_FALSE( hullsIntersect( floor, needle( above ) ) );
    EXPECT_FALSE( hullsIntersect( floor, { { 1, 1, height } } ) );               // a vertex just below
    EXPECT_TRUE( hullsIntersect( floor, { { 1.5, 1.5, 1 } } ) );                 // a vertex on an edge
    EXPECT_TRUE( hullsIntersect( floor, { { 1.5, 1.5, 1 }, { 9, 9, 9 } } ) );    // an edge that ends on that edge
    EXPECT_FALSE( hullsIntersect( floor, { { 2, 2, 4.0 / 3 }, { 2, 3, 2 } } ) ); // in or near the plane, but beyond it
    const std::vector<ExactPoint> edge = { { 0, 0, 0 }, { 1, 2, 3 } };
    EXPECT_TRUE( hullsIntersect( edge, { { 1, 2, 3 }, { 2, 4, 6 } } ) );  // on one line, touching
    EXPECT_FALSE( hullsIntersect( edge, { { 2, 4, 6 }, { 3, 6, 9 } } ) ); // on one line, apart
    EXPECT_TRUE( hullsIntersect( edge, { { 0.5, 1, 1.5 }, { 0.5, 1, 1.5 }, { 0.5, 1, 1.5 } } ) );
    EXPECT_FALSE( hullsIntersect( { { 0, 0, 0 } }, { { 0, 0, 5e-324 } } ) );
    EXPECT_TRUE( hullsIntersect( { { 0, 0, 1e308 } }, { { 0, 0, 1e308 } } ) );
}

TEST( TriangleOracle, GivesTheSignOfAnyDeterminant )
{
    for ( const double scale : { 0x1p-1000, 1.0, 0x1p1000 } )
    {
        const ExactPoint o = { 0, 0, 0 }, x = { scale, 0, 0 }, y = { 0, scale, 0 }, z = { 0, 0, scale };
        EXPECT_EQ( -1, cullet::determinantSign( o, x, y, z ) );
        EXPECT_EQ( 1, cullet::determinantSign( x, o, y, z ) );
        EXPECT_EQ( 0, cullet::determinantSign( x, o, y, y ) );
    }
}
