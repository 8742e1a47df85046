// SPDX-License-Identifier: Zlib
/// \file block_walk.cuh
/// A warp's walk down the tree of blocks. All lanes call these functions together.
#ifndef CLT_CUDA_BLOCK_WALK_CUH
#define CLT_CUDA_BLOCK_WALK_CUH

#include "gpu/core/warp_tree.h"
#include "gpu/cuda/launch.cuh"

/// A depth-first walk over the blocks of level 1 that meet a block's bounds, in ascending order. Its state is bounded:
/// lane l holds what belongs to level l. Lane `levelCount` stands for a parent of the top. The caller visits the
/// children of a block of level 1, so lane 1 has none that remain.
typedef struct cltBlockWalk
{
    cltAabb bounds;
    cltFilter filter;
    uint32_t own;        ///< the searching block
    uint32_t stillLanes; ///< CLT_ALL_LANES to visit also lanes in which no leaf moves, else 0
    uint32_t levelCount;
    uint32_t level;     ///< the level of the current block
    uint32_t block;     ///< the current block
    uint32_t remaining; ///< in lane l, a mask of children not yet visited, for the current path's block at level l
    uint32_t starts;    ///< in lane l, the index of the first block of level l in the tree's arrays
} cltBlockWalk;

/// Counts the levels and finds, in lane l, the start of level l in the tree's arrays. A loop for all lanes takes fewer
/// steps than cltWarpTree_Top and then cltWarpTree_At in each.
static __device__ inline void cltBlockWalk_FindLevels( cltBlockWalk* walk, const cltWarpTree* tree )
{
    walk->starts = 0;
    walk->levelCount = 0;
    uint32_t blockCount;
    do
    {
        blockCount = cltWarpTree_BlockCount( tree, walk->levelCount );
        walk->starts += walk->levelCount < threadIdx.x ? blockCount : 0u;
        ++walk->levelCount;
    } while ( walk->levelCount < 2u || blockCount > 1u );
}

/// Begins the search from block `own`. If no leaf of `own` moves, a search for changes visits only leaves that move.
static __device__ inline cltBlockWalk cltBlockWalk_Begin( const cltWarpTree* tree, cltFind find, uint32_t own )
{
    const uint32_t parent = cltWarpTree_At( tree, 1, own / CLT_WARP_SIZE );
    cltBlockWalk walk;
    walk.bounds = cltWarpTree_Box( tree, parent, own % CLT_WARP_SIZE );
    walk.filter = cltWarpTree_Filter( tree, parent, own % CLT_WARP_SIZE );
    walk.own = own;
    walk.stillLanes = find == clt_findPairs || tree->moves[own] != 0 ? CLT_ALL_LANES : 0u;
    cltBlockWalk_FindLevels( &walk, tree );
    walk.level = walk.levelCount;
    walk.block = 0;
    walk.remaining = threadIdx.x == walk.levelCount ? 1u : 0u; // the top
    return walk;
}

/// A mask of the lanes of the block with index `at` that meet the walk's bounds.
static __device__ inline uint32_t cltBlockWalk_MeetingLanes( const cltBlockWalk* walk, const cltWarpTree* tree,
                                                             uint32_t at )
{
    const uint32_t moves = tree->moves[at];
    const bool meets = cltWarpTree_Meets( tree, at, threadIdx.x, &walk->bounds, &walk->filter );
    return __ballot_sync( CLT_ALL_LANES, meets ) & ( moves | walk->stillLanes );
}

/// A mask of the current block's children to visit: not the searching block, nor blocks with only leaves before it.
static __device__ inline uint32_t cltBlockWalk_ChildrenAhead( const cltBlockWalk* walk, const cltWarpTree* tree )
{
    const uint32_t start = __shfl_sync( CLT_ALL_LANES, walk->starts, (int)walk->level );
    const uint32_t child = walk->block * CLT_WARP_SIZE + threadIdx.x;
    const bool isOwn = walk->level == 1u && child == walk->own;
    const bool isAhead = cltWarpTree_IsAhead( walk->level - 1u, child, walk->own ) && !isOwn;
    return cltBlockWalk_MeetingLanes( walk, tree, start + walk->block ) & __ballot_sync( CLT_ALL_LANES, isAhead );
}

/// Goes to the first remaining child of the current block.
static __device__ inline void cltBlockWalk_GoDown( cltBlockWalk* walk, uint32_t remaining )
{
    walk->remaining = threadIdx.x == walk->level ? remaining & ( remaining - 1u ) : walk->remaining;
    walk->block = walk->block * CLT_WARP_SIZE + (uint32_t)__ffs( (int)remaining ) - 1u;
    --walk->level;
}

/// Cursor: goes to the next block of level 1. Returns the mask of its children to visit, 0 at the end.
static __device__ inline uint32_t cltBlockWalk_NextChildren( cltBlockWalk* walk, const cltWarpTree* tree )
{
    while ( walk->level <= walk->levelCount )
    {
        const uint32_t remaining = __shfl_sync( CLT_ALL_LANES, walk->remaining, (int)walk->level );
        if ( remaining == 0 )
        {
            ++walk->level;
            walk->block /= CLT_WARP_SIZE;
            continue;
        }
        cltBlockWalk_GoDown( walk, remaining );
        const uint32_t children = cltBlockWalk_ChildrenAhead( walk, tree );
        if ( walk->level == 1 && children != 0 )
        {
            return children;
        }
        walk->remaining = threadIdx.x == walk->level ? children : walk->remaining;
    }
    return 0;
}

#endif
