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
#include <vector>

using namespace test;

static const uint32_t lastCell = ( 1u << CLT_CURVE_AXIS_BITS ) - 1u;

static uint32_t spreadByLoop( uint32_t value )
{
    uint32_t result = 0;
    for ( uint32_t bit = 0; bit < CLT_CURVE_AXIS_BITS; ++bit )
    {
        result |= ( ( value >> bit ) & 1u ) << ( 3 * bit );
    }
    return result;
}

TEST( Curve, SpreadBitsEqualsALoop )
{
    for ( uint32_t value = 0; value <= lastCell; ++value )
    {
        ASSERT_EQ( spreadByLoop( value ), cltSpreadBits( value ) );
        ASSERT_EQ( spreadByLoop( value ) << 2, cltMorton( value, 0, 0 ) );
        ASSERT_EQ( spreadByLoop( value ) << 1, cltMorton( 0, value, 0 ) );
        ASSERT_EQ( spreadByLoop( value ), cltMorton( 0, 0, value ) );
    }
    EXPECT_EQ( ( 1u << CLT_CURVE_BITS ) - 1u, cltMorton( lastCell, lastCell, lastCell ) );
}

using Cell = std::array<uint32_t, 3>;

/// Takes a cube of edge * edge * edge cells, `step` apart. Expects their codes, without the low bits that number the
/// cells within a step, to be successive. Successive codes must belong to adjacent cells.
static void expectWalk( const Cell& corner, uint32_t edge, uint32_t step )
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

TEST( Curve, HilbertCodesOfAnAlignedCubeAreAdjacentCells )
{
    Random random( 1 );
    expectWalk( { 0, 0, 0 }, 16, 1 );
    for ( int repeat = 1; repeat < 40; ++repeat )
    {
        expectWalk( { 16 * random.below( 64 ), 16 * random.below( 64 ), 16 * random.below( 64 ) }, 16, 1 );
    }
}

/// The corners of aligned cubes of edge 16 lie on a coarser Hilbert curve.
TEST( Curve, HilbertCodesAreAdjacentAcrossCubes )
{
    expectWalk( { 0, 0, 0 }, 64, 16 );
}

static uint32_t cellOf( const cltCurve& curve, double lower, double upper )
{
    cltAabb box = toFloat( span( lower, upper ) );
    return cltCurve_Cell( &curve, &box, 0 );
}

TEST( Curve, CellsCoverTheBoundsAndAreClampedOutside )
{
    const cltAabb bounds = toFloat( span( -4, 4 ) );
    cltCurve curve = cltCurve_Make( bounds.lower, bounds.upper );
    EXPECT_EQ( 0u, cellOf( curve, -4, -4 ) );
    EXPECT_EQ( 512u, cellOf( curve, -1, 1 ) );
    EXPECT_EQ( lastCell, cellOf( curve, 4, 4 ) );
    EXPECT_EQ( 0u, cellOf( curve, -1e30, -1e30 ) );
    EXPECT_EQ( lastCell, cellOf( curve, 1e30, 1e30 ) );
    EXPECT_EQ( lastCell, cellOf( curve, 0, infinity ) );
    EXPECT_EQ( 0u, cellOf( curve, -infinity, 0 ) );
    EXPECT_EQ( 0u, cellOf( curve, -infinity, infinity ) ); // the centre is not a number
    EXPECT_EQ( 0u, cellOf( curve, notANumber, 1 ) );
}

TEST( Curve, LargestFloatsHaveACentre )
{
    const double most = double( std::numeric_limits<float>::max() );
    const cltAabb bounds = toFloat( span( 0, most ) );
    cltCurve curve = cltCurve_Make( bounds.lower, bounds.upper );
    EXPECT_GE( cellOf( curve, most, most ), lastCell - 1 );
    EXPECT_LE( cellOf( curve, 0, most ), 513u );
}

TEST( Curve, EmptyOrInfiniteBoundsMapEverythingToZero )
{
    for ( const cltAabbD& useless : { span( 1, 1 ), span( 2, 1 ), span( infinity, -infinity ),
                                      span( -infinity, infinity ), span( notANumber, 1 ), span( 0, 1.4e-45 ) } )
    {
        const cltAabb bounds = toFloat( useless );
        cltCurve curve = cltCurve_Make( bounds.lower, bounds.upper );
        for ( double where : { -1e30, 0.0, 1.0, 1e30 } )
        {
            cltAabb box = toFloat( span( where, where ) );
            EXPECT_EQ( 0u, cltCurve_Key( &curve, &box ) );
        }
    }
}
