// SPDX-License-Identifier: Zlib
/// \file wide.h
/// The algorithm `wide`: bodies along a Hilbert curve in blocks of CLT_LANE_COUNT lanes, and above the blocks an
/// implicit tree with CLT_LANE_COUNT children a node. Order, blocks and bounds are kept from update to update.
///
/// Every lane has a current and a previous box. A search finds pairs of lanes with only their current or only their
/// previous boxes overlapping. A body jumps if its displacement is large (cltIsLargeDisplacement). A body that jumped
/// or appeared gets an unsorted lane behind the ordered lanes (lanes.h). If a pair of a body that jumped persists, it
/// is found twice, as ended and as begun, and the two keys cancel out. If many bodies jumped, a rebuild costs less:
/// lanes are filled with current boxes alone, all pairs are found, and the backend compares them with the previous
/// pairs. If bodies jumped together, as those of a mesh in a new pose, a rebuild keeps their order.
///
///     lanes.h      the lane and both boxes of each body; rearrange.c moves lanes or fills all of them anew
///     filters.h    filters of blocks and nodes
///     movers.h     movers: lanes that are searched against all others
///     gather.h     copies boxes into lanes
///     order.h      the order along the curve, and when a new one pays
///     free_lanes.h lanes for new bodies within that order
///     tree.h       bounds, and how much they have grown
///     keep_rest.c  near pairs and rest margins (gpu/rest/rest.h)
///     rebuild.c    when a rebuild pays, and whether it keeps the order
///     search.c     splits a search into tasks
///     draw.c       the debug drawing
///     kernels.h    the hot loops by instruction set, in the operations of simd.h: walk.h, candidates.h, report.c
///
/// None of these files uses the state of another; update.c combines them.
#ifndef CLT_HOST_WIDE_WIDE_H
#define CLT_HOST_WIDE_WIDE_H

#include "gpu/host/host_algorithm.h"
#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/movers.h"
#include "gpu/host/wide/order.h"
#include "gpu/host/wide/tree.h"
#include "gpu/queries.h"

/// The state of an update. "Few": only movers are searched, and all other lanes have equal current and previous boxes.
/// "All": any lane's boxes may differ, and all lanes are searched.
typedef enum cltWidePhase
{
    clt_wideAllCommitted,
    clt_wideFewCommitted,
    clt_wideAllBegun, ///< not committed: previous boxes are valid, current boxes may be invalid
    clt_wideFewBegun
} cltWidePhase;

typedef struct cltWide
{
    cltHostAlgorithm base;
    const cltWideKernels* kernels;
    cltMemory* memory;
    cltWorkerPool* pool;
    cltWorkerPool* activePool; ///< the pool, or NULL if the work is too little to wake its threads
    cltLanes lanes;
    cltMovers movers;
    cltWideTree tree;
    cltOrder order;
    cltRest* rest; ///< of the last upload, or NULL (keep_rest.c)
    cltWidePhase phase;
    bool isFresh;                 ///< the update in progress is a rebuild: lanes have no previous boxes
    cltShrinkPolicy shrinkPolicy; ///< decides when the capacity for blocks shrinks
    cltBuffer tasks;              ///< scratch of search.c: uint32_t
    cltQueryBase queryBase;       ///< as of the last committed update
} cltWide;

static inline bool cltWide_IsFew( const cltWide* wide )
{
    return wide->phase == clt_wideFewBegun || wide->phase == clt_wideFewCommitted;
}

static inline bool cltWide_IsBegun( const cltWide* wide )
{
    return wide->phase == clt_wideAllBegun || wide->phase == clt_wideFewBegun;
}

/// Sets activePool by the number of lanes to process, and wakes the threads (update.c).
void cltWide_WakePool( cltWide* wide, uint64_t laneCount );

/// Grows the buffers of all parts to `blockCount` blocks (update.c).
cltStatus cltWide_ReserveBlocks( cltWide* wide, uint32_t blockCount );

/// Frees capacity that has not been needed for a while; all bounds then become invalid. If there is no memory for
/// smaller buffers, nothing changes (update.c).
void cltWide_GiveBackBlocks( cltWide* wide );

/// True if so few bodies moved that only movers are searched (update.c).
bool cltWide_MovedFew( const cltWide* wide, const cltUpload* upload );

/// Implements `shouldRebuild` of cltHostAlgorithmOps (rebuild.c).
bool cltWide_ShouldRebuild( const cltHostAlgorithm* algorithm, const cltUpload* upload );

/// Updates lanes and tree by the changed slots (update.c).
cltStatus cltWide_ApplyChanges( cltWide* wide, const cltUpload* upload );

/// Builds lanes and tree from the current boxes alone (rebuild.c).
cltStatus cltWide_Rebuild( cltWide* wide, const cltUpload* upload );

/// Implements `find` of cltHostAlgorithmOps (search.c).
cltStatus cltWide_Find( cltHostAlgorithm* algorithm, cltFind find, const cltSearchInput* input, cltPairSink* sink );

/// Implements `draw` of cltHostAlgorithmOps (draw.c).
void cltWide_Draw( const cltHostAlgorithm* algorithm, const cltDrawing* drawing );

/// Tests near pairs, and measures the movers if rest boxes are kept. Must follow cltWide_ApplyChanges (keep_rest.c).
cltStatus cltWide_KeepRest( cltWide* wide, const cltUpload* upload, const cltSearchInput* input );

/// Adds the changes of near pairs to the keys of a search. With clt_findPairs, the added keys correct the pairs found.
/// Duplicate keys must not be removed afterwards (report.c).
cltStatus cltWide_ReportNearPairs( const cltWide* wide, cltFind find, const cltSlots* slots, cltPairSink* sink );

/// The input of a search in the current state of the lanes (search.c).
cltWideSearch cltWide_SearchOf( const cltWide* wide, cltWideFind find, const cltSearchInput* input, cltPairSink* sink );

/// Computes the bounds of all blocks. If only boxes in blocks with movers, in this or the previous update, can have
/// changed, computes the bounds of these blocks alone.
void cltWide_FitTree( cltWide* wide );

#endif
