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
#include "gpu/host/pair_sink.h"
#include "gpu/host/queries/box_tree.h"
#include "gpu/host/reference/leaf_survey.h"

#define CLT_ASIDE_BLOCKS ( CLT_ASIDE_LIMIT / CLT_LANE_COUNT )

/// What a search looks for.
typedef enum cltWideFind
{
    clt_wideChanges,  ///< pairs whose boxes overlap either now or before
    clt_wideTouching, ///< pairs whose boxes overlap now or before or both: filters or double boxes decide
    clt_widePairs     ///< pairs whose boxes overlap now
} cltWideFind;

/// Found lanes are numbers below 2^30 with two flags above.
#define CLT_WIDE_IS 0x80000000u
#define CLT_WIDE_WAS 0x40000000u

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

    const cltFilter* filters;       ///< by slot; NULL: everything may pair
    const cltFilter* filtersBefore; ///< by slot, as of the last update
    const cltAabbD* exactNow;       ///< by slot; NULL: the boxes in the blocks are the true ones
    const cltAabbD* exactBefore;    ///< by slot; only of those with CLT_SLOT_CHANGED
    const uint8_t* states;          ///< by slot; read where there are exact boxes
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

/// A body that jumped and kept a pair has it twice, ended where it was and begun where it is: takes both out of keys in
/// canonical order. Returns how many keys are left.
size_t cltWide_CancelOut( uint64_t* keys, size_t count, uint32_t slotBits );

#endif
