// SPDX-License-Identifier: Zlib
/// \file curve.h Space-filling curves: Morton and Hilbert codes of a box's centre. Their order keeps neighbours
/// together.
///
///     bit of a code   29 28 27 26 .. 2  1  0
///     from            x9 y9 z9 x8 .. x0 y0 z0       Morton; for Hilbert, a table replaces each triple,
///                                                   depending on the triples to its left
#ifndef CLT_CORE_CURVE_H
#define CLT_CORE_CURVE_H

#include "bridge/cullet.h"
#include "gpu/core/callable.h"

#define CLT_CURVE_AXIS_BITS 10
#define CLT_CURVE_BITS ( 3 * CLT_CURVE_AXIS_BITS )

/// The region that codes cover. Centres outside are clamped to its border; that costs speed, but loses no pairs.
typedef struct cltCurve
{
    float lower[3];
    float cellsPerUnit[3]; ///< 0 on an axis of zero extent
} cltCurve;

/// The most cells of an axis's own 1024 in one cell.
#define CLT_CELL_LIMIT 32.0f

/// The cells per unit that divide an axis into 1024. 0 on an axis with an empty or infinite extent.
CLT_HD float cltCurve_FinestScale( float lower, float upper )
{
    const float extent = upper - lower;
    const float scale = (float)( 1 << CLT_CURVE_AXIS_BITS ) / extent;
    return extent > 0.0f && scale > 0.0f && scale < 3.0e38f ? scale : 0.0f;
}

/// A curve over the region from `lower` to `upper`. On an axis with an empty or infinite extent, every cell is 0.
///
/// The longest axis is divided into 1024 cells, and cells are cubes, so that runs of boxes are compact in a flat world,
/// too; with 1024 cells on each axis they would be as flat as the world. But if groups of boxes are far apart, all
/// boxes of a group would share a few cells. So there is a limit. Measured times of `wide`, relative to 1024 cells on
/// each axis: 1.1 with two groups 50 km apart, 0.4 in a world of 2,000 by 40 by 2 boxes.
CLT_HD cltCurve cltCurve_Make( const float lower[3], const float upper[3] )
{
    cltCurve curve;
    float least = 3.0e38f;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float finest = cltCurve_FinestScale( lower[axis], upper[axis] );
        curve.lower[axis] = finest > 0.0f ? lower[axis] : 0.0f;
        curve.cellsPerUnit[axis] = finest;
        least = finest > 0.0f && finest < least ? finest : least;
    }
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float fewest = curve.cellsPerUnit[axis] / CLT_CELL_LIMIT;
        const float cubic = least > fewest ? least : fewest;
        curve.cellsPerUnit[axis] = curve.cellsPerUnit[axis] > 0.0f ? cubic : 0.0f;
    }
    return curve;
}

/// The cell of a box's centre on one axis. The comparisons map NaN to 0, which a cast alone would not.
CLT_HD uint32_t cltCurve_Cell( const cltCurve* curve, const cltAabb* box, int axis )
{
    const float last = (float)( ( 1 << CLT_CURVE_AXIS_BITS ) - 1 );
    float center = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
    float cell = ( center - curve->lower[axis] ) * curve->cellsPerUnit[axis];
    cell = cell > 0.0f ? cell : 0.0f;
    cell = cell < last ? cell : last;
    return (uint32_t)cell;
}

/// Whether a box's centre lies in the region, so that its cell is not clamped.
CLT_HD bool cltCurve_Holds( const cltCurve* curve, const cltAabb* box )
{
    bool holds = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float center = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
        const float cell = ( center - curve->lower[axis] ) * curve->cellsPerUnit[axis];
        holds = holds && cell >= 0.0f && cell <= (float)( 1 << CLT_CURVE_AXIS_BITS );
    }
    return holds;
}

/// Moves bit i of a ten bit number to bit 3i.
CLT_HD uint32_t cltSpreadBits( uint32_t value )
{
    value = ( value | ( value << 16 ) ) & 0x030000ffu; // ......98 ........ ........ 76543210
    value = ( value | ( value << 8 ) ) & 0x0300f00fu;  // ......98 ........ 7654.... ....3210
    value = ( value | ( value << 4 ) ) & 0x030c30c3u;  // ......98 ....76.. ..54.... 32....10
    value = ( value | ( value << 2 ) ) & 0x09249249u;  // ....9..8 ..7..6.. 5..4..3. .2..1..0
    return value;
}

CLT_HD uint32_t cltMorton( uint32_t x, uint32_t y, uint32_t z )
{
    return ( cltSpreadBits( x ) << 2 ) | ( cltSpreadBits( y ) << 1 ) | cltSpreadBits( z );
}

/// Distance along the Hilbert curve. Consecutive Hilbert codes are adjacent cells, unlike Morton codes. So runs of
/// leaves are more compact, and searches visit fewer nodes.
///
/// The curve visits the eight octants of a cube in an order that depends on the cube's orientation, and gives each
/// octant an orientation of its own. There are 24 orientations. The table has an entry for each octant of a cube in
/// each orientation:
///
///     bit  7 .. 3                  2 .. 0
///          octant's orientation    position in the order of visits
///
/// The orientations are those of Skilling, Programming the Hilbert curve, 2004. The table needs less than half the
/// instructions of his bit transform.
CLT_HD uint32_t cltHilbert( uint32_t x, uint32_t y, uint32_t z )
{
    // clang-format off
    static const uint8_t octants[24 * 8] = {
        0x08, 0x11, 0x1b, 0x02, 0x27, 0x2e, 0x34, 0x05,
        0x38, 0x47, 0x49, 0x56, 0x5b, 0x14, 0x0a, 0x0d,
        0x30, 0x01, 0x67, 0x6e, 0x73, 0x12, 0x0c, 0x15,
        0x7e, 0x81, 0x1d, 0x1a, 0x4f, 0x50, 0x8c, 0x03,
        0x94, 0x2b, 0x25, 0x22, 0x7f, 0x80, 0x4e, 0x51,
        0x9c, 0x2d, 0x23, 0x2a, 0x1f, 0x06, 0xa0, 0x69,
        0x48, 0x57, 0x8b, 0x04, 0x39, 0x46, 0x32, 0x35,
        0x00, 0xab, 0x6f, 0x4c, 0x31, 0x3a, 0x66, 0x3d,
        0xb4, 0x8f, 0x53, 0xb8, 0x45, 0x36, 0x42, 0x61,
        0x10, 0x7b, 0x09, 0x4a, 0x2f, 0x3c, 0x26, 0x4d,
        0x84, 0x5f, 0x55, 0x0e, 0x43, 0x90, 0x52, 0x21,
        0x8e, 0x37, 0xb9, 0x60, 0x5d, 0x74, 0x5a, 0x0b,
        0xbc, 0x6b, 0xaf, 0xb0, 0x65, 0x62, 0x3e, 0x41,
        0xa4, 0x6d, 0x77, 0x16, 0x63, 0x6a, 0x98, 0x29,
        0xae, 0xb1, 0x3f, 0x40, 0x75, 0x72, 0x5c, 0x13,
        0x1e, 0x7d, 0xa1, 0x7a, 0x07, 0xac, 0x68, 0x4b,
        0x82, 0x19, 0x85, 0xa6, 0xb3, 0x88, 0x54, 0xbf,
        0x5e, 0x0f, 0x8d, 0x1c, 0x91, 0x20, 0x8a, 0x33,
        0x92, 0x9b, 0x95, 0x24, 0x89, 0x18, 0xbe, 0xa7,
        0x9a, 0x9d, 0x93, 0x2c, 0xa9, 0xb6, 0x78, 0x87,
        0xa2, 0xa5, 0x79, 0x86, 0xbb, 0x6c, 0xa8, 0xb7,
        0x76, 0xad, 0x17, 0x7c, 0x99, 0xaa, 0x28, 0x3b,
        0xb2, 0x71, 0x83, 0x58, 0xb5, 0x9e, 0x44, 0x97,
        0xba, 0xa3, 0x59, 0x70, 0xbd, 0x64, 0x96, 0x9f
    };
    // clang-format on
    const uint32_t morton = cltMorton( x, y, z ); // one octant per level, from the top
    uint32_t code = 0;
    uint32_t entry = 0;
    for ( int shift = CLT_CURVE_BITS - 3; shift >= 0; shift -= 3 )
    {
        entry = octants[( entry & 0xf8u ) | ( ( morton >> shift ) & 7u )];
        code = ( code << 3 ) | ( entry & 7u );
    }
    return code;
}

/// The code of a box; leaves are sorted by it.
CLT_HD uint32_t cltCurve_Key( const cltCurve* curve, const cltAabb* box )
{
    return cltHilbert( cltCurve_Cell( curve, box, 0 ), cltCurve_Cell( curve, box, 1 ), cltCurve_Cell( curve, box, 2 ) );
}

#endif
