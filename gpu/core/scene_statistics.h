// SPDX-License-Identifier: Zlib
/// \file scene_statistics.h Scene statistics, computed before leaves are made: how many bodies there are of each size,
/// which sizes are outliers, and the region that contains nearly all bodies. Nothing depends on the order in which
/// bodies are visited, so that every device and thread count gets the same keys.
#ifndef CLT_CORE_SCENE_STATISTICS_H
#define CLT_CORE_SCENE_STATISTICS_H

#include "gpu/core/grid.h"

/// The number of size bins. A box's bin is the exponent of its longest edge: the 8 bits below the float's sign bit.
#define CLT_SIZE_BIN_COUNT 256u

/// The bin of boxes that have no size because they are infinite or inverted.
#define CLT_NO_SIZE_BIN 255u

/// The largest number of outliers, because each is tested against everything. If more boxes are large or have no size,
/// only those in the highest bins are outliers. The others go into the tree, or make the grid's cells wider.
#define CLT_OUTLIER_LIMIT 32u

/// Outliers are at least 2^5 times the median size. Below that, the tree handles a box faster than a linear pass.
#define CLT_OUTLIER_BINS_ABOVE_MEDIAN 5u

/// With a grid, outliers are at least 2^2 times the median size, because cells are as wide as the largest other box.
#define CLT_GRID_BINS_ABOVE_MEDIAN 2u

/// The leaves of one bin.
typedef struct cltSizeBin
{
    uint32_t count;
    uint32_t longestBits; ///< the longest edge, as the bits of a float
    float lower[3];       ///< bounds of the centres
    float upper[3];
} cltSizeBin;

/// The longest edge of a box that has a size. A box from 0 to -0 has an edge of -0; adding 0 makes its bits those of 0.
CLT_HD uint32_t cltLongestEdgeBits( const cltAabb* box )
{
    return cltBitsOfFloat( cltAabb_LongestEdge( box ) + 0.0f );
}

/// The bin of a box's size.
CLT_HD uint32_t cltSizeBin_Of( const cltAabb* box )
{
    bool sized = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        // false for inverted and infinite boxes, and for the NaN of a box that is wholly at infinity
        const float edge = box->upper[axis] - box->lower[axis];
        sized = sized && edge >= 0.0f && edge <= CLT_LARGEST_FLOAT;
    }
    return sized ? cltLongestEdgeBits( box ) >> 23 : CLT_NO_SIZE_BIN;
}

CLT_HD float cltAabb_Center( const cltAabb* box, int axis )
{
    return 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
}

CLT_HD void cltSizeBin_Clear( cltSizeBin* bin )
{
    bin->count = 0;
    bin->longestBits = 0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bin->lower[axis] = CLT_LARGEST_FLOAT;
        bin->upper[axis] = -CLT_LARGEST_FLOAT;
    }
}

CLT_HD void cltSizeBin_Merge( cltSizeBin* bin, const cltSizeBin* other )
{
    bin->count += other->count;
    bin->longestBits = other->longestBits > bin->longestBits ? other->longestBits : bin->longestBits;
    for ( int axis = 0; axis < 3; ++axis )
    {
        bin->lower[axis] = other->lower[axis] < bin->lower[axis] ? other->lower[axis] : bin->lower[axis];
        bin->upper[axis] = other->upper[axis] > bin->upper[axis] ? other->upper[axis] : bin->upper[axis];
    }
}

CLT_HD void cltSizeBin_Add( cltSizeBin* bin, const cltAabb* box )
{
    const uint32_t longestBits = cltLongestEdgeBits( box );
    bin->longestBits = longestBits > bin->longestBits ? longestBits : bin->longestBits;
    ++bin->count;
    for ( int axis = 0; axis < 3; ++axis )
    {
        const float center = cltAabb_Center( box, axis );
        bin->lower[axis] = center < bin->lower[axis] ? center : bin->lower[axis];
        bin->upper[axis] = center > bin->upper[axis] ? center : bin->upper[axis];
    }
}

/// The lowest bin of outliers: at least `binsAboveMedian` above the median's bin, with at most CLT_OUTLIER_LIMIT leaves
/// in it and above. Found by binary search, because on a device one thread does it while all others wait.
/// \param sums             by bin, the number of leaves in it and below
/// \param binsAboveMedian  the smallest distance from the median's bin
CLT_HD uint32_t cltOutlierBin( const uint32_t sums[CLT_SIZE_BIN_COUNT], uint32_t binsAboveMedian )
{
    const uint64_t total = sums[CLT_SIZE_BIN_COUNT - 1u];
    uint32_t median = 0; // the first bin with at least half of all sizes in it and below
    for ( uint32_t end = CLT_NO_SIZE_BIN; median < end; )
    {
        const uint32_t middle = ( median + end ) / 2u;
        const bool reaches = 2u * (uint64_t)sums[middle] >= sums[CLT_NO_SIZE_BIN - 1u];
        median = reaches ? median : middle + 1u;
        end = reaches ? middle : end;
    }
    uint32_t bin = median + binsAboveMedian;
    bin = bin < CLT_NO_SIZE_BIN ? bin : CLT_NO_SIZE_BIN;
    for ( uint32_t end = CLT_SIZE_BIN_COUNT; bin < end; ) // the first bin from there on with few leaves in it and above
    {
        const uint32_t middle = ( bin + end ) / 2u;
        const bool few = total - sums[middle - 1u] <= CLT_OUTLIER_LIMIT;
        bin = few ? bin : middle + 1u;
        end = few ? middle : end;
    }
    return bin;
}

// --------------------------------------------------------------------------------------------------------- region

// The region that the curve's codes and the grid's cells cover. A single body that fell out of the world would stretch
// plain bounds until all others share a few cells, and the search would become quadratic. So a sample of centres
// decides, axis by axis. Its inner 15/16, widened by an eighth on both sides, contain every body of an evenly filled
// region.

/// Number of centres in the sample.
#define CLT_SAMPLE_SIZE 256u

/// The distance between sampled slots.
CLT_HD uint32_t cltSample_Stride( uint32_t slotCount )
{
    return slotCount / CLT_SAMPLE_SIZE + 1u;
}

/// The box that a slot adds to the sample. \return false if the slot has no box, or is an outlier
CLT_HD bool cltSample_Box( const cltSlots* slots, uint32_t slot, uint32_t outlierBin, cltAabb* box )
{
    cltLeafSeed seeds[2];
    if ( cltSlots_Seed( slots, slot, seeds ) == 0u )
    {
        return false;
    }
    *box = seeds[0].box;
    const uint32_t bin = cltSizeBin_Of( box );
    return bin < outlierBin && bin != CLT_NO_SIZE_BIN;
}

/// The rank, among the sorted sample centres, of the centre at which the unwidened region begins. The region ends at
/// the centre of rank cltSample_HighRank.
CLT_HD uint32_t cltSample_LowRank( uint32_t sampleCount )
{
    return sampleCount / 32u;
}

CLT_HD uint32_t cltSample_HighRank( uint32_t sampleCount )
{
    return sampleCount - 1u - sampleCount / 32u;
}

/// The region along an axis: [low, high], widened by an eighth on both sides. \return false if empty or beyond float
CLT_HD bool cltRegion_Widen( float low, float high, float* lower, float* upper )
{
    const float margin = ( high - low ) / 8.0f;
    *lower = low - margin;
    *upper = high + margin;
    return margin > 0.0f && margin <= CLT_LARGEST_FLOAT;
}

/// Where a leaf lies relative to the region, which an earlier update may have computed.
enum
{
    CLT_PLACE_INSIDE = 0,  ///< inside; also any leaf without a size, because no other region would contain it
    CLT_PLACE_BORDER = 1,  ///< outside: clamped to the border
    CLT_PLACE_OUTLIER = 2, ///< an outlier
    CLT_PLACE_COUNT = 3
};

CLT_HD uint32_t cltRegion_PlaceOf( const cltCurve* curve, const cltAabb* box, uint32_t outlierBin )
{
    const uint32_t bin = cltSizeBin_Of( box );
    if ( bin >= outlierBin )
    {
        return CLT_PLACE_OUTLIER;
    }
    return bin == CLT_NO_SIZE_BIN || cltCurve_Holds( curve, box ) ? CLT_PLACE_INSIDE : CLT_PLACE_BORDER;
}

// ----------------------------------------------------------------------------------------------------------- keys

/// The code of an outlier; sorts after all others.
#define CLT_OUTLIER_CODE ( 1u << CLT_CURVE_BITS )

/// The sort key of a leaf: the code in the upper half, the reference in the lower. Unlike the order of `wide`, the key
/// does not contain the group: a walk would descend once for each group that it may pair with. Measured on a processor:
/// with groups in the key, the search takes as long as without if two groups pair only with each other, 1.25 times as
/// long with mostly static bodies, 2.5 times with eight groups.
/// \param grid  the grid that numbers the cells; NULL to use the curve's codes
CLT_HD uint64_t cltLeafSeed_Key( const cltLeafSeed* seed, uint32_t slot, const cltCurve* curve, const cltGrid* grid,
                                 uint32_t outlierBin )
{
    const cltLeafRef ref = cltLeafRef_Make( slot, seed->kind );
    if ( cltSizeBin_Of( &seed->box ) >= outlierBin )
    {
        return ( (uint64_t)CLT_OUTLIER_CODE << 32 ) | CLT_LEAF_OUTLIER | ref;
    }
    const uint32_t code = grid != NULL ? cltGrid_CellOf( grid, &seed->box ) : cltCurve_Key( curve, &seed->box );
    return ( (uint64_t)code << 32 ) | ref;
}

/// Step: writes the keys of a slot's leaves from index `start` on. Keys beyond `room` are dropped.
CLT_HD void cltSlots_WriteKeysStep( const cltSlots* slots, uint32_t slot, const cltCurve* curve, const cltGrid* grid,
                                    uint32_t outlierBin, uint64_t* keys, uint32_t start, uint32_t room )
{
    cltLeafSeed seeds[2];
    const uint32_t count = cltSlots_Seed( slots, slot, seeds );
    if ( count > 0u && start < room )
    {
        keys[start] = cltLeafSeed_Key( &seeds[0], slot, curve, grid, outlierBin );
    }
    if ( count > 1u && start + 1u < room )
    {
        keys[start + 1u] = cltLeafSeed_Key( &seeds[1], slot, curve, grid, outlierBin );
    }
}

/// Step: writes leaf i of the sorted keys, with its boxes.
CLT_HD void cltLeaves_GatherStep( const cltLeaves* leaves, uint32_t i, const uint64_t* keys, const cltSlots* slots )
{
    cltLeaves_Set( leaves, i, (cltLeafRef)keys[i], slots );
}

/// The key of a slot that gets one leaf, however far its body moved; cltLeaves_RegatherStep sets the leaf's kind. The
/// code is that of the current box, or of the previous box if the body disappeared. CLT_NO_KEY if the slot has no box.
/// \param[out] place  a CLT_PLACE_* value; not set if the slot has no box
CLT_HD uint64_t cltSlots_SingleLeafKey( const cltSlots* slots, uint32_t slot, const cltCurve* curve,
                                        uint32_t outlierBin, uint32_t* place )
{
    cltLeafSeed seeds[2];
    if ( cltSlots_Seed( slots, slot, seeds ) == 0u )
    {
        return CLT_NO_KEY;
    }
    seeds[0].kind = CLT_LEAF_STILL;
    *place = cltRegion_PlaceOf( curve, &seeds[0].box, outlierBin );
    return cltLeafSeed_Key( &seeds[0], slot, curve, NULL, outlierBin );
}

/// Step: updates leaf i in a kept order, for an update in which no body appears.
/// A leaf is an outlier in this update if it was one, if its box has become too large for the tree, or if its body had
/// a large displacement: a kept order has one leaf for a body, and boxes in two places would enlarge all nodes above.
/// A leaf has no boxes if its body was removed, or if it was the second leaf of a body when keys were made.
/// \return whether the leaf is an outlier or has no boxes; no tree holds it then
CLT_HD bool cltLeaves_RegatherStep( const cltLeaves* leaves, uint32_t i, uint64_t key, uint32_t outlierBin,
                                    const cltSlots* slots )
{
    const cltLeafRef ref = (cltLeafRef)key;
    const uint32_t slot = cltLeafRef_Slot( ref );
    cltLeafSeed seeds[2];
    uint32_t count = cltSlots_Seed( slots, slot, seeds );
    if ( cltLeafRef_Kind( ref ) == CLT_LEAF_PREVIOUS ) // the second leaf of a body, or the leaf of one that disappeared
    {
        count = 0;
    }
    if ( count == 0u )
    {
        cltLeaves_Hide( leaves, i, cltLeafRef_Make( slot, CLT_LEAF_STILL ) | CLT_LEAF_OUTLIER );
        return false;
    }
    const bool jumped = count > 1u;
    const bool isOutlier = jumped || ( ref & CLT_LEAF_OUTLIER ) != 0 || cltSizeBin_Of( &seeds[0].box ) >= outlierBin;
    const uint32_t kind = jumped ? (uint32_t)CLT_LEAF_MOVED : seeds[0].kind;
    cltLeaves_Set( leaves, i, cltLeafRef_Make( slot, kind ) | ( isOutlier ? CLT_LEAF_OUTLIER : 0u ), slots );
    return isOutlier;
}

// --------------------------------------------------------------------------------------------------------- growth

// A kept order degrades as bodies move: neighbours on the curve drift apart, and node boxes grow. So the size of groups
// of neighbours is monitored, as `wide` monitors its blocks.

/// Leaves per group.
#define CLT_GROWTH_GROUP 16u

/// Average growth of all groups at which sorting again pays, in 1/256. Measured for the blocks of `wide` on a
/// processor; not measured on a device.
#define CLT_STALE_GROWTH 282u

/// The largest contribution of one group to the average, so that one body that moves far away does not cause a sort.
#define CLT_MAX_GROWTH 1024u

/// The growth of a group's longest edge since the sort, in 1/256. An integer, so that the sum is the same in any order.
CLT_HD uint32_t cltGrowth( float edge, float freshEdge )
{
    const float factor = 256.0f * ( edge / freshEdge );
    const bool hasGrown = factor > 256.0f; // false for the NaN of an empty group
    return !hasGrown ? 256u : factor < (float)CLT_MAX_GROWTH ? (uint32_t)factor : CLT_MAX_GROWTH;
}

#endif
