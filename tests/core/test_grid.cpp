// SPDX-License-Identifier: Zlib
// The grid: cells keep order, and testing every candidate of every cell finds each pair once.
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

cltGrid makeGrid( double lower, double upper, double edge )
{
    cltAabb region = toFloat( span( lower, upper ) );
    return cltGrid_Make( region.lower, region.upper, static_cast<float>( edge ) );
}

/// Boxes with corners on cell faces as often as not, some reaching out of a region of [-8, 8].
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

/// Leaves of boxes that appeared with this update, so that each overlap is a pair that began, and their cell entries,
/// sorted by cell.
struct CellTable
{
    CellTable( const cltGrid& grid, const std::vector<cltAabb>& boxes, const cltPairMap& map )
    {
        for ( uint32_t slot = 0; slot < boxes.size(); ++slot )
        {
            records.push_back( { boxes[slot], cltAabb_Nowhere(), cltLeafRef_Make( slot, CLT_LEAF_MOVED ), {} } );
        }
        leaves.records = records.data();
        leaves.slotBits = cltIndexBits( static_cast<uint32_t>( boxes.size() ) );
        leaves.count = static_cast<uint32_t>( boxes.size() );
        for ( uint32_t leaf = 0; leaf < boxes.size(); ++leaf )
        {
            cltCellRange range;
            const uint32_t span = cltGrid_SpanOfLeaf( &grid, &leaves, leaf, &range );
            entries.resize( entries.size() + span );
            cltGrid_WriteEntriesStep( &grid, &leaves, leaf, entries.data() + entries.size() - span );
        }
        std::sort( entries.begin(), entries.end() );
        for ( uint32_t first = 0, last = 0; first < entries.size(); first = last )
        {
            for ( ; last < entries.size() && entries[last] >> 32 == entries[first] >> 32; ++last )
            {
            }
            starts.push_back( last );
            candidateStarts.push_back( candidateStarts.back() + cltPairMap_CandidateCount( &map, last - first ) );
        }
        view = { entries.data(), starts.data(), candidateStarts.data(), uint32_t( starts.size() - 1 ), map };
    }

    std::vector<cltLeaf> records;
    cltLeaves leaves = {};
    std::vector<uint64_t> entries;
    std::vector<uint32_t> starts = { 0 };
    std::vector<uint64_t> candidateStarts = { 0 };
    cltCells view;
};

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

TEST( Grid, CellsAreAlwaysFewEnoughToNumber )
{
    for ( const cltGrid& grid : { makeGrid( -1e6, 1e6, 1 ), makeGrid( -1e6, 1e6, 1e-3 ), makeGrid( -1e6, 1e6, 1e-30 ),
                                  makeGrid( -1e6, 1e6, 0 ), makeGrid( -double( FLT_MAX ), double( FLT_MAX ), 1 ) } )
    {
        double cells = static_cast<double>( grid.cells[0] ) * grid.cells[1] * grid.cells[2];
        EXPECT_LE( cells, CLT_GRID_MAX_CELLS );
        EXPECT_GE( cells, 1.0 );
        const uint32_t last[3] = { grid.cells[0] - 1, grid.cells[1] - 1, grid.cells[2] - 1 };
        EXPECT_EQ( cells - 1.0, static_cast<double>( cltGrid_Index( &grid, last ) ) );
    }
}

TEST( Grid, IndexIsDifferentForEveryCell )
{
    const float lower[3] = { -1, 0, 4 };
    const float upper[3] = { 2, 1.5f, 11 };
    cltGrid grid = cltGrid_Make( lower, upper, 1.0f );
    EXPECT_EQ( ( std::array<uint32_t, 3>{ 4, 2, 8 } ),
               ( std::array<uint32_t, 3>{ grid.cells[0], grid.cells[1], grid.cells[2] } ) );
    std::set<uint32_t> indices;
    for ( uint32_t k = 0; k < 64; ++k )
    {
        const uint32_t cell[3] = { k % 4, k / 4 % 2, k / 8 };
        indices.insert( cltGrid_Index( &grid, cell ) );
    }
    EXPECT_EQ( 64u, indices.size() );
    EXPECT_EQ( 63u, *indices.rbegin() );
}

TEST( Grid, SpanCountsCellsAndRefusesOddBoxes )
{
    cltGrid grid = makeGrid( -8, 8, 1 );
    auto spanOf = [&grid]( const cltAabbD& doubleBox )
    {
        cltAabb box = toFloat( doubleBox );
        cltCellRange range;
        return cltGrid_Span( &grid, &box, &range );
    };
    EXPECT_EQ( 1u, spanOf( span( 0.25, 0.75 ) ) );
    EXPECT_EQ( 8u, spanOf( span( 0.5, 1.5 ) ) );
    EXPECT_EQ( 8u, spanOf( span( 0, 1 ) ) ); // the upper face belongs to the next cell
    EXPECT_EQ( CLT_GRID_MAX_SPAN, spanOf( span( 0.5, 3.5 ) ) );
    EXPECT_EQ( 0u, spanOf( span( 0.5, 4.5 ) ) );
    EXPECT_EQ( 0u, spanOf( span( -infinity, infinity ) ) );
    EXPECT_EQ( 0u, spanOf( { { 0, 1, 0 }, { 1, 0, 1 } } ) );
    EXPECT_EQ( 1u, spanOf( span( 100, 200 ) ) ); // beyond the region: clamped into its last cell
}

/// So two overlapping boxes have exactly one owner cell.
TEST( Grid, CandidatesGiveEachPairOnceForEveryRoot )
{
    const std::vector<cltAabb> boxes = awkwardBoxes( 700, 3 ); // in one cell where a single Newton step goes wrong
    std::vector<uint64_t> expected;
    for ( uint32_t a = 0; a < boxes.size(); ++a )
    {
        for ( uint32_t b = a + 1; b < boxes.size(); ++b )
        {
            if ( overlaps( toDouble( boxes[a] ), toDouble( boxes[b] ) ) )
            {
                expected.push_back( uint64_t( 1 ) << 20 | uint64_t( a ) << 10 | b );
            }
        }
    }
    EXPECT_GT( expected.size(), 100u );
    for ( cltRoot root : { clt_rootHardware, clt_rootCarmack, clt_rootLomont, clt_rootNone } )
    {
        for ( double edge : { 1.0, 1.7, 30.0 } )
        {
            const cltGrid grid = makeGrid( -8, 8, edge );
            const CellTable table( grid, boxes, { root, 1 } );
            std::vector<uint64_t> found;
            for ( uint64_t k = 0; k < table.candidateStarts.back(); ++k )
            {
                uint32_t cell = cltCells_Find( &table.view, k );
                ASSERT_LE( table.candidateStarts[cell], k );
                ASSERT_LT( k, table.candidateStarts[cell + 1] );
                found.push_back( cltCells_TestStep( &table.view, &grid, &table.leaves, clt_findChanges, cell, k ) );
            }
            found.erase( std::remove( found.begin(), found.end(), CLT_NO_KEY ), found.end() );
            std::sort( found.begin(), found.end() );
            EXPECT_EQ( expected, found ) << "root " << root << ", edge " << edge;
        }
    }
}

TEST( Grid, IsCrowdedWhereTestsOutnumberLeaves )
{
    const uint64_t most = 1000u * uint64_t( CLT_GRID_MAX_TESTS_PER_LEAF );
    EXPECT_FALSE( cltGrid_IsCrowded( 0, 0, 0 ) );
    EXPECT_FALSE( cltGrid_IsCrowded( most, 0, 1000 ) );
    EXPECT_TRUE( cltGrid_IsCrowded( most + 1, 0, 1000 ) );
    EXPECT_FALSE( cltGrid_IsCrowded( 0, CLT_GRID_MAX_TESTS_PER_LEAF, 1000 ) );
    EXPECT_TRUE( cltGrid_IsCrowded( 0, CLT_GRID_MAX_TESTS_PER_LEAF + 1, 1000 ) );
    EXPECT_TRUE( cltGrid_IsCrowded( most / 2, CLT_GRID_MAX_TESTS_PER_LEAF / 2 + 1, 1000 ) ) << "they add up";
    EXPECT_TRUE( cltGrid_IsCrowded( 0, 1u << 20, 1u << 28 ) ) << "tests beyond 32 bits";
}
