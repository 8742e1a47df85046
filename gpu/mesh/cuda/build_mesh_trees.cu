// SPDX-License-Identifier: Zlib
// Builds the trees of all meshes from the vertices: first with a block of threads for each piece of leaves, then with a
// block for each mesh, for the levels above the pieces.

#include "gpu/cuda/launch.cuh"
#include "gpu/mesh/cuda/device_meshes.cuh"

/// Threads in the block that builds the levels above a mesh's pieces: about 2,000 nodes for a million triangles.
#define TOP_BLOCK_SIZE 512u

/// Computes those of the nodes [first, last) of a level that exist, with all threads of the block.
static __device__ void JoinMeshNodes( const cltLevelTree* tree, uint32_t level, uint32_t first, uint32_t last )
{
    const uint32_t count = level <= tree->levels.top ? cltLevels_Count( &tree->levels, level ) : 0u;
    for ( uint32_t i = first + threadIdx.x; i < last && i < count; i += blockDim.x )
    {
        cltLevelTree_JoinStep( tree, level, tree->levels.starts[level] + i );
    }
}

/// Each block builds the levels of one piece. It reads only nodes that it wrote itself before the last barrier.
static __global__ void JoinMeshPiecesKernel( cltDeviceMeshesView meshes )
{
    const uint32_t id = cltFindRange( meshes.firstPieces, meshes.meshCount, blockIdx.x );
    const cltDeviceMesh* mesh = meshes.meshes + id;
    const uint32_t leafCount = cltLevels_LeafCount( &mesh->tree.levels );
    const uint32_t first = ( blockIdx.x - meshes.firstPieces[id] ) * CLT_MESH_PIECE_SIZE;
    for ( uint32_t i = first + threadIdx.x; i < first + CLT_MESH_PIECE_SIZE && i < leafCount; i += blockDim.x )
    {
        mesh->tree.nodes[i] = cltMeshView_Leaf( &mesh->view, mesh->leaves[i].corners );
    }
    for ( uint32_t level = 1; level <= CLT_MESH_PIECE_LEVELS; ++level )
    {
        __syncthreads();
        JoinMeshNodes( &mesh->tree, level, first >> level, ( first + CLT_MESH_PIECE_SIZE ) >> level );
    }
}

static __global__ void JoinMeshTopsKernel( cltDeviceMeshesView meshes )
{
    const cltLevelTree* tree = &meshes.meshes[blockIdx.x].tree;
    for ( uint32_t level = CLT_MESH_PIECE_LEVELS + 1u; level <= tree->levels.top; ++level )
    {
        __syncthreads();
        JoinMeshNodes( tree, level, 0, UINT32_MAX );
    }
}

cltStatus cltDeviceMeshes_BuildTrees( const cltDeviceMeshes* meshes, cltCudaDevice* device )
{
    CLT_TRY( cltLaunchBlocks( device, "join mesh pieces", meshes->pieceCount, CLT_BLOCK_SIZE, JoinMeshPiecesKernel,
                              meshes->view ) );
    const uint32_t topCount = meshes->top > CLT_MESH_PIECE_LEVELS ? meshes->view.meshCount : 0u;
    return cltLaunchBlocks( device, "join mesh tops", topCount, TOP_BLOCK_SIZE, JoinMeshTopsKernel, meshes->view );
}
