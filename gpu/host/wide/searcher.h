// SPDX-License-Identifier: Zlib
/// \file searcher.h
/// Who searches, and what it has met so far.
#ifndef CLT_HOST_WIDE_SEARCHER_H
#define CLT_HOST_WIDE_SEARCHER_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/simd.h"

/// Candidates that are collected before they are tested: mostly some thirty, whose boxes are still in the cache.
#define CANDIDATE_CAPACITY 256u

/// Every candidate, and the lanes of the searching block.
#define RECORD_CAPACITY ( CANDIDATE_CAPACITY + CLT_LANE_COUNT )

/// Hits to collect before they are reported.
#define HIT_CAPACITY 512u

typedef struct Hits
{
    uint32_t of[HIT_CAPACITY];    ///< of the searching block, as cltWide_Report reads them
    uint32_t found[HIT_CAPACITY]; ///< and whom these met
    uint32_t count;
    bool someAsk; ///< the filters of some decide, too
    cltPairBlock keys;
} Hits;

/// The smallest gaps of the lanes of a block (measure.h).
typedef struct Gaps
{
    float toMovers[CLT_LANE_COUNT];
    float toOthers[CLT_LANE_COUNT]; ///< less their rest margins
} Gaps;

/// Nodes in a vicinity: more are not kept.
#define VICINITY_CAPACITY 64u

/// The nodes of level 1 that sixteen neighbours may have to visit, those below one node of that level (vicinity.h).
typedef struct Vicinity
{
    cltBoxLanes boxes[VICINITY_CAPACITY / CLT_LANE_COUNT];
    cltFilterLanes filters[VICINITY_CAPACITY / CLT_LANE_COUNT]; ///< only where search->filters are
    uint32_t nodes[VICINITY_CAPACITY];
    uint32_t count;
} Vicinity;

/// Who searches: some lanes of a block, inside one box.
typedef struct Searcher
{
    const cltWideSearch* search;
    const Vicinity* vicinity; ///< where walks begin; NULL: at the root
    uint32_t block;
    uint32_t lanes;
    uint32_t selfMovers; ///< lanes of the block that find the others of the block themselves
    cltAabb box;
    cltFilter filter;     ///< of all searching lanes; only where search->filters are
    uint32_t* candidates; ///< lanes; room for CANDIDATE_CAPACITY
    uint32_t candidateCount;
    Hits* hits; ///< NULL with clt_wideMeasure
    Gaps* gaps; ///< NULL but with clt_wideMeasure
} Searcher;

/// True if boxes before are as good a reason to look closer as boxes now.
CLT_SPECIALIZED bool LooksAtBoth( cltWideFind find )
{
    return find == clt_wideChanges || find == clt_wideTouching;
}

/// Where nothing moved, the boxes before are those now, and half of the memory need not be touched.
static inline const cltBoxLanes* BeforeOf( const cltWideSearch* search, uint32_t block )
{
    return search->onlyMoversDiffer && search->movers[block] == 0 ? search->now + block : search->before + block;
}

/// The other lanes of the searching block that lane `lane`, which is one of selfMovers, has to test: not itself, and
/// not those that test it.
static inline uint32_t SelfLanes( const Searcher* searcher, uint32_t lane )
{
    const uint32_t later = ~1u << lane;
    return later | ~searcher->selfMovers;
}

#endif
