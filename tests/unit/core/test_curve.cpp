// SPDX-License-Identifier: Zlib
// Curve codes of positions: bits are in the right places, and no two cells share a code. Cells with successive Hilbert
// codes are adjacent.
#include "gpu/core/curve.h"
#include "tests/support/boxes.h"

#include <array>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

using namespace test;

namespace
{

const uint32_t lastCell = ( 1u << CLT_CURVE_AXIS_BITS ) - 1u;

using Cell = std::array<uint32_t, 3>;

/// Samples edge * edge * edge cells from `corner`, `step` apart. Expects their codes, divided by step^3, to be
/// successive integers, and cells with successive codes to be neighbours.
void expectContiguousCurve( const Cell& corner, uint32_t edge, uint32_t step )
{
    std::vector<Cell> walk( edge * edge * edge );
    const uint32_t perStep = step * step * step;
    const uint32_t first = cltHilbert( corner[0], corner[1], corner[2] ) / perStep / walk.size() * walk.size();
    std::vector<int> visits( walk.size(), 0 );
    for ( uint32_t offset = 0; offset < walk.size(); ++offset )
    {
        const Cell cell = { offset % edge, offset / edge % edge, offset / edge / edge };
        const uint32_t place =
            cltHilbert( corner[0] + step * cell[0], corner[1] + step * cell[1], corner[2] + step * cell[2] ) / perStep -
            first;
        ASSERT_LT( place, walk.size() );
        walk[place] = cell;
        ++visits[place];
    }
    EXPECT_EQ( std::vector<int>( walk.size(), 1 ), visits );
    for ( size_t i = 1; i < walk.size(); ++i )
    {
        ASSERT_EQ( 1, std::inner_product( walk[i].begin(), walk[i].end(), walk[i - 1].begin(), 0, std::plus<>(),
                                          []( uint32_t a, uint32_t b ) { return std::abs( int( a ) - int( b ) ); } ) );
    }
}

/// Cells along each axis over a region of these extents.
std::array<float, 3> cellsOver( float x, float y, float z )
{
    const float lower[3] = { 1, 2, 3 };
    const float upper[3] = { 1 + x, 2 + y, 3 + z };
    const cltCurve curve = cltCurve_Make( lower, upper );
    return { x * curve.cellsPerUnit[0], y * curve.cellsPerUnit[1], z * curve.cellsPerUnit[2] };
}
} // namespace

TEST( Curve, MortonCodesEqualALoop )
{
    for ( uint32_t value = 0; value <= lastCell; ++value )
    {
        uint32_t spread = 0;
        for ( uint32_t bit = 0; bit < CLT_CURVE_AXIS_BITS; ++bit )
        {
            spread |= ( value >> bit & 1u ) << 3 * bit;
        }
        ASSERT_EQ( spread << 2, cltMorton( value, 0, 0 ) );
        ASSERT_EQ( spread << 1, cltMorton( 0, value, 0 ) );
        ASSERT_EQ( spread, cltMorton( 0, 0, value ) );
    }
    EXPECT_EQ( ( 1u << CLT_CURVE_BITS ) - 1u, cltMorton( lastCell, lastCell, lastCell ) );
}

TEST( Curve, SuccessiveHilbertCodesAreAdjacentCells )
{
    Random random( 1 );
    expectContiguousCurve( { 0, 0, 0 }, 16, 1 );
    for ( int repeat = 1; repeat < 40; ++repeat )
    {
        expectContiguousCurve( { 16 * random.below( 64 ), 16 * random.below( 64 ), 16 * random.below( 64 ) }, 16, 1 );
    }
    expectContiguousCurve( { 0, 0, 0 }, 64, 16 ); // corners of aligned cubes of edge 16 lie on a coarser Hilbert curve
}

/// Positions outside the bounds are clamped. A NaN centre gives cell 0. So do empty, inverted, infinite and NaN bounds.
TEST( Curve, CellsCoverTheBounds )
{
    const double most = double( std::numeric_limits<float>::max() );
    const struct
    {
        cltAabbD bounds;
        cltAabbD box;
        uint32_t least, most;
    } cases[] = {
        { span( -4, 4 ), span( -4, -4 ), 0, 0 },
        { span( -4, 4 ), span( -1, 1 ), 512, 512 },
        { span( -4, 4 ), span( 4, 4 ), lastCell, lastCell },
        { span( -4, 4 ), span( -1e30, -1e30 ), 0, 0 },
        { span( -4, 4 ), span( 1e30, 1e30 ), lastCell, lastCell },
        { span( -4, 4 ), span( 0, infinity ), lastCell, lastCell },
        { span( -4, 4 ), span( -infinity, 0 ), 0, 0 },
        { span( -4, 4 ), span( -infinity, infinity ), 0, 0 },
        { span( -4, 4 ), span( notANumber, 1 ), 0, 0 },
        { span( 0, most ), span( most, most ), lastCell - 1, lastCell },
        { span( 0, most ), span( 0, most ), 511, 513 },
        { span( 1, 1 ), span( 1e30, 1e30 ), 0, 0 },
        { span( 2, 1 ), span( 1, 1 ), 0, 0 },
        { span( infinity, -infinity ), span( 1, 1 ), 0, 0 },
        { span( -infinity, infinity ), span( 1e30, 1e30 ), 0, 0 },
        { span( notANumber, 1 ), span( 0, 0 ), 0, 0 },
        { span( 0, 1.4e-45 ), span( 1, 1 ), 0, 0 },
    };
    for ( const auto& [bounds, box, least, largest] : cases )
    {
        const cltAabb region = toFloat( bounds );
        const cltAabb place = toFloat( box );
        const cltCurve curve = cltCurve_Make( region.lower, region.upper );
        const uint32_t cell = cltCurve_Cell( &curve, &place, 0 );
        EXPECT_TRUE( least <= cell && cell <= largest ) << cell << " instead of " << least;
        EXPECT_EQ( cell == 0, cltCurve_Key( &curve, &place ) == 0 );
    }
}

TEST( Curve, CellsAreCubesUnlessAnAxisIsTooLong )
{
    using Cells = std::array<float, 3>;
    EXPECT_EQ( ( Cells{ 1024, 1024, 1024 } ), cellsOver( 8, 8, 8 ) );
    EXPECT_EQ( ( Cells{ 1024, 512, 64 } ), cellsOver( 256, 128, 16 ) );
    EXPECT_EQ( ( Cells{ 32, 1024, 32 } ), cellsOver( 16, 512, 16 ) );
    EXPECT_EQ( ( Cells{ 32, 32, 1024 } ), cellsOver( 4, 1, 4096 ) ) << "at most 32 of the 1024 cells of an axis in one";
    EXPECT_EQ( ( Cells{ 1024, 0, 64 } ), cellsOver( 256, 0, 16 ) );
    EXPECT_EQ( ( Cells{ 0, 0, 0 } ), cellsOver( 0, 0, 0 ) );
}
