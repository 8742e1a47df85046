// SPDX-License-Identifier: Zlib
/// \file searcher.h
/// The searching lanes, and their candidates and hits so far.
#ifndef CLT_HOST_WIDE_SEARCHER_H
#define CLT_HOST_WIDE_SEARCHER_H

#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/simd.h"

/// Candidates that are collected before they are tested. Mostly there are about thirty, with boxes still in the cache.
#define CANDIDATE_CAPACITY 256u

/// Records of one batch: one for each candidate, and one for each lane of the searching block.
#define RECORD_CAPACITY ( CANDIDATE_CAPACITY + CLT_LANE_COUNT )

/// Hits to collect before they are reported.
#define HIT_CAPACITY 512u

typedef struct Hits
{
    uint32_t of[HIT_CAPACITY];    ///< of the searching block, as cltWide_Report reads them
    uint32_t found[HIT_CAPACITY]; ///< the body that each of these hit
    uint32_t count;
    bool someAsk; ///< some hits also need a test of filters
    cltPairBlock keys;
} Hits;

/// The smallest gaps of the lanes of a block (measure.h).
typedef struct Gaps
{
    float toMovers[CLT_LANE_COUNT];
    float toOthers[CLT_LANE_COUNT]; ///< less their rest margins
} Gaps;

/// Nodes in a vicinity. If there are more, the vicinity is not used.
#define VICINITY_CAPACITY 64u

/// The nodes of level 1 that sixteen neighbours may have to visit, those below one node of that level (vicinity.h).
typedef struct Vicinity
{
    cltBoxLanes boxes[VICINITY_CAPACITY / CLT_LANE_COUNT];
    cltFilterLanes filters[VICINITY_CAPACITY / CLT_LANE_COUNT]; ///< only where search->filters are
    uint32_t nodes[VICINITY_CAPACITY];
    uint32_t count;
} Vicinity;

/// Some lanes of a block that search together, and the box around them.
typedef struct Searcher
{
    const cltWideSearch* search;
    const Vicinity* vicinity; ///< where walks begin; NULL: at the root
    uint32_t block;
    uint32_t lanes;
    uint32_t selfMovers; ///< lanes of the block that are tested against other lanes of the block (SelfLanes)
    cltAabb box;
    cltFilter filter;     ///< of all searching lanes; only where search->filters are
    uint32_t* candidates; ///< lanes; at most CANDIDATE_CAPACITY
    uint32_t candidateCount;
    Hits* hits; ///< NULL with clt_wideMeasure
    Gaps* gaps; ///< NULL unless clt_wideMeasure
} Searcher;

/// True if previous boxes count as well as current ones.
CLT_SPECIALIZED bool LooksAtBoth( cltWideFind find )
{
    return find == clt_wideChanges || find == clt_wideTouching;
}

/// If no lane of the block moved, its previous boxes equal the current ones, and half of the memory need not be read.
static inline const cltBoxLanes* BeforeOf( const cltWideSearch* search, uint32_t block )
{
    return search->onlyMoversDiffer && search->movers[block] == 0 ? search->current + block : search->previous + block;
}

/// The other lanes of the searching block that lane `lane`, one of selfMovers, must test. Lanes that test `lane` are
/// left out.
static inline uint32_t SelfLanes( const Searcher* searcher, uint32_t lane )
{
    const uint32_t later = ~1u << lane;
    return later | ~searcher->selfMovers;
}

#endif
