// SPDX-License-Identifier: Zlib
/// \file kernels.h
/// What a search reads, and the hot loops of `wide`, once for each instruction set: kernels_body.h holds them.
#ifndef CLT_HOST_WIDE_KERNELS_H
#define CLT_HOST_WIDE_KERNELS_H

#include "gpu/core/leaf.h"
#include "gpu/host/box_tree.h"
#include "gpu/host/host_algorithm.h"
#include "gpu/host/wide/blocks.h"
#include "gpu/host/wide/filters.h"
#include "gpu/rest/rest.h"

/// What a search looks for.
typedef enum cltWideFind
{
    clt_wideChanges,  ///< pairs of which either the current or the previous boxes overlap, not both
    clt_wideTouching, ///< pairs of overlapping current or previous boxes: filters or double boxes decide
    clt_widePairs,    ///< pairs of overlapping current boxes
    clt_wideMeasure   ///< no pairs: how far the movers may move before a pair changes (gpu/rest/rest.h)
} cltWideFind;

/// All that a search reads.
typedef struct cltWideSearch
{
    const cltBoxLanes* current;     ///< by block; NaN in lanes without a box
    const cltBoxLanes* previous;    ///< by block
    const uint16_t* movers;         ///< by block, the lanes that search on their own, as bits
    const cltLeafRef* refs;         ///< by lane
    const cltBoxTree* tree;         ///< over all blocks but those of outliers; its bounds are around both boxes
    cltFilterLanes* const* filters; ///< of the nodes, by level from 1 on; NULL if all filters accept all pairs
    const cltBlockFilter* blockFilters;
    uint32_t outlierBlockCount; ///< blocks of outliers in use
    uint32_t orderedEnd;        ///< one past the last block in the order of the curve
    uint32_t blockCount;
    bool onlyMoversDiffer; ///< all other lanes have equal current and previous boxes
    bool boxesDecide;      ///< boxes in lanes are exact, and no filter changed
    cltWideFind find;

    cltRest* rest; ///< with clt_wideMeasure: takes what is measured

    const cltSearchInput* input; ///< filters, and where boxes are double the true ones
    uint32_t slotBits;
    cltPairSink* sink;
} cltWideSearch;

typedef struct cltWideKernels
{
    cltSimd simd;

    /// The box around the boxes of a block and, unless it is NULL, those of another.
    cltBoundFcn* bound;

    /// Copies the current boxes to the previous ones. Returns the lanes without a box, as bits.
    uint32_t ( *settle )( const cltBoxLanes* now, cltBoxLanes* before );

    /// Lanes with a large displacement (cltIsLargeDisplacement), or with a current box larger than `largest`, as bits.
    /// \param[out] bounds  the box around both boxes of all lanes
    uint32_t ( *findUnsorted )( const cltBoxLanes* now, const cltBoxLanes* before, float largest, cltAabb* bounds );

    /// Each block of [first, last) with itself and those after it: ordered ones up to orderedEnd, or outliers.
    /// \return false if there was no room for all that was found
    bool ( *searchBlocks )( const cltWideSearch* search, uint32_t first, uint32_t last );

    /// The movers of the listed blocks with everything; of two movers the one in the lower lane finds the other.
    /// \return false if there was no room for all that was found
    bool ( *searchMovers )( const cltWideSearch* search, const uint32_t* blocks, uint32_t count );

    /// Lanes with different current and previous boxes, as bits.
    uint32_t ( *findMoved )( const cltBoxLanes* now, const cltBoxLanes* before );

    /// Measures the movers of the listed blocks.
    void ( *measureMovers )( const cltWideSearch* search, const uint32_t* blocks, uint32_t count );

    /// For queries: the lanes that overlap a cltAabb, and those that a ray meets as a cltSlabs says it.
    cltLanesFcn* meetBox;
    cltLanesFcn* meetRay;
} cltWideKernels;

extern const cltWideKernels cltWideKernels_Plain, cltWideKernels_Sse2, cltWideKernels_Avx2, cltWideKernels_Avx512,
    cltWideKernels_Neon; ///< those that this processor's family has

/// The kernels of an instruction set, or of the best one that this processor has for clt_simdAuto. NULL: it lacks it.
const cltWideKernels* cltWideKernels_Get( cltSimd simd );

/// From lanes that met to keys of pairs (report.c): puts what is looked for into `keys`. Body `of[i]` met `found[i]`:
///
///              bit  31 .. 30                            29 .. 0
///     of            change, as the lanes' boxes say     slot
///     found         1: their filters decide, too        slot
///
/// \param boxesDecide  only these filters are asked, equal for both states; else filters or exact boxes
///                     decide whether lanes that met now or before were a pair
void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     bool boxesDecide, cltPairBlock* keys );

#define CLT_FOUND_SHIFT 30u
#define CLT_FOUND_SLOT ( ( 1u << CLT_FOUND_SHIFT ) - 1u )

#endif
