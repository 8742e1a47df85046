// SPDX-License-Identifier: Zlib
/// \file rearrange.h
/// All lanes to new places, free ones left out.
#ifndef CLT_HOST_WIDE_REARRANGE_H
#define CLT_HOST_WIDE_REARRANGE_H

#include "gpu/host/wide/lanes.h"

/// What goes where.
typedef struct cltLanePlan
{
    const uint64_t* keys;  ///< lanes in their new order, in the lower 32 bits
    uint32_t orderedCount; ///< keys that count
    uint64_t outlierCount;
    uint32_t outliers[CLT_OUTLIER_LANES]; ///< lanes that become outliers
    float largestEdge;                    ///< of bodies that do not
} cltLanePlan;

/// Blocks that so many lanes may need: all outliers may come into the order, and outliers' blocks stay.
static inline uint32_t cltLanes_BlocksToRearrange( uint32_t laneCount )
{
    return cltBlocksFor( laneCount ) + CLT_OUTLIER_BLOCKS;
}

/// Room to rearrange what is there, in the blocks that there is room for.
cltStatus cltLanes_MakeSpareRoom( cltLanes* lanes, cltMemory* memory );

/// The box now of each lane up to `end`, NaN where there is none. Lies in the spare room: until lanes are rearranged.
const cltAabb* cltLanes_ListBoxes( cltLanes* lanes, cltWorkerPool* pool );

/// All lanes are ordered afterwards, or outliers.
void cltLanes_Rearrange( cltLanes* lanes, const cltLanePlan* plan, cltWorkerPool* pool );

#endif
