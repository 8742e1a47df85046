// SPDX-License-Identifier: Zlib
/// \file reference.h
/// The CUDA algorithms as loops on the host. The loops call the same functions of gpu/core as the kernels, so that
/// tests on a CPU cover the code that determines a GPU's results. The emulated device (tests/device) runs the CUDA
/// sources themselves and needs no copy of the loops, but is far slower. The fast algorithm of the CPU is `wide`. The
/// reference builds the leaves, their order and the search structure again in every update. reference.c corresponds to
/// gpu/cuda/cuda_search.cu: a loop iteration on the host is a thread on a device.
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
    cltBuffer starts;  ///< uint64_t, by slot: the number of its leaves; after cltSumCounts, the index of the first
    cltBuffer keys;    ///< uint64_t, sorted: curve code in the high word, leaf reference in the low word; outliers last
    cltBuffer records; ///< cltLeaf or cltLeafD

    cltLeaves leaves;         ///< view of the buffers above
    uint32_t searchableCount; ///< the number of leaves in the tree or the grid; the leaves after them are outliers
} cltLeafTable;

typedef struct cltLeafTree
{
    cltBuffer nodes;
    cltBuffer meetings;
    cltBuffer filters; ///< cltFilter by node, if there are filters
    cltBuffer movers;  ///< uint32_t, searchable leaves that are not still
    uint32_t moverCount;
    bool moversWalkAlone; ///< few slots changed: only movers search
    cltTree tree;
} cltLeafTree;

typedef struct cltGridCells
{
    cltBuffer starts; ///< uint32_t: by cell, its first leaf; the last entry is the number of leaves
    cltCells view;
} cltGridCells;

typedef struct cltFrontier
{
    cltFront front;            ///< used if cltResearchDef::keepFront is set
    uint32_t frontlessUpdates; ///< updates until a front is tried again, after one was too large
    uint32_t leafCapacity;     ///< the number of leaves of a tree with a front, empty leaves included
    bool isOrdered;            ///< leaves exist, in an order that may be kept
    bool isNewOrder;           ///< the order differs from that of the previous update
    cltLevelStorage room;
    cltLevelTree tree;
    cltBuffer pairs[2]; ///< cltNodePair: alternately input and output of passes
    uint32_t passCount; ///< passes of the last search
    uint64_t testCount; ///< pairs of nodes that the last search tested
    uint64_t peak;      ///< the largest number of pairs that a pass of the last search found for its next pass
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
    uint32_t outlierCount;   ///< leaves marked CLT_LEAF_OUTLIER, after the searchable leaves
    uint64_t candidateCount; ///< for `grid` and `bruteForce`
    cltAlgorithm running;    ///< the def's algorithm, or `lbvh` in place of a `grid` that is too dense
    uint32_t crowdedUpdates; ///< updates until the grid is tried again
    bool isBuilt;            ///< the structure is that of the last upload
    bool isCurrent;          ///< the structure is that of the last committed update
} cltReference;

/// Makes the leaves of all slots. The caller sets filters and slotBits.
/// \param inCells  whether leaves are in the order of grid cells; otherwise they are in the order of the curve
cltStatus cltReference_MakeLeaves( cltReference* reference, const cltSlots* slots, bool inCells );

/// Updates the boxes of existing leaves from `slots`. \return false if leaves must be made again: a slot appeared, or
/// needs another number of leaves, or has a leaf for only its previous or only its current box
/// \param appearedCount  upper bound on the number of slots with CLT_SLOT_APPEARED
bool cltReference_UpdateLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );

/// \param changedCount  the number of slots with a changed box; all other leaves are of the kind CLT_LEAF_STILL
cltStatus cltReference_BuildTree( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// As cltReference_BuildTree, for the tree of `frontier`; also reserves buffers for its passes.
cltStatus cltReference_BuildLevels( cltReference* reference, uint32_t slotCount, uint32_t changedCount );

/// Writes the leaves of `frontier`'s tree and computes its inner nodes. Leaves beyond the searchable leaves are empty.
void cltReference_FillLevels( cltReference* reference );

/// Finds the first leaf of each cell, and counts candidates.
/// \param[out] isCrowded  whether the grid is too dense and the tree must replace it
cltStatus cltReference_BuildCells( cltReference* reference, bool* isCrowded );

/// Implements `draw` of cltHostAlgorithmOps (draw.c).
void cltReference_Draw( const cltHostAlgorithm* algorithm, const cltDrawing* drawing );

/// Puts the keys found into the sink.
cltStatus cltReference_Search( cltReference* reference, cltFind find, cltPairSink* sink );

/// The passes of `frontier` (frontier.c).
void cltReference_RunPasses( cltReference* reference, cltFind find, cltPairSink* sink );

static inline bool cltReference_KeepsFront( const cltReference* reference )
{
    const cltBroadphaseDef* def = reference->resources.def;
    return def->algorithm == clt_algorithmFrontier && def->research->keepFront &&
           reference->frontier.frontlessUpdates == 0u;
}

/// Leaves, tree and search of `frontier` with a front (frontier.c). The order of leaves is kept as long as possible,
/// but no longer than until a new sort pays. Changes are found from the front.
cltStatus cltReference_ArrangeLeaves( cltReference* reference, const cltSlots* slots, uint32_t appearedCount );
cltStatus cltReference_BuildFrontTree( cltReference* reference );
void cltReference_BeginFront( cltReference* reference );
cltStatus cltReference_SearchFromFront( cltReference* reference, cltPairSink* sink );

/// Replaces counts by the sums of all counts before them. \return the total (leaves.c)
uint64_t cltSumCounts( uint64_t* counts, uint32_t count );

#endif
