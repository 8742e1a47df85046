// SPDX-License-Identifier: Zlib
/// \file scene_statistics.h
/// Scene statistics: what is known of all leaves before there are any. How many there are of each size, which sizes are
/// outliers, and where nearly all bodies are. Nothing here depends on the order in which leaves are looked at, so that
/// every device and number of threads comes to the same keys.
#ifndef CLT_CORE_SCENE_STATISTICS_H
#define CLT_CORE_SCENE_STATISTICS_H

#include "gpu/core/grid.h"

/// Sizes by the exponent of the longest edge, which is the upper 8 bits of a positive float.
#define CLT_SIZE_BIN_COUNT 256u

/// For boxes that have no size: infinite or inverted.
#define CLT_ODD_SIZE_BIN 255u

/// At most this many leaves are outliers for being large or odd, because each is tested against everything; if there
/// are more, they are no exception: they go into the tree, or the grid's cells are as wide.
#define CLT_OUTLIER_LIMIT 32u

/// Outliers begin at 2^5 times the median size; nearer to it, the tree deals with a box faster than a linear pass.
#define CLT_OUTLIER_BINS_ABOVE_MEDIAN 5u

/// Of a grid at 2^2 times: its cells are as wide as the largest of the others.
#define CLT_GRID_BINS_ABOVE_MEDIAN 2u

/// Leaves of one size.
typedef struct cltSizeBin
{
    uint32_t count;
    uint32_t longestBits; ///< of the longest edge
    float lower[3];       ///< bounds of the centres
    float upper[3];
} cltSizeBin;

/// The longest edge of a box that has a size; of -0, the edge from 0 to -0, the sum makes 0.
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
        // false for inverted, for infinite, and for the NaN of a box that lies wholly at infinity
        const float edge = box->upper[axis] - box->lower[axis];
        sized = sized && edge >= 0.0f && edge <= CLT_LARGEST_FLOAT;
    }
    return sized ? cltLongestEdgeBits( box ) >> 23 : CLT_ODD_SIZE_BIN;
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

/// The lowest bin of outliers: far above the median size, and with few enough bodies in it and above. Bins are
/// searched by halving: on a device one thread does it while all others wait.
/// \param sums  for each bin, the leaves in it and below
/// \param binsAboveMedian  at the least
CLT_HD uint32_t cltOutlierBin( const uint32_t sums[CLT_SIZE_BIN_COUNT], uint32_t binsAboveMedian )
{
    const uint64_t total = sums[CLT_SIZE_BIN_COUNT - 1u];
    uint32_t median = 0; // the first bin with half of those that have a size in it or below
    for ( uint32_t end = CLT_ODD_SIZE_BIN; median < end; )
    {
        const uint32_t middle = ( median + end ) / 2u;
        const bool reaches = 2u * (uint64_t)sums[middle] >= sums[CLT_ODD_SIZE_BIN - 1u];
        median = reaches ? median : middle + 1u;
        end = reaches ? middle : end;
    }
    uint32_t bin = median + binsAboveMedian;
    bin = bin < CLT_ODD_SIZE_BIN ? bin : CLT_ODD_SIZE_BIN;
    for ( uint32_t end = CLT_SIZE_BIN_COUNT; bin < end; ) // the first from there with few above it
    {
        const uint32_t middle = ( bin + end ) / 2u;
        const bool few = total - sums[middle - 1u] <= CLT_OUTLIER_LIMIT;
        bin = few ? bin : middle + 1u;
        end = few ? middle : end;
    }
    return bin;
}

// --------------------------------------------------------------------------------------------------------- region

// The region that the curve's codes and the grid's cells are spent on. A single body that fell out of the world would
// stretch plain bounds until all others share a few cells, and the search turns quadratic. So a sample of centres
// decides, axis by axis: its inner 15/16, widened by an eighth on both sides, still hold every body of an evenly filled
// region.

/// Centres to look at.
#define CLT_SAMPLE_SIZE 256u

/// Every how many slots one is looked at.
CLT_HD uint32_t cltSample_Stride( uint32_t slotCount )
{
    return slotCount / CLT_SAMPLE_SIZE + 1u;
}

/// The box whose centre stands for a slot in the sample; false if the slot has none that counts.
CLT_HD bool cltSample_Box( const cltSlots* slots, uint32_t slot, uint32_t outlierBin, cltAabb* box )
{
    cltLeafSeed seeds[2];
    if ( cltSlots_Seed( slots, slot, seeds ) == 0u )
    {
        return false;
    }
    *box = seeds[0].box;
    const uint32_t bin = cltSizeBin_Of( box );
    return bin < outlierBin && bin != CLT_ODD_SIZE_BIN;
}

/// Which of the sorted centres of a sample the region begins and ends with.
CLT_HD uint32_t cltSample_LowRank( uint32_t sampleCount )
{
    return sampleCount / 32u;
}

CLT_HD uint32_t cltSample_HighRank( uint32_t sampleCount )
{
    return sampleCount - 1u - sampleCount / 32u;
}

/// The region from the centres of these ranks. False if there is no extent, or none that a float can hold.
CLT_HD bool cltRegion_Widen( float low, float high, float* lower, float* upper )
{
    const float margin = ( high - low ) / 8.0f;
    *lower = low - margin;
    *upper = high + margin;
    return margin > 0.0f && margin <= CLT_LARGEST_FLOAT;
}

/// How a leaf lies to a region that may be of an update before.
enum
{
    CLT_PLACE_INSIDE = 0, ///< or anywhere, if it has no size: no other region would be better for it
    CLT_PLACE_BORDER = 1, ///< clamped into it
    CLT_PLACE_NONE = 2,   ///< an outlier
    CLT_PLACE_COUNT = 3
};

CLT_HD uint32_t cltRegion_PlaceOf( const cltCurve* curve, const cltAabb* box, uint32_t outlierBin )
{
    const uint32_t bin = cltSizeBin_Of( box );
    if ( bin >= outlierBin )
    {
        return CLT_PLACE_NONE;
    }
    return bin == CLT_ODD_SIZE_BIN || cltCurve_Holds( curve, box ) ? CLT_PLACE_INSIDE : CLT_PLACE_BORDER;
}

// ----------------------------------------------------------------------------------------------------------- keys

/// What an outlier has in place of a code: sorts behind all of them.
#define CLT_OUTLIER_CODE ( 1u << CLT_CURVE_BITS )

/// What a leaf is sorted by, code above and reference below. Not by groups first, as the blocks of `wide` are: a walk
/// then goes down a tree for each group that it may pair with. Measured on a processor, the search takes as long as
/// without that where two groups pair across only, 1.25 times as long in a level of static bodies, 2.5 times with eight
/// groups.
/// \param grid  whose cells are the codes; NULL: the curve's are
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

/// Step: the keys of a slot's leaves, from place `start` on. What lies beyond `room` is left out.
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

/// Step: leaf i of the sorted keys, with its boxes.
CLT_HD void cltLeaves_GatherStep( const cltLeaves* leaves, uint32_t i, const uint64_t* keys, const cltSlots* slots )
{
    cltLeaves_Set( leaves, i, (cltLeafRef)keys[i], slots );
}

/// The key of a slot that gets one leaf, of which the next step finds out what it is: where the body is now, or was if
/// it is nowhere. CLT_NO_KEY without a box.
/// \param[out] place  how it lies to the region, if it has a box
CLT_HD uint64_t cltSlots_OnlyKey( const cltSlots* slots, uint32_t slot, const cltCurve* curve, uint32_t outlierBin,
                                  uint32_t* place )
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

/// Step: leaf i of an order that is kept, for an update in which nobody appears: what became of its slot since its key
/// was made. True if the leaf is an outlier in this update: because it was one, outgrew the others, or jumped, which
/// here makes one leaf, and one that no tree could hold. A leaf whose body is gone has no boxes, as has the second one
/// of a body that had jumped when the keys were made; they are marked, too, because no tree has them.
CLT_HD bool cltLeaves_RegatherStep( const cltLeaves* leaves, uint32_t i, uint64_t key, uint32_t outlierBin,
                                    const cltSlots* slots )
{
    const cltLeafRef ref = (cltLeafRef)key;
    const uint32_t slot = cltLeafRef_Slot( ref );
    cltLeafSeed seeds[2];
    uint32_t count = cltSlots_Seed( slots, slot, seeds );
    if ( cltLeafRef_Kind( ref ) == CLT_LEAF_BEFORE ) // or its body hid, and did not appear again
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

// An order that is kept grows worse as bodies move: neighbours on the curve drift apart, and the boxes around them
// grow. So groups of neighbours are watched, as `wide` watches its blocks.

/// Leaves of a group.
#define CLT_GROWTH_GROUP 16u

/// What all groups have grown to on average when a new order pays, in 1/256: as measured for the blocks of `wide` on a
/// processor; not measured on a device.
#define CLT_STALE_GROWTH 282u

/// What one group may add to the average: a body that left is no reason to sort all others.
#define CLT_MAX_GROWTH 1024u

/// How much a group has grown, in 1/256, from its longest edge when it was sorted: whole numbers, so that their sum is
/// the same in any order.
CLT_HD uint32_t cltGrowth( float edge, float freshEdge )
{
    const float factor = 256.0f * ( edge / freshEdge );
    const bool hasGrown = factor > 256.0f; // not for the NaN of an empty group
    return !hasGrown ? 256u : factor < (float)CLT_MAX_GROWTH ? (uint32_t)factor : CLT_MAX_GROWTH;
}

#endif
