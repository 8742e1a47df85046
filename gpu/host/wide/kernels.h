// SPDX-License-Identifier: Zlib
/// \file kernels.h
/// The input of a search, and the hot loops of `wide`, compiled once for each instruction set (kernels_body.h).
#ifndef CLT_HOST_WIDE_KERNELS_H
#define CLT_HOST_WIDE_KERNELS_H

#include "gpu/core/leaf.h"
#include "gpu/host/box_tree.h"
#include "gpu/host/host_algorithm.h"
#include "gpu/host/wide/blocks.h"
#include "gpu/host/wide/filters.h"
#include "gpu/rest/rest.h"

// The instruction sets that this compiler has kernels for, besides plain C.
#if defined( CLT_NO_SIMD )
#elif defined( __EMSCRIPTEN__ )
#define CLT_HAS_SSE2_KERNELS
#elif defined( __x86_64__ ) && defined( __GNUC__ )
#define CLT_HAS_SSE2_KERNELS
#define CLT_HAS_AVX_KERNELS
#elif defined( __aarch64__ ) && defined( __GNUC__ )
#define CLT_HAS_NEON_KERNELS
#endif

/// What a search looks for.
typedef enum cltWideFind
{
    clt_wideChanges,  ///< pairs with overlapping current or overlapping previous boxes, but not both
    clt_wideTouching, ///< pairs with overlapping current or previous boxes, or both; cltWide_Report tests them further
    clt_widePairs,    ///< pairs of overlapping current boxes
    clt_wideMeasure   ///< no pairs, but how far the movers may move before a pair changes (gpu/rest/rest.h)
} cltWideFind;

/// All that a search reads.
typedef struct cltWideSearch
{
    const cltBoxLanes* current;     ///< by block; NaN in lanes without a box
    const cltBoxLanes* previous;    ///< by block
    const uint16_t* movers;         ///< by block, the lanes that are movers (movers.h), as bits
    const cltLeafRef* refs;         ///< by lane
    const cltBoxTree* tree;         ///< over all blocks but those of outliers; bounds current and previous boxes
    cltFilterLanes* const* filters; ///< filters of nodes, by level from 1 on; NULL if all filters accept all pairs
    const cltBlockFilter* blockFilters;
    uint32_t outlierBlockCount; ///< blocks of outliers in use
    uint32_t orderedEnd;        ///< one past the last block in the order of the curve
    uint32_t blockCount;
    bool onlyMoversDiffer; ///< all other lanes have equal current and previous boxes
    bool boxesDecide;      ///< boxes in lanes are exact, and no filter changed
    cltWideFind find;

    cltRest* rest; ///< gets rest boxes and near pairs, with clt_wideMeasure only

    const cltSearchInput* input; ///< has the filters and, if boxes are double, the exact boxes
    uint32_t slotBits;
    cltPairSink* sink;
} cltWideSearch;

typedef struct cltWideKernels
{
    cltSimd simd;

    /// The box around the boxes of `block` and, unless `other` is NULL, those of `other`.
    cltBoundFcn* bound;

    /// Copies the current boxes to the previous ones. Returns the lanes without a box, as bits.
    uint32_t ( *copyCurrentToPrevious )( const cltBoxLanes* now, cltBoxLanes* before );

    /// Lanes with a large displacement (cltIsLargeDisplacement), or with a current box larger than `largest`, as bits.
    /// \param[out] bounds  the box around both boxes of all lanes
    uint32_t ( *findUnsorted )( const cltBoxLanes* now, const cltBoxLanes* before, float largest, cltAabb* bounds );

    /// Searches each block of [first, last): its lanes against each other, later blocks and outliers (SearchBlock).
    /// \return false if some keys did not fit into the sink
    bool ( *searchBlocks )( const cltWideSearch* search, uint32_t first, uint32_t last );

    /// Searches the movers of the listed blocks against all lanes; the lower of two movers finds their pair.
    /// \return false if some keys did not fit into the sink
    bool ( *searchMovers )( const cltWideSearch* search, const uint32_t* blocks, uint32_t count );

    /// Lanes with different current and previous boxes, as bits.
    uint32_t ( *findMoved )( const cltBoxLanes* now, const cltBoxLanes* before );

    /// Sets rest boxes and gaps of the movers of the listed blocks, and adds their near pairs (measure.h).
    void ( *measureMovers )( const cltWideSearch* search, const uint32_t* blocks, uint32_t count );

    cltMeetBlocksFcn* meetBlocks; ///< for the pair matrix

    /// For queries: the lanes that overlap a cltAabb, and the lanes that the ray of a cltSlabs meets.
    cltLanesFcn* meetBox;
    cltLanesFcn* meetRay;
} cltWideKernels;

extern const cltWideKernels cltWideKernels_Plain, cltWideKernels_Sse2, cltWideKernels_Avx2, cltWideKernels_Avx512,
    cltWideKernels_Neon; ///< those of other processors are not defined

/// The kernels of an instruction set; clt_simdAuto is the best one of this processor. NULL if the processor lacks it.
const cltWideKernels* cltWideKernels_Get( cltSimd simd );

/// Turns hits into keys of pairs and adds them to `keys` (report.c). Hit i pairs the bodies in `of[i]` and `found[i]`:
///
///              bit  31 .. 30                            29 .. 0
///     of[i]         change, by the boxes in lanes       slot
///     found[i]      1: filters must be tested           slot
///
/// \param boxesDecide  boxes in lanes are exact, and no filter changed. Otherwise double boxes are tested, and the
///                     previous filters besides the current ones
void cltWide_Report( const cltWideSearch* search, const uint32_t* of, const uint32_t* found, uint32_t count,
                     bool boxesDecide, cltPairBlock* keys );

#define CLT_HIT_SLOT_BITS 30u
#define CLT_HIT_SLOT_MASK ( ( 1u << CLT_HIT_SLOT_BITS ) - 1u )

#endif
