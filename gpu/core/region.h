// SPDX-License-Identifier: Zlib
/// \file region.h
/// Where nearly all bodies are: the region that the curve's codes and the grid's cells are spent on. A single body that
/// fell out of the world would stretch plain bounds until all others share a few cells, and the search turns quadratic.
/// So a sample of centres decides, axis by axis: its inner 15/16, widened by an eighth on both sides, still hold every
/// body of an evenly filled region.
#ifndef CLT_CORE_REGION_H
#define CLT_CORE_REGION_H

#include "gpu/core/scene_statistics.h"

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

#endif
