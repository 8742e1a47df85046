// SPDX-License-Identifier: Zlib
/// \file free_lanes.h
/// Free lanes among the ordered ones, for bodies that appear or jump. Sorts leave gaps (lanes.h), and destroyed bodies
/// leave their lanes. As long as about as many bodies disappear as appear, no sort is needed.
#ifndef CLT_HOST_WIDE_FREE_LANES_H
#define CLT_HOST_WIDE_FREE_LANES_H

#include "gpu/core/curve.h"
#include "gpu/host/wide/lanes.h"

/// The order of the last sort.
typedef struct cltFreeLanes
{
    cltCurve curve;
    cltBuffer classes;    ///< one cltFilterClasses; valid if hasClasses
    cltBuffer blockCodes; ///< uint64_t, by ordered block: class and code of its first body
    uint32_t blockCount;  ///< entries of blockCodes
    bool hasClasses;      ///< there was more than one class
} cltFreeLanes;

/// Notes the order of a plan. Must be called before keys of dense cells get other codes.
cltStatus cltFreeLanes_NoteOrder( cltFreeLanes* free, const cltCurve* curve, const cltFilterClasses* classes,
                                  const cltLanePlan* plan, cltMemory* memory );

/// Finds a free lane in the block to which the curve leads, or else in the nearest of some blocks before and behind it.
/// \return CLT_NO_LANE if there is none, or if lanes are no longer in the noted order
uint32_t cltFreeLanes_Find( const cltFreeLanes* free, const cltLanes* lanes, const cltUpload* upload, uint32_t slot,
                            const cltAabb* box );

/// True if lanes are in the noted order.
static inline bool cltFreeLanes_AreNoted( const cltFreeLanes* free, const cltLanes* lanes )
{
    return free->blockCount > 0 && free->blockCount == lanes->orderedEnd - CLT_OUTLIER_BLOCKS;
}

/// The class and code of a body along the curve of the last sort.
uint64_t cltFreeLanes_CodeOf( const cltFreeLanes* free, const cltUpload* upload, uint32_t slot, const cltAabb* box );

/// The last block whose first body has a code of at most `code`; else the first ordered block.
uint32_t cltFreeLanes_BlockOf( const cltFreeLanes* free, uint64_t code );

void cltFreeLanes_Release( cltFreeLanes* free, cltMemory* memory );

#endif
