// SPDX-License-Identifier: Zlib
/// \file reference.h
/// The algorithms that a device runs, on the host, from the same steps and cursors (gpu/core): so that tests on a CPU
/// run the very lines that decide there. `wide` is what is fast here. Leaves, order and search structure are made anew
/// in every update; gpu/cuda/cuda_search.cu is the twin of reference.c, and what a thread takes there is a turn of a
/// loop here.
#ifndef CLT_HOST_REFERENCE_H
#define CLT_HOST_REFERENCE_H

#include "gpu/core/frontier.h"
#include "gpu/core/grid.h"
#include "gpu/core/traverse.h"
#include "gpu/host/front.h"
#include "gpu/host/host_algorithm.h"
#include "gpu/host/level_tree.h"
#include "gpu/host/radix_sort.h"
#include "gpu/host/scene_statistics.h"

/// All leaves of an update in the order of the curve or of cells, with their boxes: what every search reads. The twin
/// of gpu/cuda/device_leaves.cuh, step by step, so that keys and leaves are the same bytes.
typedef struct cltLeafTable
{
    cltSceneStatistics statistics;
    cltBuffer starts;  ///< uint64_t, by slot: how many leaves it gives, then where they go
    cltBuffer keys;    ///< uint64_t, sorted: curve code above, reference below; outliers last
    cltBuffer records; ///< cltLeaf or cltLeafD

    cltLeaves leaves;         ///< view of the buffers above
    uint32_t searchableCount; ///< leaves in the tree or the grid; those behind them are outliers
} cltLeafTable;

typedef struct cltLeafTree
{
    cltBuffer nodes;
    cltBuffer meetings;
    cltBuffer filters; ///< cltFilter of each node, if there are filters
    cltBuffer movers;  ///< uint32_t, searchable leaves that are not still
    uint32_t moverCount;
    bool moversWalkAlone; ///< few changed: only movers search
    cltTree tree;
} cltLeafTree;

typedef struct cltGridCells
{
    cltBuffer starts; ///< uint32_t, of each cell, and one past the last
    cltCells view;
} cltGridCells;

typedef struct cltFrontier
{
    cltFront front;    ///< where the def keeps one
    uint32_t leafRoom; ///< leaves of the tree then; some are empty
    bool isOrdered;    ///< leaves are there, in an order that may be kept
    bool isNewOrder;   ///< another one than that of the last update
    cltLevelStorage room;
    cltLevelTree tree;
    cltBuffer pairs[2]; ///< cltNodePair, from pass to pass
    uint32_t passCount; ///< of the last search, as the next two
    uint64_t testCount; ///< pairs of nodes that were tested
    uint64_t peak;      ///< most pairs that a pass found for the next one
} cltFrontier;

typedef struct cltReference
{
    cltHostAlgorithm base;
    cltHostResources resources;
    cltPairMap map;
    cltRadixSort sort;
    cltLeafTable table;
    cltLeafTree tree;        ///< of `lbvh`
    cltFrontier frontier;    ///< of `frontier`
    cltGridCells cells;      ///< of `grid`
    uint32_t outlierCount;   ///< leaves that are marked CLT_LEAF_OUTLIER, behind the searchable ones
    uint64_t candidateCount; ///< of `grid` and `bruteForce`
    cltAlgorithm running;    ///< the def's, or `lbvh` in place of a `grid` that is crowded
    uint32_t crowdedUpdates; ///< updates for which it still is
    bool isBuilt;            ///< of what was uploaded last
    bool isCurrent;          ///< of the last committed update
} cltReference;

/// Makes the leaves of all slots. Filters and slotBits are the caller's.
/// \param inCells  in the order of the grid's cells; else of the curve
cltStatus cltReference_MakeLeaves( cltReference* reference, const cltSlots* slots, bool inCells );

/// Takes the boxes of `slots` into the order that the leaves have. False if a slot has other leaves than then, or one
/// for where its body was: then they have to be made anew.
/// \param appearedCount  slots that came into sight since the leaves were made
bool cltReference_KeepLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );

/// \param changedCount  slots with a box that changed: no others have leaves that are not still
cltStatus cltReference_BuildTree( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// The same for `frontier`, and room for its passes.
cltStatus cltReference_BuildLevels( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// Fills and joins the tree of `frontier`. Leaves beyond those that are searched are in reserve.
void cltReference_FillLevels( cltReference* reference );

/// Finds where each cell's leaves begin, and counts candidates.
/// \param[out] isCrowded  true if the tree has to take the cells' place
cltStatus cltReference_BuildCells( cltReference* reference, bool* isCrowded );

/// Puts the keys of what is found into the sink.
cltStatus cltReference_Search( cltReference* reference, cltFind find, cltPairSink* sink );

/// The part of it that `frontier` does in passes (frontier.c).
void cltReference_RunPasses( cltReference* reference, cltFind find, cltPairSink* sink );

static inline bool cltReference_KeepsFront( const cltReference* reference )
{
    const cltBroadphaseDef* def = reference->resources.def;
    return def->algorithm == clt_algorithmFrontier && def->research->keepFront;
}

/// Leaves, tree and search of `frontier` where it keeps a front (keep_front.c): leaves stay in their order as long as
/// they can and as it is good, and changes are found from the front.
cltStatus cltReference_ArrangeLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );
cltStatus cltReference_BuildUnderFront( cltReference* reference );
void cltReference_BeginFront( cltReference* reference );
cltStatus cltReference_FollowFront( cltReference* reference, cltPairSink* sink );

/// Turns counts into the sums of all before, and returns the sum of all (leaves.c).
uint64_t cltSumCounts( uint64_t* counts, uint32_t count );

#endif
