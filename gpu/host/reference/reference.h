// SPDX-License-Identifier: Zlib
/// \file reference.h
/// The CUDA algorithms as loops on the host. They call the same functions of gpu/core as the kernels do, so that tests
/// on a CPU cover the code that determines a GPU's results. The emulated device (tests/device) runs the CUDA sources
/// themselves and needs no copy of the loops, but is far slower. `wide` is the fast algorithm of the CPU. Here every
/// update builds the leaves, their order and the search structure again. reference.c corresponds to
/// gpu/cuda/cuda_search.cu: one loop iteration here is one thread there.
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

/// All leaves of an update in the order of the curve or of cells, with their boxes; the input of every search.
/// Corresponds to gpu/cuda/device_leaves.cuh, with the same keys and leaves, byte by byte.
typedef struct cltLeafTable
{
    cltSceneStatistics statistics;
    cltBuffer starts;  ///< uint64_t, by slot: the number of its leaves, then their first index
    cltBuffer keys;    ///< uint64_t, sorted: curve code in the high word, leaf reference in the low word; outliers last
    cltBuffer records; ///< cltLeaf or cltLeafD

    cltLeaves leaves;         ///< view of the buffers above
    uint32_t searchableCount; ///< leaves in the tree or the grid; the others, which follow, are outliers
} cltLeafTable;

typedef struct cltLeafTree
{
    cltBuffer nodes;
    cltBuffer meetings;
    cltBuffer filters; ///< cltFilter by node, if there are filters
    cltBuffer movers;  ///< uint32_t, searchable leaves that are not still
    uint32_t moverCount;
    bool moversWalkAlone; ///< few slots changed: only movers are searched
    cltTree tree;
} cltLeafTree;

typedef struct cltGridCells
{
    cltBuffer starts; ///< uint32_t: the first leaf of each cell, and one past the last leaf
    cltCells view;
} cltGridCells;

typedef struct cltFrontier
{
    cltFront front;    ///< used if the def enables it
    uint32_t leafRoom; ///< leaves of the tree with a front; some are empty
    bool isOrdered;    ///< leaves exist, in an order that may be kept
    bool isNewOrder;   ///< the order differs from that of the previous update
    cltLevelStorage room;
    cltLevelTree tree;
    cltBuffer pairs[2]; ///< cltNodePair: alternately input and output of passes
    uint32_t passCount; ///< these three are of the last search
    uint64_t testCount; ///< pairs of nodes tested
    uint64_t peak;      ///< the most pairs that a pass found for the next one
} cltFrontier;

typedef struct cltReference
{
    cltHostAlgorithm base;
    cltHostResources resources;
    cltPairMap map;
    cltRadixSort sort;
    cltLeafTable table;
    cltLeafTree tree;        ///< for `lbvh`
    cltFrontier frontier;    ///< for `frontier`
    cltGridCells cells;      ///< for `grid`
    uint32_t outlierCount;   ///< leaves marked CLT_LEAF_OUTLIER, after the searchable ones
    uint64_t candidateCount; ///< for `grid` and `bruteForce`
    cltAlgorithm running;    ///< the def's algorithm, or `lbvh` in place of a `grid` that is too dense
    uint32_t crowdedUpdates; ///< updates until the grid is tried again
    bool isBuilt;            ///< for the last upload
    bool isCurrent;          ///< for the last committed update
} cltReference;

/// Makes the leaves of all slots. The caller sets filters and slotBits.
/// \param inCells  ordered by grid cells; otherwise by the curve
cltStatus cltReference_MakeLeaves( cltReference* reference, const cltSlots* slots, bool inCells );

/// Updates the boxes of existing leaves from `slots`. \return false if leaves must be made again: a slot has another
/// number of leaves, or a leaf for only one of its boxes
/// \param appearedCount  slots that became visible since the leaves were made
bool cltReference_KeepLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );

/// \param changedCount  slots with a changed box; all other slots have still leaves
cltStatus cltReference_BuildTree( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// The same for `frontier`, with buffers for its passes.
cltStatus cltReference_BuildLevels( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// Writes the leaves of `frontier`'s tree and computes its inner nodes. Leaves beyond the searchable ones are spare.
void cltReference_FillLevels( cltReference* reference );

/// Finds the first leaf of each cell, and counts candidates.
/// \param[out] isCrowded  whether the grid is too dense and the tree must replace it
cltStatus cltReference_BuildCells( cltReference* reference, bool* isCrowded );

/// Puts the keys found into the sink.
cltStatus cltReference_Search( cltReference* reference, cltFind find, cltPairSink* sink );

/// The passes of `frontier` (frontier.c).
void cltReference_RunPasses( cltReference* reference, cltFind find, cltPairSink* sink );

static inline bool cltReference_KeepsFront( const cltReference* reference )
{
    const cltBroadphaseDef* def = reference->resources.def;
    return def->algorithm == clt_algorithmFrontier && def->research->keepFront;
}

/// Leaves, tree and search of `frontier` with a front (frontier.c). The order of leaves is kept as long as possible,
/// and until sorting them again pays. Changes are found from the front.
cltStatus cltReference_ArrangeLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );
cltStatus cltReference_BuildUnderFront( cltReference* reference );
void cltReference_BeginFront( cltReference* reference );
cltStatus cltReference_FollowFront( cltReference* reference, cltPairSink* sink );

/// Replaces counts by the sums of all counts before them. \return the total (leaves.c)
uint64_t cltSumCounts( uint64_t* counts, uint32_t count );

#endif
