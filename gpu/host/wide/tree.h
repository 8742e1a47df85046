// SPDX-License-Identifier: Zlib
/// \file tree.h
/// The implicit tree above the blocks, without those of outliers. Lane i of node n bounds the current and previous
/// boxes of node or block n * CLT_LANE_COUNT + i below.
#ifndef CLT_HOST_WIDE_TREE_H
#define CLT_HOST_WIDE_TREE_H

#include "gpu/host/box_tree.h"
#include "gpu/host/wide/filters.h"
#include "gpu/host/wide/kernels.h"
#include "gpu/host/wide/lanes.h"

/// How much a block has grown since it was sorted.
typedef struct cltBlockGrowth
{
    float freshEdge; ///< longest edge of its bounds when the order was new
    uint32_t growth; ///< 0: not looked at since
} cltBlockGrowth;

typedef struct cltWideTree
{
    const cltWideKernels* kernels;
    cltBoxTree levels; ///< what searches walk; level 0, the blocks themselves, is only set for queries
    cltBuffer nodes;   ///< cltBoxLanes, the levels from 1 on
    cltBuffer filters; ///< cltFilterLanes, as the nodes
    cltFilterLanes* filterLevels[CLT_BOX_TREE_LEVELS]; ///< the same from level 1 on
    bool hasFilters;                                   ///< they are as the bounds are
    cltBuffer marks;                                   ///< uint32_t, by node: when it was last listed as a parent
    uint32_t mark;
    uint32_t starts[CLT_BOX_TREE_LEVELS]; ///< of the levels from 1 on, in `nodes`
    uint32_t levelRoom;                   ///< levels that are laid out: with few blocks not all are in use
    bool isFitted;                        ///< every node in use holds its bounds
    uint32_t fittedEnd; ///< of the ordered blocks before this one, those without a jumped lane have been fitted
    cltBuffer growths;  ///< cltBlockGrowth, of the ordered blocks
    uint64_t growthSum; ///< in 1/256
} cltWideTree;

/// Room for the levels above so many blocks; what they held is lost.
cltStatus cltWideTree_Reserve( cltWideTree* tree, cltMemory* memory, uint32_t blockCapacity );

/// The same with less room: gives back the rest.
void cltWideTree_Shrink( cltWideTree* tree, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity );

/// Says how many blocks there are, outliers' included. What is above new ones is empty.
void cltWideTree_SetBlockCount( cltWideTree* tree, uint32_t blockCount );

/// Sets the bounds of one ordered block. From any thread.
/// \return what cltWideTree_AddGrowth is to be told, of many blocks at once
uint64_t cltWideTree_SetBounds( cltWideTree* tree, uint32_t block, const cltAabb* bounds );

static inline void cltWideTree_AddGrowth( cltWideTree* tree, uint64_t growth )
{
    __atomic_fetch_add( &tree->growthSum, growth, __ATOMIC_RELAXED );
}

/// Bounds of all blocks, but for those before fittedEnd that are fitted.
void cltWideTree_FitAll( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool );

/// Bounds of all blocks by their boxes now alone.
void cltWideTree_FitToNow( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool );

/// Bounds of the listed blocks and of what is above them. Overwrites the list.
void cltWideTree_FitListed( cltWideTree* tree, const cltLanes* lanes, uint32_t* blocks, uint32_t count,
                            cltWorkerPool* pool );

/// All have to be fitted.
static inline void cltWideTree_Spoil( cltWideTree* tree )
{
    tree->isFitted = false;
    tree->fittedEnd = 0;
}

/// The order is new, with so many blocks: all have to be fitted.
void cltWideTree_Renew( cltWideTree* tree, uint32_t blockCount );

/// True if the ordered blocks have grown so much that a new order pays.
bool cltWideTree_IsStale( const cltWideTree* tree, uint32_t orderedEnd );

void cltWideTree_Release( cltWideTree* tree, cltMemory* memory );

#endif
