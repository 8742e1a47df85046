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
    float freshEdge; ///< the longest edge of the block's bounds right after the sort
    uint32_t growth; ///< in 1/256 of freshEdge; 0: not measured since the sort
} cltBlockGrowth;

typedef struct cltWideTree
{
    const cltWideKernels* kernels;
    cltBoxTree levels; ///< the tree that searches walk; level 0, the blocks themselves, is set only for queries
    cltBuffer nodes;   ///< cltBoxLanes, the levels from 1 on
    cltBuffer filters; ///< cltFilterLanes, the filters of the nodes' children, in the order of `nodes`
    cltFilterLanes* filterLevels[CLT_BOX_TREE_LEVELS]; ///< the filters of each level from 1 on
    bool hasFilters;                                   ///< the nodes' filters were computed with their bounds
    cltBuffer marks;                                   ///< uint32_t, by node: `mark` when the node was last listed
    uint32_t mark;                                     ///< counts the calls of cltWideTree_FitListed
    uint32_t starts[CLT_BOX_TREE_LEVELS];              ///< index in `nodes` of each level's first node, from level 1 on
    uint32_t levelCapacity;                            ///< one past the highest level for which the buffers have space
    bool isFitted;                                     ///< every node in use holds valid bounds
    uint32_t fittedEnd; ///< the bounds of blocks below this are computed already, except those with a jumped lane
    cltBuffer growths;  ///< cltBlockGrowth, by block, for the ordered blocks
    uint64_t growthSum; ///< the growth of all ordered blocks, in 1/256
    float freshSpread;  ///< cltWideTree_Spread right after the sort; 0: not measured since the sort
} cltWideTree;

/// Grows the buffers to the levels above `blockCapacity` blocks; their contents are lost.
cltStatus cltWideTree_Reserve( cltWideTree* tree, cltMemory* memory, uint32_t blockCapacity );

/// Shrinks the buffers to `blockCapacity` blocks; their contents are lost.
void cltWideTree_Shrink( cltWideTree* tree, cltMemory* memory, uint32_t blockCount, uint32_t blockCapacity );

/// Sets the number of blocks, outliers' blocks included. The nodes above new blocks are empty.
void cltWideTree_SetBlockCount( cltWideTree* tree, uint32_t blockCount );

/// Sets the bounds of one ordered block. From any thread.
/// \return the block's growth; the caller passes the sum over many blocks to cltWideTree_AddGrowth
uint64_t cltWideTree_SetBounds( cltWideTree* tree, uint32_t block, const cltAabb* bounds );

static inline void cltWideTree_AddGrowth( cltWideTree* tree, uint64_t growth )
{
    __atomic_fetch_add( &tree->growthSum, growth, __ATOMIC_RELAXED );
}

/// Computes the bounds of all blocks, except those that are fitted already (fittedEnd).
void cltWideTree_FitAll( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool );

/// Computes the bounds of all blocks from their current boxes alone.
void cltWideTree_FitToCurrent( cltWideTree* tree, const cltLanes* lanes, cltWorkerPool* pool );

/// Computes the bounds of the listed blocks and of the nodes above them. Overwrites the list.
void cltWideTree_FitListed( cltWideTree* tree, const cltLanes* lanes, uint32_t* blocks, uint32_t count,
                            cltWorkerPool* pool );

/// Marks all bounds as invalid.
static inline void cltWideTree_Invalidate( cltWideTree* tree )
{
    tree->isFitted = false;
    tree->fittedEnd = 0;
}

/// Must be called after a sort into `blockCount` blocks. Marks all bounds as invalid, and forgets the growth of blocks.
void cltWideTree_ResetAfterSort( cltWideTree* tree, uint32_t blockCount );

/// The growth of a block, in 1/256; 0 for unsorted blocks.
static inline uint32_t cltWideTree_GrowthOf( const cltWideTree* tree, const cltLanes* lanes, uint32_t block )
{
    return block < lanes->orderedEnd ? ( (const cltBlockGrowth*)tree->growths.data )[block].growth : 0u;
}

/// Lets a block begin to grow anew, because it got a body from nearby.
void cltWideTree_RenewBlock( cltWideTree* tree, uint32_t block );

/// True if the ordered blocks have grown so much that a new order pays.
bool cltWideTree_IsStale( const cltWideTree* tree, uint32_t orderedEnd );

/// One in CLT_SAMPLE_STRIDE blocks is sampled, or of a large world about CLT_SAMPLE_SIZE blocks.
#define CLT_SAMPLE_STRIDE 16u
#define CLT_SAMPLE_SIZE 256u

static inline uint32_t cltSampleStride( uint32_t orderedEnd )
{
    const uint32_t sparser = orderedEnd / CLT_SAMPLE_SIZE;
    return sparser > CLT_SAMPLE_STRIDE ? sparser : CLT_SAMPLE_STRIDE;
}

/// What two successive sampled blocks add to the spread.
static inline float cltSpreadOf( const cltAabb* last, const cltAabb* bounds )
{
    const cltAabb both = cltAabb_Union( last, bounds );
    const float edge = cltAabb_LongestEdge( &both );
    return edge > 0.0f ? edge : 0.0f; // 0 also if a block is empty
}

/// How far the bodies that follow each other in the order are apart: the sum of the longest edges around each two
/// successive sampled blocks. It increases if the bodies of a block part, or if groups of blocks do.
float cltWideTree_Spread( const cltWideTree* tree, uint32_t orderedEnd );

void cltWideTree_Release( cltWideTree* tree, cltMemory* memory );

#endif
