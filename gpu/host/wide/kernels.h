// SPDX-License-Identifier: Zlib
/// \file kernels.h
/// The hot loops of `wide`, once for each instruction set: gpu/host/wide/kernels_body.h holds them.
///
/// A lane is a place for one box in a block of CLT_LANE_COUNT. Lanes are numbered through: the blocks of bodies set aside
/// come first, then those under the tree.
///
///     block    0 .. CLT_ASIDE_BLOCKS - 1    CLT_ASIDE_BLOCKS ..  ordered  ..     .. blockCount - 1
///              set aside                    in the order of the curve            strays, since the last sort
#ifndef CLT_HOST_WIDE_KERNELS_H
#define CLT_HOST_WIDE_KERNELS_H

#include "gpu/core/box_lanes.h"
#include "gpu/core/leaf.h"
#include "gpu/host/host_algorithm.h"
#include "gpu/host/queries/box_tree.h"
#include "gpu/host/scene_statistics.h"

#define CLT_ASIDE_BLOCKS ( CLT_OUTLIER_LIMIT / CLT_LANE_COUNT )

/// What a search looks for.
typedef enum cltWideFind
{
    clt_wideChanges,  ///< pairs whose boxes overlap either now or before
    clt_wideTouching, ///< pairs whose boxes overlap now or before or both: filters or double boxes decide
    clt_widePairs     ///< pairs whose boxes overlap now
} cltWideFind;

/// Found lanes are numbers below 2^30, with what the lanes' boxes say became of the pair above (gpu/core/pair_change.h).
#define CLT_FOUND_SHIFT 30u
#define CLT_WIDE_IS ( (uint32_t)CLT_PAIR_BEGAN << CLT_FOUND_SHIFT )
#define CLT_WIDE_WAS ( (uint32_t)CLT_PAIR_ENDED << CLT_FOUND_SHIFT )

/// All that a search reads.
typedef struct cltWideSearch
{
    const cltBoxLanes* now;    ///< by block; NaN in lanes without a box
    const cltBoxLanes* before; ///< by block
    const uint16_t* movers;    ///< by block, the lanes that search on their own, as bits
    const cltLeafRef* refs;    ///< by lane
    const cltBoxTree* tree;    ///< over blocks CLT_ASIDE_BLOCKS and on; its bounds are around both boxes
    uint32_t asideBlockCount;  ///< blocks in use in front of the tree's
    uint32_t orderedEnd;       ///< one past the last block in the order of the curve
    uint32_t blockCount;
    bool onlyMoversDiffer; ///< lanes that are no movers have the same box now and before
    cltWideFind find;

    const cltScene* scene; ///< filters, and where boxes are double the true ones
    uint32_t slotBits;
    cltPairSink* sink;
} cltWideSearch;

typedef struct cltWideKernels
{
    cltSimd simd;

    /// The box around the boxes of a block and, unless it is NULL, those of another.
    cltAabb ( *bound )( const cltBoxLanes* now, const cltBoxLanes* before );

    /// Makes the present boxes the previous ones, too. Returns the lanes without a box, as bits.
    uint32_t ( *settle )( const cltBoxLanes* now, cltBoxLanes* before );

    /// The lanes whose box jumped (cltJumped), or is now larger than `largest`, as bits.
    uint32_t ( *findStrays )( const cltBoxLanes* now, const cltBoxLanes* before, float largest );

    /// Each block of [first, last) with itself and those after it: ordered ones up to orderedEnd, or those set aside.
    void ( *searchBlocks )( const cltWideSearch* search, uint32_t first, uint32_t last );

    /// The movers of the listed blocks with everything; of two movers the one in the lower lane finds the other.
    void ( *searchMovers )( const cltWideSearch* search, const uint32_t* blocks, uint32_t count );
} cltWideKernels;

/// The kernels of an instruction set, or of the best one that this processor has for clt_simdAuto. NULL: it lacks it.
const cltWideKernels* cltWideKernels_Get( cltSimd simd );

/// Turns found lanes into keys. `found` lanes carry flags, `of` lanes do not.
void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     cltPairBlock* keys );

#endif
