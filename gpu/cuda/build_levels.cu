// SPDX-License-Identifier: Zlib
// Builds the level tree. Its shape depends on the leaf capacity, so the host knows it without reading the leaf count
// back. Positions without a leaf, and positions of outliers in a kept order, hold an empty node, which overlaps
// nothing.

#include "gpu/cuda/searches.cuh"

/// The levels above the leaves, and the leaves, of a piece: a subtree that one thread block builds.
#define PIECE_LEVELS 9u
#define PIECE_LEAF_COUNT ( 1u << PIECE_LEVELS )

/// Threads of the single block that builds the levels above PIECE_LEVELS: about 2,000 nodes for a million leaves.
#define TOP_BLOCK_SIZE 512u

static __device__ void AddLeaf( const cltLevelTree* tree, const cltLeaves* leaves, uint32_t searchableCount,
                                uint32_t i )
{
    if ( i < searchableCount && !cltLeaves_IsOutlier( leaves, i ) )
    {
        cltLevelTree_AddLeafStep( tree, leaves, i );
        return;
    }
    tree->nodes[i] = cltLevelNode_Empty();
    if ( tree->moves != NULL )
    {
        tree->moves[i] = 0;
    }
}

/// Computes the nodes [first, min( last, count )) of a level from their children, with all threads of the block.
static __device__ void JoinNodes( const cltLevelTree* tree, uint32_t level, uint32_t first, uint32_t last )
{
    const uint32_t count = cltLevels_Count( &tree->levels, level );
    for ( uint32_t i = first + threadIdx.x; i < last && i < count; i += blockDim.x )
    {
        cltLevelTree_JoinStep( tree, level, tree->levels.starts[level] + i );
    }
}

/// Each block builds a subtree of PIECE_LEVELS levels. It reads only nodes that it wrote before the last barrier.
static __global__ void JoinPiecesKernel( cltLevelTree tree, cltLeaves leaves, const cltPlan* plan )
{
    const uint32_t searchableCount = cltPlan_TreeLeafCount( plan );
    const uint32_t leafCount = cltLevels_LeafCount( &tree.levels );
    const uint32_t first = blockIdx.x * PIECE_LEAF_COUNT;
    for ( uint32_t i = first + threadIdx.x; i < first + PIECE_LEAF_COUNT && i < leafCount; i += blockDim.x )
    {
        AddLeaf( &tree, &leaves, searchableCount, i );
    }
    for ( uint32_t level = 1; level <= PIECE_LEVELS; ++level )
    {
        __syncthreads();
        JoinNodes( &tree, level, first >> level, ( first + PIECE_LEAF_COUNT ) >> level );
    }
}

static __global__ void JoinTopKernel( cltLevelTree tree )
{
    for ( uint32_t level = PIECE_LEVELS + 1u; level <= tree.levels.top; ++level )
    {
        __syncthreads();
        JoinNodes( &tree, level, 0, UINT32_MAX );
    }
}

/// Returns the initial capacity of the queues: in most scenes a pass queues two or three node pairs per body.
static uint64_t InitialPairCapacity( uint32_t leafCount )
{
    return 64u + 3u * (uint64_t)leafCount;
}

cltStatus cltDeviceFrontier_Build( cltDeviceFrontier* frontier, cltCudaDevice* device, const cltDeviceLeaves* leaves,
                                   bool recordsMoves )
{
    frontier->levels = cltLevels_Make( leaves->room );
    frontier->recordsMoves = recordsMoves;
    const uint32_t nodeCount = cltLevels_NodeCount( &frontier->levels );
    CLT_TRY( cltCudaBuffer_Reserve( &frontier->nodes, device, nodeCount, sizeof( cltLevelNode ) ) );
    CLT_TRY( cltCudaBuffer_Reserve( &frontier->moves, device, nodeCount, sizeof( uint8_t ) ) );
    CLT_TRY( cltDeviceFrontier_Reserve( frontier, device, InitialPairCapacity( leaves->room ) ) );
    const cltLevelTree tree = cltDeviceFrontier_View( frontier );
    const uint32_t pieceCount = ( leaves->room + PIECE_LEAF_COUNT - 1u ) / PIECE_LEAF_COUNT;
    CLT_TRY( cltLaunchBlocks( device, "join pieces", pieceCount, CLT_BLOCK_SIZE, JoinPiecesKernel, tree, leaves->view,
                              (const cltPlan*)cltDeviceLeaves_Plan( leaves ) ) );
    return cltLaunchBlocks( device, "join top", tree.levels.top > PIECE_LEVELS ? 1u : 0u, TOP_BLOCK_SIZE, JoinTopKernel,
                            tree );
}
