// SPDX-License-Identifier: Zlib
// Cells of the grid keep the order of coordinates, and their number never exceeds the capacity. Searches in the grid
// are tested in tests/behaviour/backends.
#include "gpu/core/grid.h"
#include "tests/support/boxes.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

using namespace test;

namespace
{

cltGrid makeGrid( double lower, double upper, double longestEdge, uint32_t leafCount = 1000 )
{
    const cltAabb region = toFloat( span( lower, upper ) );
    return cltGrid_Make( region.lower, region.upper, static_cast<float>( longestEdge ), leafCount );
}

} // namespace

TEST( Grid, CellsKeepTheOrderOfCoordinates )
{
    std::vector<float> coordinates = { -INFINITY, -FLT_MAX, -8, -1, 0, 1, 8, FLT_MAX, INFINITY };
    Random random( 1 );
    for ( int i = 0; i < 5000; ++i )
    {
        coordinates.push_back( static_cast<float>( random.between( -10, 10 ) ) );
        coordinates.push_back( std::ldexp( coordinates.back(), static_cast<int>( random.below( 200 ) ) - 100 ) );
    }
    std::sort( coordinates.begin(), coordinates.end() );
    for ( const cltGrid& grid : { makeGrid( -8, 8, 1 ), makeGrid( -1e6, 1e6, 0.1 ), makeGrid( 3, 3, 1 ),
                                  makeGrid( -1e38, 1e38, 1e35 ), makeGrid( 0, 1e-40, 1e-41 ) } )
    {
        uint32_t previous = 0;
        for ( float coordinate : coordinates )
        {
            const uint32_t cell = cltGrid_Cell( &grid, coordinate, 0 );
            ASSERT_LE( previous, cell ) << coordinate;
            ASSERT_LT( cell, grid.cells[0] );
            previous = cell;
        }
    }
}

TEST( Grid, CellCountNeverExceedsTheCapacity )
{
    for ( const uint32_t leafCount : { 0u, 1u, 10u, 100000u, 1u << 29 } )
    {
        for ( const cltGrid& grid :
              { makeGrid( -1e6, 1e6, 1, leafCount ), makeGrid( -1e6, 1e6, 1e-30, leafCount ),
                makeGrid( -1e6, 1e6, 0, leafCount ), makeGrid( 1, 0, 1, leafCount ), makeGrid( 3, 3, 0, leafCount ),
                makeGrid( -double( FLT_MAX ), double( FLT_MAX ), 1, leafCount ) } )
        {
            const double cells = static_cast<double>( grid.cells[0] ) * grid.cells[1] * grid.cells[2];
            EXPECT_LE( cells, cltGrid_CellCapacity( leafCount ) );
            EXPECT_GE( cells, 1.0 );
            EXPECT_EQ( cells, cltGrid_CellCount( &grid ) );
        }
    }
    const cltAabb flat = { { 0, 0, 5 }, { 1000, 1000, 5 } };
    const cltGrid grid = cltGrid_Make( flat.lower, flat.upper, 0, 10000 );
    EXPECT_GT( cltGrid_CellCount( &grid ), 10000u ) << "flat, but no fewer cells than leaves";
    const cltGrid single = makeGrid( -8, 8, infinity );
    EXPECT_EQ( 1u, cltGrid_CellCount( &single ) ) << "a box without a size";
}

TEST( Grid, BoxIsInTheCellOfItsLowerCorner )
{
    const cltAabb region = { { -1, 0, 4 }, { 2, 1.5f, 11 } };
    const cltGrid grid = cltGrid_Make( region.lower, region.upper, 1.0f, 100 );
    EXPECT_EQ( ( std::vector<uint32_t>{ 6, 2, 7 } ), std::vector<uint32_t>( grid.cells, grid.cells + 3 ) );
    const struct
    {
        float x, y, z;
        uint32_t cell;
    } cases[] = { { -1, 0, 4, 0 },      { 1.9f, 0, 4, 5 },       { -1, 1.4f, 4, 6 },
                  { -1, 0, 5.5f, 12 },  { -100, -100, -100, 0 }, // outside the region: clamped to a border cell
                  { 100, 100, 100, 83 } };
    for ( const auto& [x, y, z, cell] : cases )
    {
        const cltAabb box = { { x, y, z }, { x + 1, y + 1, z + 1 } };
        EXPECT_EQ( cell, cltGrid_CellOf( &grid, &box ) );
    }
}

TEST( Grid, IsDenseIfThereAreManyTestsPerLeaf )
{
    const uint64_t most = 1000u * uint64_t( CLT_GRID_MAX_TESTS_PER_LEAF );
    EXPECT_FALSE( cltGrid_IsDense( 0, 0 ) );
    EXPECT_FALSE( cltGrid_IsDense( most, 1000 ) );
    EXPECT_TRUE( cltGrid_IsDense( most + 1, 1000 ) );
    EXPECT_TRUE( cltGrid_IsDense( uint64_t( 1 ) << 40, 1u << 29 ) ) << "tests beyond 32 bits";
}
