// SPDX-License-Identifier: Zlib
/// \file searches.cuh
/// The searches of the device, one file each. Each writes the keys it finds to the sink and reads the leaf counts from
/// the plan.
#ifndef CLT_CUDA_SEARCHES_CUH
#define CLT_CUDA_SEARCHES_CUH

#include "gpu/core/front_way.h"
#include "gpu/core/frontier.h"
#include "gpu/core/traverse.h"
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
    const cltCudaBuffer* bits; ///< one bit per pair of leaves, for bruteForce; if they do not fit, nothing is found,
                               ///< and the plan holds their number. NULL: keys are written at once
} cltDeviceSearch;

// ----------------------------------------------------------------------------------------------------------- lbvh

typedef struct cltDeviceTree
{
    cltCudaBuffer nodes;
    cltCudaBuffer meetings;
    cltCudaBuffer filters; ///< cltFilter per node, if there are filters
    cltCudaBuffer movers;  ///< searchable leaves that moved, unordered
    uint32_t moverRoom;    ///< upper bound of their number, or 0 if they are not listed
} cltDeviceTree;

/// View for kernels, which read the leaf count from the plan.
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

// ------------------------------------------------------------------------------------------------------- frontier

/// The entries of a front in device memory.
typedef struct cltDeviceCut
{
    cltCudaBuffer pairs; ///< cltNodePair
    cltCudaBuffer marks; ///< float: accumulated displacement at which each entry is due
    cltCudaBuffer way;   ///< one cltFrontWay: displacement up to the update that wrote them
} cltDeviceCut;

/// View for kernels.
typedef struct cltFrontEntries
{
    cltNodePair* pairs;
    float* marks;
    cltFrontWay* way;
    uint64_t room;
} cltFrontEntries;

cltFrontEntries cltDeviceCut_View( const cltDeviceCut* cut );

/// Where the last search for changes stopped (gpu/core/front.h), and the host's knowledge of it. Double-buffered: the
/// next front is written to the other buffer.
typedef struct cltDeviceFront
{
    cltDeviceCut cuts[2];
    uint32_t current; ///< index of the current buffer
    uint64_t count;
    uint32_t leafCount;    ///< leaves of the front's tree; 0 if there is no front
    bool isKnown;          ///< the previous update wrote this front, so no displacement is missing
    bool isSearched;       ///< this update has searched with the front
    bool isNewOrder;       ///< leaves were sorted since the last search
    bool filtersWereMixed; ///< in the last search, nodes held current and previous filters
    cltFrontRent rent;
} cltDeviceFront;

typedef struct cltDeviceFrontier
{
    cltCudaBuffer nodes; ///< cltLevelNode
    cltCudaBuffer moves;
    cltCudaBuffer pairs[2]; ///< cltNodePair: queues between passes
    cltLevels levels;       ///< for the leaf capacity
    bool asksMoves;         ///< few leaves moved, so node pairs without movers are pruned
    cltDeviceFront front;   ///< if the def asks for one
    uint32_t leafRoom;      ///< leaves of the tree with a front
} cltDeviceFrontier;

static inline cltLevelTree cltDeviceFrontier_View( const cltDeviceFrontier* frontier )
{
    cltLevelTree view;
    view.levels = frontier->levels;
    view.nodes = (cltLevelNode*)frontier->nodes.data;
    view.moves = frontier->asksMoves ? (uint8_t*)frontier->moves.data : NULL;
    return view;
}

/// \param asksMoves  few leaves moved
/// \param keepsFront  keeps the leaf capacity, and so the tree's shape, as long as possible
cltStatus cltDeviceFrontier_Build( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                   bool asksMoves, bool keepsFront );

/// Reserves capacity for queued node pairs.
cltStatus cltDeviceFrontier_Reserve( cltDeviceFrontier* frontier, cltCudaDevice* device, uint64_t pairCount );

/// Capacity of the queues: the smaller one counts, in case the second allocation failed.
static inline uint64_t cltDeviceFrontier_PairRoom( const cltDeviceFrontier* frontier )
{
    const size_t a = frontier->pairs[0].bytes;
    const size_t b = frontier->pairs[1].bytes;
    return ( a < b ? a : b ) / sizeof( cltNodePair );
}

/// Grows the queues and the front to the counts of a search.
/// \param[out] isTooSmall  they were too small, so the search must be repeated
cltStatus cltDeviceFrontier_Learn( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltPlan* plan,
                                   bool* isTooSmall );

cltStatus cltDeviceFrontier_Find( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                                  const cltResearchDef* research, uint32_t* passCount );

/// Finds changes, starting at the front of the last search. Does not modify that front.
cltStatus cltDeviceFront_Find( cltDeviceFrontier* frontier, const cltDeviceSearch* search, uint32_t* passCount );

/// True if the front belongs to a tree of this shape.
static inline bool cltDeviceFront_IsOf( const cltDeviceFront* front, const cltLevels* levels )
{
    return front->leafCount == cltLevels_LeafCount( levels );
}

/// Reserves capacity for entries of the next front.
cltStatus cltDeviceFront_Reserve( cltDeviceFront* front, cltCudaDevice* device, uint64_t count );

/// Reserves capacity for somewhat more entries than the last front has.
cltStatus cltDeviceFront_ReserveNext( cltDeviceFront* front, cltCudaDevice* device, const cltLevels* levels );

/// Capacity of the next front.
uint64_t cltDeviceFront_Room( const cltDeviceFront* front );

/// True if marks are valid: no entry is due before the displacement reaches its mark. Nodes must contain the same
/// leaves and filters as in the last search. In an update that changes filters, nodes hold current and previous
/// filters. In the next update, node pairs above entries may no longer meet, so all entries are tested
/// (cltFront_MoveStep).
bool cltDeviceFront_AreMarksKnown( const cltDeviceFront* front, const cltPairFilters* filters );

/// Makes the front that the search wrote the current one, after everything fitted.
void cltDeviceFront_Keep( cltDeviceFront* front, const cltLevels* levels, const cltPairFilters* filters,
                          const cltPlan* plan );

/// \param hasLost  bodies were destroyed, and in a kept order their leaves too: node pairs that overlapped because of
///     them no longer do, although nothing moved
void cltDeviceFront_BeginUpdate( cltDeviceFront* front, bool hasLost );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltDeviceCells
{
    cltCudaBuffer starts; ///< the first leaf of each cell, and one past the last
    cltPairMap map;
} cltDeviceCells;

/// View for kernels, which read the grid from the plan.
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

/// Tests the outliers of cells or the level tree, listed in the plan, against all leaves and each other.
cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search );

#endif
