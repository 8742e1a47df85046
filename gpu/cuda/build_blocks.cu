// SPDX-License-Identifier: Zlib
// Builds the tree of blocks in one launch. Each warp fills one block of 32 leaves. Up to 32 blocks have the same parent
// block; the last of their warps to finish fills the parent.

#include "gpu/core/atomic.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/searches.cuh"

/// One of the 32 entries of a block: a leaf, or the union of a child block. Each lane of the warp holds one.
typedef struct Lane
{
    cltAabb box;      ///< NaN if the lane is empty
    cltFilter filter; ///< not used if there are no filters
    bool moves;       ///< true if a leaf of the entry is not still
} Lane;

static __device__ Lane EmptyLane( void )
{
    const Lane lane = { cltAabb_Nan(), { 0, 0 }, false };
    return lane;
}

/// Returns leaf i as a lane. The lane is empty if there is no leaf i, or if leaf i is an outlier in this update.
static __device__ Lane LaneOfLeaf( const cltLeaves* leaves, uint32_t leafCount, uint32_t i )
{
    Lane lane = EmptyLane();
    if ( i < leafCount && !cltLeaves_IsOutlier( leaves, i ) )
    {
        lane.box = cltLeaves_Cover( leaves, i );
        lane.moves = cltLeafRef_Kind( cltLeaves_Ref( leaves, i ) ) != CLT_LEAF_STILL;
        if ( leaves->filters.now != NULL )
        {
            lane.filter = cltLeaves_Filter( leaves, i );
        }
    }
    return lane;
}

/// Returns a lane of a block above level 0. The child's warp has stored it; a lane without a child is stored here.
static __device__ Lane LaneOfChild( const cltWarpTree* tree, uint32_t level, uint32_t block )
{
    Lane lane = EmptyLane();
    const uint32_t at = cltWarpTree_At( tree, level, block );
    if ( threadIdx.x >= cltWarpTree_ChildCount( tree, level, block ) )
    {
        cltWarpTree_Set( tree, at, threadIdx.x, &lane.box, lane.filter );
        return lane;
    }
    const uint32_t child = block * CLT_WARP_SIZE + threadIdx.x;
    lane.box = cltWarpTree_Box( tree, at, threadIdx.x );
    lane.filter = cltWarpTree_Filter( tree, at, threadIdx.x );
    lane.moves = tree->moves[cltWarpTree_At( tree, level - 1u, child )] != 0;
    return lane;
}

/// Returns the union of the boxes of all lanes, to each lane. Bounds of NaN are ignored, unless all are NaN.
static __device__ cltAabb BoundsOfWarp( cltAabb box )
{
    for ( int distance = CLT_WARP_SIZE / 2; distance > 0; distance /= 2 )
    {
        for ( int axis = 0; axis < 3; ++axis )
        {
            box.lower[axis] = fminf( box.lower[axis], __shfl_xor_sync( CLT_ALL_LANES, box.lower[axis], distance ) );
            box.upper[axis] = fmaxf( box.upper[axis], __shfl_xor_sync( CLT_ALL_LANES, box.upper[axis], distance ) );
        }
    }
    return box;
}

static __device__ cltFilter FilterOfWarp( cltFilter filter )
{
    for ( int distance = CLT_WARP_SIZE / 2; distance > 0; distance /= 2 )
    {
        filter.group |= __shfl_xor_sync( CLT_ALL_LANES, filter.group, distance );
        filter.mask |= __shfl_xor_sync( CLT_ALL_LANES, filter.mask, distance );
    }
    return filter;
}

/// Stores which lanes of a block move, and the block's bounds in its parent. True if it is the parent's last child.
///
/// Memory ordering: lane 0 stores everything that is read to fill the parent, then releases these stores. Lane 0 of the
/// last child's warp acquires the stores of all children, and the barrier passes them on to its other lanes.
static __device__ bool FinishBlock( const cltWarpTree* tree, uint32_t level, uint32_t block, const Lane* lane )
{
    const uint32_t moves = __ballot_sync( CLT_ALL_LANES, lane->moves );
    const cltAabb bounds = BoundsOfWarp( lane->box );
    const cltFilter filter = tree->filters != NULL ? FilterOfWarp( lane->filter ) : lane->filter;
    const bool isTop = level == cltWarpTree_Top( tree );
    bool isLast = false;
    if ( threadIdx.x == 0 )
    {
        tree->moves[cltWarpTree_At( tree, level, block )] = moves;
    }
    if ( threadIdx.x == 0 && !isTop )
    {
        const uint32_t parent = block / CLT_WARP_SIZE;
        const uint32_t at = cltWarpTree_At( tree, level + 1u, parent );
        cltWarpTree_Set( tree, at, block % CLT_WARP_SIZE, &bounds, filter );
        isLast = cltArriveLast( tree->arrivals + at, cltWarpTree_ChildCount( tree, level + 1u, parent ) );
    }
    isLast = __ballot_sync( CLT_ALL_LANES, isLast ) != 0;
    __syncthreads();
    return isLast;
}

/// Launched with one warp for each block of leaves.
static __global__ void BuildBlocksKernel( cltWarpTree tree, cltLeaves leaves, const cltPlan* plan )
{
    tree.leafCount = cltPlan_TreeLeafCount( plan );
    uint32_t block = blockIdx.x;
    if ( block >= cltWarpTree_BlockCount( &tree, 0 ) )
    {
        return;
    }
    Lane lane = LaneOfLeaf( &leaves, tree.leafCount, block * CLT_WARP_SIZE + threadIdx.x );
    cltWarpTree_Set( &tree, block, threadIdx.x, &lane.box, lane.filter );
    for ( uint32_t level = 0; FinishBlock( &tree, level, block, &lane ); )
    {
        ++level;
        block /= CLT_WARP_SIZE;
        lane = LaneOfChild( &tree, level, block );
    }
}

cltStatus cltDeviceBlocks_Build( cltDeviceBlocks* blocks, cltCudaDevice* device, const cltDeviceLeaves* leaves )
{
    cltWarpTree* tree = &blocks->tree;
    tree->leafCount = leaves->room;
    const size_t size = cltWarpTree_Size( tree );
    const size_t filteredSize = leaves->view.filters.now != NULL ? size : 0u;
    CLT_TRY( cltCudaBuffer_Reserve( &blocks->boxes, device, size, sizeof( cltWarpBoxes ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &blocks->filters, device, filteredSize, CLT_WARP_SIZE * sizeof( cltFilter ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &blocks->moves, device, size, sizeof( uint32_t ) ) );
    // Filled once: a build leaves the array as it found it.
    CLT_TRY( cltCudaBuffer_ReserveFilled( &blocks->arrivals, device, size, sizeof( uint32_t ), 0 ) );
    tree->boxes = (cltWarpBoxes*)blocks->boxes.data;
    tree->filters = filteredSize > 0 ? (cltFilter*)blocks->filters.data : NULL;
    tree->moves = (uint32_t*)blocks->moves.data;
    tree->arrivals = (uint32_t*)blocks->arrivals.data;
    return cltLaunchBlocks( device, "build blocks", cltWarpTree_BlockCount( tree, 0 ), CLT_WARP_SIZE, BuildBlocksKernel,
                            *tree, leaves->view, (const cltPlan*)cltDeviceLeaves_Plan( leaves ) );
}
