// SPDX-License-Identifier: Zlib
/// \file searches.cuh
/// The searches of the device: each puts the keys of what it finds into the sink, one file each. They read how many
/// leaves there are from the plan.
#ifndef CLT_CUDA_SEARCHES_CUH
#define CLT_CUDA_SEARCHES_CUH

#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
#include "gpu/cuda/device_leaves.cuh"
#include "gpu/cuda/key_sink.cuh"

/// What every search gets.
typedef struct cltDeviceSearch
{
    cltCudaDevice* device;
    const cltDeviceLeaves* leaves;
    cltKeySink sink;
    cltFind find;
    cltPairMap map;
    const cltCudaBuffer*
        bits; ///< a bit a candidate of cells or of all leaves. If it has not room for all of them nothing
              ///< is found; the plan says how many there are. NULL: what is found is written at once
} cltDeviceSearch;

// ----------------------------------------------------------------------------------------------------------- lbvh

typedef struct cltDeviceTree
{
    cltCudaBuffer nodes;
    cltCudaBuffer meetings;
    cltCudaBuffer filters; ///< cltFilter of each node, if there are filters
    cltCudaBuffer movers;  ///< searchable leaves that are not still, in no order
    uint32_t moverRoom;    ///< no fewer than there are of them, or 0: they are not listed
} cltDeviceTree;

/// The tree for kernels, which learn from the plan how many leaves it has.
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

/// \param changedCount  slots with a box that changed: no others have leaves that are not still
cltStatus cltDeviceTree_Build( cltDeviceTree* tree, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                               uint32_t slotCount, uint32_t changedCount );
cltStatus cltDeviceTree_Find( const cltDeviceTree* tree, const cltDeviceSearch* search );

// ------------------------------------------------------------------------------------------------------- frontier

typedef struct cltDeviceFrontier
{
    cltCudaBuffer nodes; ///< cltLevelNode
    cltCudaBuffer moves;
    cltCudaBuffer pairs[2]; ///< cltNodePair, from pass to pass
    cltLevels levels;       ///< of as many leaves as there is room for
    bool asksMoves;         ///< few changed: pairs of nodes that hold only what is still are passed over
} cltDeviceFrontier;

static inline cltLevelTree cltDeviceFrontier_View( const cltDeviceFrontier* frontier )
{
    cltLevelTree view;
    view.levels = frontier->levels;
    view.nodes = (cltLevelNode*)frontier->nodes.data;
    view.moves = frontier->asksMoves ? (uint8_t*)frontier->moves.data : NULL;
    return view;
}

/// \param changedCount  slots with a box that changed: no others have leaves that are not still
cltStatus cltDeviceFrontier_Build( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                   uint32_t slotCount, uint32_t changedCount );

/// Room for so many pairs of nodes, from pass to pass.
cltStatus cltDeviceFrontier_Reserve( cltDeviceFrontier* frontier, cltCudaDevice* device, uint64_t pairCount );

/// Makes room for as many pairs as a pass was seen to find.
/// \param[out] isTooSmall  there was less, so that all must be searched again
cltStatus cltDeviceFrontier_Learn( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltPlan* plan,
                                   bool* isTooSmall );

cltStatus cltDeviceFrontier_Find( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                                  const cltBroadphaseDef* def, uint32_t* passCount );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltDeviceCells
{
    cltCudaBuffer outliers;    ///< leaves too large or too odd for cells
    cltCudaBuffer entryStarts; ///< where each leaf writes its entries, and one past the last
    cltCudaBuffer entries;     ///< sorted by cell
    cltCudaBuffer spare;
    cltCudaBuffer cellsBefore;     ///< for each entry, the cells that begin before it
    cltCudaBuffer starts;          ///< of the occupied cells
    cltCudaBuffer candidateStarts; ///< of the occupied cells
    cltCudaBuffer scratch;
    uint64_t room;     ///< entries that there is room for
    uint64_t nextRoom; ///< and that there will be for those of the next build
} cltDeviceCells;

cltStatus cltDeviceCells_Build( cltDeviceCells* cells, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                const cltPairMap* map );

/// Takes note of how many entries there were. True if they did not fit, so that the cells must be built again.
bool cltDeviceCells_Learn( cltDeviceCells* cells, const cltPlan* plan );

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search );

// --------------------------------------------------------------------------------------------------------- others

/// Every pair of leaves by the index-to-pair map, outliers included.
cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search );

/// Leaves that cells or the level tree do not hold against all leaves and each other.
/// \param outliers  those of the grid, on the device, as many as the plan says; NULL: those that the plan lists
cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search, const uint32_t* outliers );

#endif
