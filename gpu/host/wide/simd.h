// SPDX-License-Identifier: Zlib
/// \file simd.h
/// Operations on vectors of CLT_WIDTH floats. CLT_WIDTH divides CLT_LANE_COUNT and depends on the instruction set of
/// this translation unit. Code that uses these operations is compiled once for each instruction set. All sets give the
/// same bytes: pairs are decided by comparisons, minima and maxima, which do not round. (Sums and differences only
/// measure how far bodies moved, and are rounded alike.)
///
/// Minima and maxima return the second argument if either argument is a NaN. So a running bound that is the second
/// argument ignores lanes without a box.
#ifndef CLT_HOST_SIMD_H
#define CLT_HOST_SIMD_H

#include "bridge/cullet_bits.h"
#include "gpu/core/box_lanes.h"

#if defined( CLT_SIMD_PLAIN )
#include "gpu/host/wide/simd_plain.h"
#elif defined( __AVX512F__ )
#include "gpu/host/wide/simd_avx512.h"
#elif defined( __AVX2__ )
#include "gpu/host/wide/simd_avx2.h"
#elif defined( __SSE2__ )
#include "gpu/host/wide/simd_sse2.h"
#elif defined( __ARM_NEON ) && defined( __aarch64__ )
#include "gpu/host/wide/simd_neon.h"
#else
#include "gpu/host/wide/simd_plain.h"
#endif

/// Searches are specialised for each cltWideFind. The compiler must inline them, to see the cltWideFind as a constant
/// and to keep the searching boxes in registers. With sanitizers that takes it ten times as long, for slow code.
#if defined( CLT_SANITIZED )
#define CLT_SPECIALIZED static inline
#else
#define CLT_SPECIALIZED static CLT_ALWAYS_INLINE
#endif

#define CLT_ALL_LANES ( ( 1u << CLT_LANE_COUNT ) - 1u )

/// The number of vectors in a row of a block.
#define CLT_BLOCK_VECTORS ( CLT_LANE_COUNT / CLT_WIDTH )

#if !defined( CLT_HAS_LANES_LIST )

/// Writes first + i for every bit i of `lanes`, ascending, and returns the number of entries written. `to` must have
/// space for CLT_LANE_COUNT entries.
static inline uint32_t cltLanes_List( uint32_t* to, uint32_t first, uint32_t lanes )
{
    uint32_t count = 0;
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        to[count++] = first + cltLowestBit( lanes );
    }
    return count;
}

#endif

#if !defined( CLT_HAS_LANES_PICK )

/// Writes from[i] for every bit i of `lanes`, ascending, with bit i of `before` as bit 30 and bit i of `now` as bit 31.
/// Returns the number of entries written. `to` must have space for CLT_LANE_COUNT entries.
static inline uint32_t cltLanes_Pick( uint32_t* to, const uint32_t* from, uint32_t lanes, uint32_t before,
                                      uint32_t now )
{
    uint32_t count = 0;
    for ( ; lanes != 0; lanes &= lanes - 1u )
    {
        const uint32_t i = cltLowestBit( lanes );
        to[count++] = from[i] | ( before >> i & 1u ) << 30 | ( now >> i & 1u ) << 31;
    }
    return count;
}

#endif

/// The coordinates of CLT_WIDTH boxes, a vector for each coordinate: lower x, y, z, upper x, y, z.
typedef struct cltBoxes
{
    cltFloats rows[6];
} cltBoxes;

/// The rows of a block, lower x, y, z, upper x, y, z, each of CLT_LANE_COUNT floats.
static inline const float* cltRow( const cltBoxLanes* block, int row )
{
    return row < 3 ? block->lower[row] : block->upper[row - 3];
}

/// The boxes of vector `part` of a block.
static inline cltBoxes cltBoxes_Load( const cltBoxLanes* block, uint32_t part )
{
    cltBoxes boxes;
    for ( int row = 0; row < 6; ++row )
    {
        boxes.rows[row] = cltFloats_Load( cltRow( block, row ) + part * CLT_WIDTH );
    }
    return boxes;
}

#if !defined( CLT_MEETS_INTERVAL )

/// By lane, whether the interval from `lowers` to `uppers` meets the interval from `lower` to `upper`.
static inline cltFlags cltFloats_Meet( cltFloats lowers, cltFloats uppers, cltFloats lower, cltFloats upper )
{
    return cltFlags_And( cltFloats_LessEqual( lowers, upper ), cltFloats_GreaterEqual( uppers, lower ) );
}

#endif

/// The closed overlap test of cltAabb_Overlaps, for all lanes against one box with coordinates `stride` floats apart.
CLT_SPECIALIZED cltFlags cltBoxes_Overlap( const cltBoxes* boxes, const float* box, size_t stride )
{
    cltFlags meet[3];
    for ( size_t axis = 0; axis < 3; ++axis )
    {
        meet[axis] = cltFloats_Meet( boxes->rows[axis], boxes->rows[3 + axis], cltFloats_Splat( box[axis * stride] ),
                                     cltFloats_Splat( box[( 3 + axis ) * stride] ) );
    }
    return cltFlags_And( cltFlags_And( meet[0], meet[1] ), meet[2] );
}

#if !defined( CLT_HAS_PREVIOUS_BOXES )

/// The previous boxes of the searching block. By default they are held as cltBoxes, as the current boxes of the block
/// are. With AVX-512 they are held as half vectors, to be tested by other units than the current boxes (simd_avx512.h).
typedef struct cltPreviousBoxes
{
    cltBoxes parts[CLT_BLOCK_VECTORS];
} cltPreviousBoxes;

static inline cltPreviousBoxes cltPreviousBoxes_Load( const cltBoxLanes* block )
{
    cltPreviousBoxes boxes;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        boxes.parts[part] = cltBoxes_Load( block, part );
    }
    return boxes;
}

/// The lanes that overlap one box with coordinates `stride` floats apart, as bits.
CLT_SPECIALIZED uint32_t cltPreviousBoxes_Overlap( const cltPreviousBoxes* boxes, const float* box, size_t stride )
{
    uint32_t hits = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        hits |= cltFlags_Bits( cltBoxes_Overlap( boxes->parts + part, box, stride ) ) << ( part * CLT_WIDTH );
    }
    return hits;
}

#endif

/// The lanes of a whole block that overlap a box, as bits.
CLT_SPECIALIZED uint32_t cltBlock_Overlap( const cltBoxLanes* block, const cltAabb* box )
{
    uint32_t hits = 0;
    for ( uint32_t part = 0; part < CLT_BLOCK_VECTORS; ++part )
    {
        const cltBoxes boxes = cltBoxes_Load( block, part );
        hits |= cltFlags_Bits( cltBoxes_Overlap( &boxes, box->lower, 1 ) ) << ( part * CLT_WIDTH );
    }
    return hits;
}

#endif
