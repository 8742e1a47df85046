// SPDX-License-Identifier: Zlib
/// \file device_meshes.cuh The meshes of a set on the device: vertices, triangles in tree order, and trees. Data that
/// did not change since the last search is not copied again. Trees are built on the device.
#ifndef CLT_CUDA_DEVICE_MESHES_CUH
#define CLT_CUDA_DEVICE_MESHES_CUH

#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/mesh/meshes.h"

/// A piece is 512 leaves and the nine levels of the tree above them, which one block builds.
#define CLT_MESH_PIECE_LEVELS 9u
#define CLT_MESH_PIECE_SIZE ( 1u << CLT_MESH_PIECE_LEVELS )

/// A triangle, in the tree's order.
typedef struct cltMeshLeaf
{
    CLT_ALIGNED( 16 ) uint32_t corners[3]; ///< vertex numbers in its mesh
    uint32_t triangle;                     ///< its number in the mesh
} cltMeshLeaf;

/// A mesh as kernels see it; all pointers are to device memory.
typedef struct cltDeviceMesh
{
    cltLevelTree tree;
    cltMeshView view; ///< its `corners` is NULL, because `leaves` has them
    const cltMeshLeaf* leaves;
    uint32_t firstNode;     ///< number of nodes in meshes with smaller ids
    uint32_t firstTriangle; ///< number of triangles in meshes with smaller ids
    uint32_t vertexCount;
    uint32_t keepsShared;
} cltDeviceMesh;

/// A view of all meshes.
typedef struct cltDeviceMeshesView
{
    const cltDeviceMesh* meshes; ///< by id; without leaves if the id is unused
    const uint32_t* firstNodes;  ///< by id: the number of the mesh's first node; the last entry is the total
    const uint32_t* firstPieces; ///< by id: the number of the mesh's first piece; the last entry is the total
    uint32_t meshCount;
} cltDeviceMeshesView;

/// The stamps that a mesh had when it was last copied.
typedef struct cltSentMesh
{
    uint64_t fitStamp;
    uint64_t orderStamp;
} cltSentMesh;

/// An array in host memory and its copy on the device.
typedef struct cltMirroredBuffer
{
    cltCudaBuffer pinned{ clt_memoryPinned };
    cltCudaBuffer device;
} cltMirroredBuffer;

typedef struct cltDeviceMeshes
{
    cltMirroredBuffer records; ///< the arrays to which `view` points
    cltMirroredBuffer vertices;
    cltMirroredBuffer leaves;
    cltCudaBuffer nodes;
    cltBuffer sent; ///< cltSentMesh, by id
    uint32_t sentCount;
    uint32_t pieceCount;
    uint32_t top; ///< highest level of all trees
    cltDeviceMeshesView view;
} cltDeviceMeshes;

/// Copies changes since the last call, and builds the trees.
cltStatus cltDeviceMeshes_Update( cltDeviceMeshes* meshes, cltCudaDevice* device, cltMemory* memory,
                                  const cltMeshSearch* search );

/// Builds all trees (build_mesh_trees.cu).
cltStatus cltDeviceMeshes_BuildTrees( const cltDeviceMeshes* meshes, cltCudaDevice* device );

/// A mesh's record in host memory.
static inline const cltDeviceMesh* cltDeviceMeshes_Record( const cltDeviceMeshes* meshes, uint32_t id )
{
    return (const cltDeviceMesh*)meshes->records.pinned.data + id;
}

/// Returns the last index with firsts[index] <= number. Skips empty ranges, which begin where the next range does.
static __host__ __device__ inline uint32_t cltFindRange( const uint32_t* firsts, uint32_t count, uint32_t number )
{
    uint32_t low = 0;
    uint32_t high = count;
    while ( high - low > 1u )
    {
        const uint32_t middle = low + ( high - low ) / 2u;
        low = firsts[middle] <= number ? middle : low;
        high = firsts[middle] <= number ? high : middle;
    }
    return low;
}

#endif
