// SPDX-License-Identifier: Zlib
// The grid: cells keep order, two overlapping boxes have exactly one owner cell, and testing every candidate of every
// cell finds each pair once.
#include "gpu/core/grid.h"
#include "tests/support/boxes.h"
#include "tests/support/oracle.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>

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

/// All cell entries of all boxes, sorted by cell, with what a search over them needs.
struct CellTable
{
    CellTable( const cltGrid& grid, const std::vector<cltAabb>& boxes, const cltPairMap& map )
    {
        std::vector<cltLeafRef> refs( boxes.size() );
        cltLeaves leaves = {};
        leaves.refs = refs.data();
        leaves.now = boxes.data();
        for ( uint32_t leaf = 0; leaf < boxes.size(); ++leaf )
        {
            refs[leaf] = cltLeafRef_Make( leaf, CLT_LEAF_STILL );
            cltCellRange range;
            const uint32_t span = cltGrid_SpanOfLeaf( &grid, &leaves, leaf, &range );
            entries.resize( entries.size() + span );
            cltGrid_WriteEntriesStep( &grid, &leaves, leaf, entries.data() + entries.size() - span );
        }
        std::sort( entries.begin(), entries.end() );
        for ( uint32_t i = 0; i < entries.size(); ++i )
        {
            if ( i == 0 || entries[i] >> 32 != entries[i - 1] >> 32 )
            {
                starts.push_back( i );
            }
        }
        starts.push_back( static_cast<uint32_t>( entries.size() ) );
        candidateStarts.push_back( 0 );
        for ( size_t cell = 0; cell + 1 < starts.size(); ++cell )
        {
            uint64_t inCell = cltPairMap_CandidateCount( &map, starts[cell + 1] - starts[cell] );
            candidateStarts.push_back( candidateStarts.back() + inCell );
        }
        view = { entries.data(), starts.data(), candidateStarts.data(), static_cast<uint32_t>( starts.size() - 1 ),
                 map };
    }

    std::vector<uint64_t> entries;
    std::vector<uint32_t> starts;
    std::vector<uint64_t> candidateStarts;
    cltCells view;
};

/// Leaves of boxes that appeared with this update: each overlap is a pair that began.
struct FreshLeaves
{
    explicit FreshLeaves( const std::vector<cltAabb>& boxes )
        : before( boxes.size(), toFloat( span( notANumber, notANumber ) ) )
    {
        for ( uint32_t slot = 0; slot < boxes.size(); ++slot )
        {
            refs.push_back( cltLeafRef_Make( slot, CLT_LEAF_MOVED ) );
        }
        view = {};
        view.refs = refs.data();
        view.now = boxes.data();
        view.before = before.data();
        view.slotBits = cltIndexBits( static_cast<uint32_t>( boxes.size() ) );
        view.count = static_cast<uint32_t>( boxes.size() );
    }

    std::vector<cltLeafRef> refs;
    std::vector<cltAabb> before;
    cltLeaves view;
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
    for ( double edge : { 1.0, 1e-3, 1e-30, 0.0 } )
    {
        cltGrid grid = makeGrid( -1e6, 1e6, edge );
        double cells = static_cast<double>( grid.cells[0] ) * grid.cells[1] * grid.cells[2];
        EXPECT_LE( cells, CLT_GRID_MAX_CELLS );
        EXPECT_GE( cells, 1.0 );
        const uint32_t last[3] = { grid.cells[0] - 1, grid.cells[1] - 1, grid.cells[2] - 1 };
        EXPECT_EQ( cells - 1.0, static_cast<double>( cltGrid_Index( &grid, last ) ) );
    }
    cltGrid largest = makeGrid( -double( FLT_MAX ), double( FLT_MAX ), 1 );
    EXPECT_LE( static_cast<double>( largest.cells[0] ) * largest.cells[1] * largest.cells[2], CLT_GRID_MAX_CELLS );
}

TEST( Grid, IndexIsDifferentForEveryCell )
{
    const float lower[3] = { -1, 0, 4 };
    const float upper[3] = { 2, 1.5f, 11 };
    cltGrid grid = cltGrid_Make( lower, upper, 1.0f );
    std::vector<int> visits( size_t( grid.cells[0] ) * grid.cells[1] * grid.cells[2], 0 );
    EXPECT_EQ( 4u * 2u * 8u, visits.size() );
    uint32_t cell[3];
    for ( cell[0] = 0; cell[0] < grid.cells[0]; ++cell[0] )
    {
        for ( cell[1] = 0; cell[1] < grid.cells[1]; ++cell[1] )
        {
            for ( cell[2] = 0; cell[2] < grid.cells[2]; ++cell[2] )
            {
                ++visits.at( cltGrid_Index( &grid, cell ) );
            }
        }
    }
    EXPECT_EQ( std::vector<int>( visits.size(), 1 ), visits );
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

TEST( Grid, OverlappingBoxesHaveOneOwnerCell )
{
    cltGrid grid = makeGrid( -8, 8, 1 );
    std::vector<cltAabb> boxes = awkwardBoxes( 350, 2 );
    CellTable table( grid, boxes, { clt_rootHardware, 2 } );

    std::map<std::pair<uint32_t, uint32_t>, int> owners;
    for ( size_t cell = 0; cell + 1 < table.starts.size(); ++cell )
    {
        for ( uint32_t i = table.starts[cell]; i < table.starts[cell + 1]; ++i )
        {
            for ( uint32_t j = i + 1; j < table.starts[cell + 1]; ++j )
            {
                uint32_t a = static_cast<uint32_t>( table.entries[i] );
                uint32_t b = static_cast<uint32_t>( table.entries[j] );
                uint32_t index = static_cast<uint32_t>( table.entries[i] >> 32 );
                bool owns = cltGrid_Owns( &grid, index, &boxes[a], &boxes[b] );
                EXPECT_EQ( owns, cltGrid_Owns( &grid, index, &boxes[b], &boxes[a] ) );
                owners[{ a, b }] += owns;
            }
        }
    }
    int overlapCount = 0;
    for ( uint32_t a = 0; a < boxes.size(); ++a )
    {
        for ( uint32_t b = a + 1; b < boxes.size(); ++b )
        {
            if ( cltAabb_Overlaps( &boxes[a], &boxes[b] ) )
            {
                ++overlapCount;
                ASSERT_EQ( 1, ( owners[{ a, b }] ) ) << a << ", " << b;
            }
        }
    }
    EXPECT_GT( overlapCount, 100 );
}

TEST( Grid, CandidatesGiveEachPairOnceForEveryRoot )
{
    std::vector<cltAabb> boxes = awkwardBoxes( 350, 3 );
    FreshLeaves leaves( boxes );
    std::vector<uint64_t> expected;
    for ( uint32_t a = 0; a < boxes.size(); ++a )
    {
        for ( uint32_t b = a + 1; b < boxes.size(); ++b )
        {
            if ( overlaps( toDouble( boxes[a] ), toDouble( boxes[b] ) ) )
            {
                uint64_t bits = leaves.view.slotBits;
                expected.push_back( uint64_t( 1 ) << ( 2 * bits ) | uint64_t( a ) << bits | b );
            }
        }
    }
    for ( cltRoot root : { clt_rootHardware, clt_rootCarmack, clt_rootLomont, clt_rootNone } )
    {
        for ( double edge : { 1.0, 1.7, 30.0 } )
        {
            cltGrid grid = makeGrid( -8, 8, edge );
            CellTable table( grid, boxes, { root, 1 } );
            std::vector<uint64_t> found;
            for ( uint64_t k = 0; k < table.candidateStarts.back(); ++k )
            {
                uint32_t cell = cltCells_Find( &table.view, k );
                ASSERT_LE( table.candidateStarts[cell], k );
                ASSERT_LT( k, table.candidateStarts[cell + 1] );
                uint64_t key = cltCells_TestStep( &table.view, &grid, &leaves.view, clt_findChanges, cell, k );
                if ( key != CLT_NO_KEY )
                {
                    found.push_back( key );
                }
            }
            std::sort( found.begin(), found.end() );
            EXPECT_EQ( expected, found ) << "root " << root << ", edge " << edge;
        }
    }
}
