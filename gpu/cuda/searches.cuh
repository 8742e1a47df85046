// SPDX-License-Identifier: Zlib
/// \file searches.cuh
/// The searches of the device: each puts the keys of what it finds into the sink, one file each. They read how many
/// leaves there are from the plan.
#ifndef CLT_CUDA_SEARCHES_CUH
#define CLT_CUDA_SEARCHES_CUH

#include "gpu/core/front_way.h"
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
    const cltCudaBuffer* bits; ///< a bit a pair of leaves, for bruteForce. If it has not room for all of them nothing
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

/// The entries of a front on the device, one behind the other.
typedef struct cltDeviceCut
{
    cltCudaBuffer pairs; ///< cltNodePair
    cltCudaBuffer marks; ///< float: the way at which each is due
    cltCudaBuffer way;   ///< one cltFrontWay: up to the update that wrote them
} cltDeviceCut;

/// A view of them.
typedef struct cltFrontEntries
{
    cltNodePair* pairs;
    float* marks;
    cltFrontWay* way;
    uint64_t room;
} cltFrontEntries;

cltFrontEntries cltDeviceCut_View( const cltDeviceCut* cut );

/// Where the last search for changes stopped (gpu/core/front.h), and what the host knows of it. The next front is
/// written into the other of two.
typedef struct cltDeviceFront
{
    cltDeviceCut cuts[2];
    uint32_t current; ///< of the two
    uint64_t count;
    uint32_t leafCount;    ///< of the tree that it is a cut of; 0: of none
    bool isKnown;          ///< it is of the update before this one: no way was missed
    bool isSearched;       ///< in this update
    bool isNewOrder;       ///< leaves were sorted since
    bool filtersWereMixed; ///< in the last search
    cltFrontRent rent;
} cltDeviceFront;

typedef struct cltDeviceFrontier
{
    cltCudaBuffer nodes; ///< cltLevelNode
    cltCudaBuffer moves;
    cltCudaBuffer pairs[2]; ///< cltNodePair, from pass to pass
    cltLevels levels;       ///< of as many leaves as there is room for
    bool asksMoves;         ///< few changed: pairs of nodes that hold only what is still are passed over
    cltDeviceFront front;   ///< where the def keeps one
    uint32_t leafRoom;      ///< leaves of the tree then
} cltDeviceFrontier;

static inline cltLevelTree cltDeviceFrontier_View( const cltDeviceFrontier* frontier )
{
    cltLevelTree view;
    view.levels = frontier->levels;
    view.nodes = (cltLevelNode*)frontier->nodes.data;
    view.moves = frontier->asksMoves ? (uint8_t*)frontier->moves.data : NULL;
    return view;
}

/// \param asksMoves  few leaves are not still
/// \param keepsFront  the shape shall stay as long as it can
cltStatus cltDeviceFrontier_Build( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                   bool asksMoves, bool keepsFront );

/// Room for so many pairs of nodes, from pass to pass.
cltStatus cltDeviceFrontier_Reserve( cltDeviceFrontier* frontier, cltCudaDevice* device, uint64_t pairCount );

/// Pairs that there is room for. When the second buffer could not grow with the first, the smaller one counts.
static inline uint64_t cltDeviceFrontier_PairRoom( const cltDeviceFrontier* frontier )
{
    const size_t a = frontier->pairs[0].bytes;
    const size_t b = frontier->pairs[1].bytes;
    return ( a < b ? a : b ) / sizeof( cltNodePair );
}

/// Makes room for as many pairs as a pass was seen to find, and entries of a front.
/// \param[out] isTooSmall  there was less, so that all must be searched again
cltStatus cltDeviceFrontier_Learn( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltPlan* plan,
                                   bool* isTooSmall );

cltStatus cltDeviceFrontier_Find( const cltDeviceFrontier* frontier, const cltDeviceSearch* search,
                                  const cltResearchDef* research, uint32_t* passCount );

/// The same for changes, from the front of the last search, which stays as it is.
cltStatus cltDeviceFront_Find( cltDeviceFrontier* frontier, const cltDeviceSearch* search, uint32_t* passCount );

/// True if that is a cut of such a tree.
static inline bool cltDeviceFront_IsOf( const cltDeviceFront* front, const cltLevels* levels )
{
    return front->leafCount == cltLevels_LeafCount( levels );
}

/// Room for so many entries of the next front.
cltStatus cltDeviceFront_Reserve( cltDeviceFront* front, cltCudaDevice* device, uint64_t count );

/// Room for some more than the last front has.
cltStatus cltDeviceFront_ReserveNext( cltDeviceFront* front, cltCudaDevice* device, const cltLevels* levels );

/// Entries that there is room for.
uint64_t cltDeviceFront_Room( const cltDeviceFront* front );

/// True if no entry is due before the way has come to its mark: nodes stand for what they stood for in the last search,
/// and pair by the same. In a search in which filters change nodes hold both; after it pairs above entries may meet no
/// longer, so that entries go up, which they must do all at once (cltFront_MoveStep).
bool cltDeviceFront_AreMarksKnown( const cltDeviceFront* front, const cltPairFilters* filters );

/// What that search wrote, which found room, is the front from now on.
void cltDeviceFront_Keep( cltDeviceFront* front, const cltLevels* levels, const cltPairFilters* filters,
                          const cltPlan* plan );

/// \param hasLost  bodies are gone, and in an order that is kept so are their leaves: pairs of nodes that met because
///                 of them do so no longer, though nobody moved
void cltDeviceFront_BeginUpdate( cltDeviceFront* front, bool hasLost );

// ----------------------------------------------------------------------------------------------------------- grid

typedef struct cltDeviceCells
{
    cltCudaBuffer starts; ///< the first leaf of each cell, and one past the last
    cltPairMap map;
} cltDeviceCells;

/// The cells for kernels, which take the grid from the plan.
static inline cltCells cltDeviceCells_View( const cltDeviceCells* cells )
{
    cltCells view = {};
    view.starts = (const uint32_t*)cells->starts.data;
    view.map = cells->map;
    return view;
}

/// \param map  of the pairs within a cell
cltStatus cltDeviceCells_Build( cltDeviceCells* cells, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                cltPairMap map );

cltStatus cltDeviceCells_Find( const cltDeviceCells* cells, const cltDeviceSearch* search );

// --------------------------------------------------------------------------------------------------------- others

/// Every pair of leaves by the index-to-pair map, outliers included.
cltStatus cltDevice_FindAmongAll( const cltDeviceSearch* search );

/// Leaves that cells or the level tree do not hold, which the plan lists, against all leaves and each other.
cltStatus cltDevice_FindOutliers( const cltDeviceSearch* search );

#endif
