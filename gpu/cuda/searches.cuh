// SPDX-License-Identifier: Zlib
/// \file searches.cuh
/// The searches of the device, one file each. A search reads the leaf counts from the plan and writes the keys that it
/// finds to the sink.
#ifndef CLT_CUDA_SEARCHES_CUH
#define CLT_CUDA_SEARCHES_CUH

#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
#include "gpu/core/warp_tree.h"
#include "gpu/cuda/device_leaves.cuh"
#include "gpu/cuda/key_sink.cuh"

/// Arguments of every search.
typedef struct cltDeviceSearch
{
    cltCudaDevice* device;
    const cltDeviceLeaves* leaves;
    cltKeySink sink;
    cltFind find;
    cltPairMap map;
    /// For bruteForce: one bit per pair of leaves. If the bits do not fit, no pair is found, and the plan holds the
    /// number of pairs. NULL if keys are written at once.
    const cltCudaBuffer* bits;
} cltDeviceSearch;

// ----------------------------------------------------------------------------------------------------------- lbvh

typedef struct cltDeviceTree
{
    cltCudaBuffer nodes;
    cltCudaBuffer meetings;
    cltCudaBuffer filters; ///< cltFilter per node, if there are filters
    cltCudaBuffer movers;  ///< searchable leaves that moved, unordered
    uint32_t moverRoom;    ///< upper bound on the number of movers; 0 if movers are not listed
} cltDeviceTree;

/// A view for kernels; they set its leaf count from the plan.
static inline cltTree cltDeviceTree_View( const cltDeviceTree* tree, const cltDeviceLeaves* leaves )
{
    cltTree view;
    view.nodes = (cltNode*)tree->nodes.data;
    view.keys = (const uint64_t*)leaves->keys.data;
    view.meetings = (uint32_t*)tree->meetings.data;
    view.leafCount = 0;
    view.filters = leaves->view.filters.now != NULL ? (cltFilter*)tree->filters.data : NULL;
    return view;
}

/// \param changedCount  slots with a changed box: only these have leaves that moved
cltStatus cltDeviceTree_Build( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                               uint32_t slotCount, uint32_t changedCount );
cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search );

// ----------------------------------------------------------------------------------------------------------- wide

typedef struct cltDeviceBlocks
{
    cltCudaBuffer boxes; ///< cltWarpBoxes by block
    cltCudaBuffer filters;
    cltCudaBuffer moves;
    cltCudaBuffer arrivals;
    cltWarpTree tree; ///< view of the buffers above, for the leaf capacity
} cltDeviceBlocks;

cltStatus cltDeviceBlocks_Build( cltDeviceBlocks* blocks, cltCudaDevice* device, const cltDeviceLeaves* leaves );
cltStatus cltDeviceBlocks_Find( const cltDeviceBlocks* blocks, const cltDeviceSearch* search );

// ------------------------------------------------------------------------------------------------------- frontier

typedef struct cltDeviceFrontier
{
    cltCudaBuffer nodes; ///< cltLevelNode
    cltCudaBuffer moves;
    cltCudaBuffer pairs[2]; ///< cltNodePair: queues between passes
    cltLevels levels;       ///< the shape of the tree, by the leaf capacity
    bool recordsMoves;      ///< few leaves moved, so node pairs without movers are pruned
} cltDeviceFrontier;

static inline cltLevelTree cltDeviceFrontier_View( const cltDeviceFrontier* frontier )
{
    cltLevelTree view;
    view.levels = frontier->levels;
    view.nodes = (cltLevelNode*)frontier->nodes.data;
    view.moves = frontier->recordsMoves ? (uint8_t*)frontier->moves.data : NULL;
    return view;
}

/// \param recordsMoves  whether few leaves moved, so that node pairs without movers are to be pruned
cltStatus cltDeviceFrontier_Build( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                   bool recordsMoves );

/// Reserves capacity for queued node pairs.
cltStatus cltDeviceFrontier_Reserve( cltDeviceFrontier* frontier, cltCudaDevice* device, uint64_t pairCount );

/// Capacity of each queue.
static inline uint64_t cltDeviceFrontier_PairCapacity( const cltDeviceFrontier* frontier )
{
    return frontier->pairs[0].bytes / sizeof( cltNodePair );
}

/// Grows the queues to hold the node pairs that the last search queued.
/// \param[out] isTooSmall  whether the queues were too small, so that the search must be repeated
cltStatus cltDeviceFrontier_GrowQueues( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltPlan* plan,
                                        bool* isTooSmall );

cltStatus cltDeviceFrontier_Find( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                                  const cltResearchDef* research, uint32_t* passCount );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltDeviceCells
{
    cltCudaBuffer starts; ///< by cell, its first leaf; the last entry is the end of the last cell
    cltPairMap map;
} cltDeviceCells;

/// A view for kernels; they set its grid from the plan.
static inline cltCells cltDeviceCells_View( const cltDeviceCells* cells )
{
    cltCells view = {};
    view.starts = (const uint32_t*)cells->starts.data;
    view.map = cells->map;
    return view;
}

/// \param map  index-to-pair map for the pairs within a cell
cltStatus cltDeviceCells_Build( cltDeviceCells* cells, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                cltPairMap map );

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search );

// --------------------------------------------------------------------------------------------------------- others

/// Tests all pairs of leaves by the index-to-pair map, including outliers.
cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search );

/// Tests the outliers listed in the plan against all leaves and each other, after a search of the grid or level tree.
cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search );

#endif
