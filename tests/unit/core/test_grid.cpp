// SPDX-License-Identifier: Zlib
// The grid: cells keep the order of coordinates. Testing each leaf against its runs of candidates finds each pair once.
#include "gpu/core/grid.h"
#include "tests/support/boxes.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace test;

namespace
{

cltGrid makeGrid( double lower, double upper, double longestEdge, uint32_t leafCount = 1000 )
{
    cltAabb region = toFloat( span( lower, upper ) );
    return cltGrid_Make( region.lower, region.upper, static_cast<float>( longestEdge ), leafCount );
}

/// Boxes with about half of their corners on cell faces. Some reach out of the region [-8, 8].
std::vector<cltAabb> awkwardBoxes( size_t count, uint64_t seed )
{
    Random random( seed );
    std::vector<cltAabb> boxes( count );
    for ( cltAabb& box : boxes )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            bool onFace = random.below( 2 ) == 0;
            double lower = onFace ? static_cast<double>( random.below( 18 ) ) - 9.0 : random.between( -9, 9 );
            double extent = onFace ? random.below( 3 ) : random.between( 0, 2 );
            box.lower[axis] = static_cast<float>( lower );
            box.upper[axis] = static_cast<float>( lower + extent );
        }
    }
    return boxes;
}

/// Leaves of boxes that appear in this update, in the order of their cells. Each overlap is a pair that begins.
struct CellTable
{
    CellTable( const cltGrid& grid, const std::vector<cltAabb>& boxes )
    {
        const uint32_t count = static_cast<uint32_t>( boxes.size() );
        std::vector<uint64_t> keys;
        for ( uint32_t slot = 0; slot < count; ++slot )
        {
            keys.push_back( uint64_t( cltGrid_CellOf( &grid, &boxes[slot] ) ) << 32 | slot );
        }
        std::sort( keys.begin(), keys.end() );
        for ( const uint64_t key : keys )
        {
            const uint32_t slot = static_cast<uint32_t>( key );
            records.push_back( { boxes[slot], cltAabb_Nowhere(), cltLeafRef_Make( slot, CLT_LEAF_MOVED ), {} } );
        }
        leaves.records = records.data();
        leaves.slotBits = cltIndexBits( count );
        leaves.count = count;
        for ( uint32_t cell = 0; cell <= cltGrid_CellCount( &grid ); ++cell )
        {
            starts.push_back( cltCells_FindStart( keys.data(), count, cell ) );
        }
        view = { grid, starts.data(), { clt_rootHardware, 1 } };
    }

    /// The keys of all candidates that are pairs, and how many candidates there were.
    std::vector<uint64_t> find( uint64_t* candidateCount ) const
    {
        std::vector<uint64_t> found;
        *candidateCount = 0;
        for ( uint32_t i = 0; i < leaves.count; ++i )
        {
            const cltAabb cover = cltLeaves_Cover( &leaves, i );
            cltCellWalk walk = cltCellWalk_Begin( &view.grid, &cover );
            const uint32_t inCell = cltCells_CountFrom( &view, i, walk.cell );
            uint64_t count = cltPairMap_CandidateCount( &view.map, inCell );
            for ( uint64_t k = 0; k < count; ++k )
            {
                found.push_back( cltCells_TestStep( &view, &leaves, clt_findChanges, i, inCell, k ) );
            }
            for ( uint32_t j = 0, end = 0; cltCellWalk_Next( &walk, &view, &j, &end ); )
            {
                EXPECT_LE( j, end );
                for ( ; j < end; ++j, ++count )
                {
                    EXPECT_LT( i, j );
                    found.push_back( cltLeaves_Key( &leaves, clt_findChanges, i, j ) );
                }
            }
            EXPECT_EQ( count, cltCells_CountStep( &view, &leaves, i ) );
            *candidateCount += count;
        }
        found.erase( std::remove( found.begin(), found.end(), CLT_NO_KEY ), found.end() );
        std::sort( found.begin(), found.end() );
        return found;
    }

    std::vector<cltLeaf> records;
    cltLeaves leaves = {};
    std::vector<uint32_t> starts;
    cltCells view;
};

float longestEdge( const std::vector<cltAabb>& boxes )
{
    float longest = 0;
    for ( const cltAabb& box : boxes )
    {
        longest = std::max( longest, cltAabb_LongestEdge( &box ) );
    }
    return longest;
}

std::vector<uint64_t> allPairs( const std::vector<cltAabb>& boxes )
{
    const uint32_t bits = cltIndexBits( static_cast<uint32_t>( boxes.size() ) );
    std::vector<uint64_t> pairs;
    for ( uint32_t a = 0; a < boxes.size(); ++a )
    {
        for ( uint32_t b = a + 1; b < boxes.size(); ++b )
        {
            if ( overlaps( toDouble( boxes[a] ), toDouble( boxes[b] ) ) )
            {
                pairs.push_back( uint64_t( 1 ) << ( 2 * bits ) | uint64_t( a ) << bits | b );
            }
        }
    }
    return pairs;
}

} // namespace

TEST( Grid, CellsKeepTheOrderOfCoordinates )
{
    for ( const cltGrid& grid : { makeGrid( -8, 8, 1 ), makeGrid( -1e6, 1e6, 0.1 ), makeGrid( 3, 3, 1 ),
                                  makeGrid( -1e38, 1e38, 1e35 ), makeGrid( 0, 1e-40, 1e-41 ) } )
    {
        std::vector<float> coordinates = { -INFINITY, -FLT_MAX, -8, -1, 0, 1, 8, FLT_MAX, INFINITY };
        Random random( 1 );
        for ( int i = 0; i < 5000; ++i )
        {
            coordinates.push_back( static_cast<float>( random.between( -10, 10 ) ) );
            coordinates.push_back( std::ldexp( coordinates.back(), static_cast<int>( random.below( 200 ) ) - 100 ) );
        }
        std::sort( coordinates.begin(), coordinates.end() );
        uint32_t previous = 0;
        for ( float coordinate : coordinates )
        {
            uint32_t cell = cltGrid_Cell( &grid, coordinate, 0 );
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
    const float flat[2][3] = { { 0, 0, 5 }, { 1000, 1000, 5 } };
    const cltGrid grid = cltGrid_Make( flat[0], flat[1], 0, 10000 );
    EXPECT_GT( cltGrid_CellCount( &grid ), 10000u ) << "flat, but no fewer cells than leaves";
}

/// The grid is one cell, in which all leaves are tested against each other. So it is too dense unless there are few.
TEST( Grid, IsOneCellIfABoxHasNoSize )
{
    const cltGrid grid = makeGrid( -8, 8, infinity );
    EXPECT_EQ( 1u, cltGrid_CellCount( &grid ) );
    std::vector<cltAabb> boxes = awkwardBoxes( 60, 5 );
    boxes.push_back( { { 1, -9, -9 }, { -1, 9, 9 } } ); // inverted: overlaps boxes that contain both bounds
    boxes.push_back( { { -INFINITY, 0, 0 }, { INFINITY, 1, 1 } } );
    uint64_t candidateCount;
    EXPECT_EQ( allPairs( boxes ), CellTable( grid, boxes ).find( &candidateCount ) );
    EXPECT_EQ( 62u * 61u / 2u, candidateCount );
}

TEST( Grid, CellOfABoxIsThatOfItsLowerCorner )
{
    const float lower[3] = { -1, 0, 4 };
    const float upper[3] = { 2, 1.5f, 11 };
    const cltGrid grid = cltGrid_Make( lower, upper, 1.0f, 100 );
    EXPECT_EQ( ( std::array<uint32_t, 3>{ 6, 2, 7 } ),
               ( std::array<uint32_t, 3>{ grid.cells[0], grid.cells[1], grid.cells[2] } ) );
    const auto cellOf = [&grid]( float x, float y, float z )
    {
        const cltAabb box = { { x, y, z }, { x + 1, y + 1, z + 1 } };
        return cltGrid_CellOf( &grid, &box );
    };
    EXPECT_EQ( 0u, cellOf( -1, 0, 4 ) );
    EXPECT_EQ( 5u, cellOf( 1.9f, 0, 4 ) );
    EXPECT_EQ( 6u, cellOf( -1, 1.4f, 4 ) );
    EXPECT_EQ( 12u, cellOf( -1, 0, 5.5f ) );
    EXPECT_EQ( 0u, cellOf( -100, -100, -100 ) ); // outside the region: clamped to a border cell
    EXPECT_EQ( 83u, cellOf( 100, 100, 100 ) );
}

/// Rounding loses no pair: far from the origin, with too many cells to number, and if all leaves share a cell.
TEST( Grid, CandidatesContainEachPairOnce )
{
    uint64_t most = 0;
    for ( const double scale : { 1.0, 1e-38, 1e-20, 1e20 } )
    {
        for ( const double origin : { 0.0, 1e3, -1e6 } )
        {
            std::vector<cltAabb> boxes = awkwardBoxes( 700, 3 );
            for ( cltAabb& box : boxes )
            {
                for ( int axis = 0; axis < 3; ++axis )
                {
                    box.lower[axis] = static_cast<float>( ( box.lower[axis] + origin ) * scale );
                    box.upper[axis] = static_cast<float>( ( box.upper[axis] + origin ) * scale );
                }
            }
            const std::vector<uint64_t> expected = allPairs( boxes );
            EXPECT_GT( expected.size(), 100u );
            for ( const double region : { 0.0, 3.0, 8.0, 30.0 } )
            {
                const cltGrid grid = makeGrid( ( origin - region ) * scale, ( origin + region ) * scale,
                                               static_cast<double>( longestEdge( boxes ) ), 700 );
                uint64_t candidateCount;
                EXPECT_EQ( expected, CellTable( grid, boxes ).find( &candidateCount ) )
                    << "scale " << scale << ", origin " << origin << ", region " << region;
                const bool isPlain = region == 8.0 && origin == 0.0 && scale == 1.0;
                most = std::max( most, isPlain ? candidateCount : 0u );
            }
        }
    }
    EXPECT_LT( most, 700u * 699u / 2u );
}

TEST( Grid, IsDenseIfThereAreManyTestsPerLeaf )
{
    const uint64_t most = 1000u * uint64_t( CLT_GRID_MAX_TESTS_PER_LEAF );
    EXPECT_FALSE( cltGrid_IsDense( 0, 0 ) );
    EXPECT_FALSE( cltGrid_IsDense( most, 1000 ) );
    EXPECT_TRUE( cltGrid_IsDense( most + 1, 1000 ) );
    EXPECT_TRUE( cltGrid_IsDense( uint64_t( 1 ) << 40, 1u << 29 ) ) << "tests beyond 32 bits";
}
