// SPDX-License-Identifier: Zlib
// Builds the tree of blocks in one launch. Each warp fills the block of 32 leaves, and the last of up to 32 warps with
// the same parent continues there.

#include "gpu/core/atomic.h"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/searches.cuh"

/// What a lane contributes to its block.
typedef struct Lane
{
    cltAabb box;      ///< NaN if the lane is empty
    cltFilter filter; ///< 0 if there are no filters
    bool moves;       ///< a leaf below is not still
} Lane;

static __device__ Lane EmptyLane( void )
{
    const Lane lane = { cltAabb_Nowhere(), { 0, 0 }, false };
    return lane;
}

/// Leaves that are outliers in this update keep their lanes, empty.
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

/// The lane of a block above level 0: its child has stored bounds there. Only an empty lane is stored now.
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

/// The union of all lanes, in each of them. Bounds of NaN are ignored, unless all are NaN.
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

/// Stores a block's moves, and its bounds in its parent. True if the parent has got all its children by that.
///
/// Memory ordering: the first lane stores all that the parent's warp reads, then releases it. The first lane of the
/// last warp acquires it, and the barrier passes it on to the other lanes.
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

/// A warp for each block of leaves.
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
