// SPDX-License-Identifier: Zlib
// Codes of positions: bits go where they should, no two cells share a code, Hilbert neighbours are neighbours.
#include "gpu/core/curve.h"
#include "tests/support/boxes.h"

#include <cstdlib>
#include <gtest/gtest.h>
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

TEST( Curve, SpreadBitsAgainstALoop )
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

struct Cell
{
    uint32_t axis[3];
};

/// The cells of the cube of edge 16 at `corner` in the order of their codes; fails if codes repeat or leave a gap.
static std::vector<Cell> walkCube( const uint32_t corner[3] )
{
    std::vector<Cell> walk( 16 * 16 * 16 );
    std::vector<int> visits( walk.size(), 0 );
    uint32_t prefix = cltHilbert( corner[0], corner[1], corner[2] ) / 4096u;
    for ( uint32_t offset = 0; offset < 4096; ++offset )
    {
        Cell cell = { { corner[0] + offset % 16, corner[1] + offset / 16 % 16, corner[2] + offset / 256 } };
        uint32_t code = cltHilbert( cell.axis[0], cell.axis[1], cell.axis[2] );
        EXPECT_EQ( prefix, code / 4096u );
        walk[code % 4096u] = cell;
        ++visits[code % 4096u];
    }
    EXPECT_EQ( std::vector<int>( walk.size(), 1 ), visits );
    return walk;
}

static int distance( const Cell& a, const Cell& b )
{
    int sum = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        sum += std::abs( static_cast<int>( a.axis[axis] ) - static_cast<int>( b.axis[axis] ) );
    }
    return sum;
}

TEST( Curve, HilbertIsOneStepAtATimeThroughEachAlignedCube )
{
    Random random( 1 );
    for ( int repeat = 0; repeat < 40; ++repeat )
    {
        uint32_t corner[3] = {};
        for ( uint32_t& coordinate : corner )
        {
            coordinate = repeat == 0 ? 0 : 16 * random.below( 64 );
        }
        std::vector<Cell> walk = walkCube( corner );
        for ( size_t i = 1; i < walk.size(); ++i )
        {
            ASSERT_EQ( 1, distance( walk[i - 1], walk[i] ) );
        }
    }
}

TEST( Curve, HilbertStepsBetweenCubesToo )
{
    // Thinned by 16 on each axis the corners of the aligned cubes are themselves a Hilbert curve, so the cubes' codes
    // divided by 4096 must be a walk over a 64 x 64 x 64 lattice.
    std::vector<Cell> walk( 64 * 64 * 64, Cell{ { 999, 999, 999 } } );
    for ( uint32_t offset = 0; offset < walk.size(); ++offset )
    {
        Cell cell = { { offset % 64, offset / 64 % 64, offset / 4096 } };
        walk[cltHilbert( 16 * cell.axis[0], 16 * cell.axis[1], 16 * cell.axis[2] ) / 4096u] = cell;
    }
    for ( size_t i = 1; i < walk.size(); ++i )
    {
        ASSERT_EQ( 1, distance( walk[i - 1], walk[i] ) );
    }
}

static uint32_t cellOf( const cltCurve& curve, double lower, double upper )
{
    cltAabb box = toFloat( span( lower, upper ) );
    return cltCurve_Cell( &curve, &box, 0 );
}

TEST( Curve, CellsCoverTheBoundsAndClampBeyond )
{
    const float lower[3] = { -4, -4, -4 };
    const float upper[3] = { 4, 4, 4 };
    cltCurve curve = cltCurve_Make( lower, upper );
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
    const float most = std::numeric_limits<float>::max();
    const float lower[3] = { 0, 0, 0 };
    const float upper[3] = { most, most, most };
    cltCurve curve = cltCurve_Make( lower, upper );
    EXPECT_GE( cellOf( curve, double( most ), double( most ) ), lastCell - 1 );
    EXPECT_LE( cellOf( curve, 0, double( most ) ), 513u );
}

TEST( Curve, UselessBoundsMapEverythingToZero )
{
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float bounds[][2] = { { 1, 1 }, { 2, 1 }, { inf, -inf }, { -inf, inf }, { nan, 1 }, { 0, 1e-45f } };
    for ( const float* bound : bounds )
    {
        const float lower[3] = { bound[0], bound[0], bound[0] };
        const float upper[3] = { bound[1], bound[1], bound[1] };
        cltCurve curve = cltCurve_Make( lower, upper );
        for ( double where : { -1e30, 0.0, 1.0, 1e30 } )
        {
            cltAabb box = toFloat( span( where, where ) );
            EXPECT_EQ( 0u, cltCurve_Key( &curve, &box ) );
        }
    }
}
