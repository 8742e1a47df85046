// SPDX-License-Identifier: Zlib
/// \file device_meshes.cuh
/// The meshes of a set on the device: their vertices, their triangles in the trees' order, and the trees. What did not
/// change since the last search does not cross the bus again; trees are made there.
#ifndef CLT_CUDA_DEVICE_MESHES_CUH
#define CLT_CUDA_DEVICE_MESHES_CUH

#include "gpu/cuda/cuda_buffer.cuh"
#include "gpu/mesh/meshes.h"

/// Leaves of a piece: a block makes the lower levels of the tree above it.
#define CLT_MESH_PIECE_LEVELS 9u
#define CLT_MESH_PIECE_SIZE ( 1u << CLT_MESH_PIECE_LEVELS )

/// A triangle, in the tree's order.
typedef struct cltMeshLeaf
{
    CLT_ALIGNED( 16 ) uint32_t corners[3]; ///< vertices of its mesh
    uint32_t triangle;                     ///< its number in the mesh
} cltMeshLeaf;

/// A mesh as kernels see it; all it points to lies on the device.
typedef struct cltDeviceMesh
{
    cltLevelTree tree;
    cltMeshView view; ///< without corners: they are in the leaves
    const cltMeshLeaf* leaves;
    uint32_t firstNode;     ///< nodes of meshes with smaller ids
    uint32_t firstTriangle; ///< and triangles
    uint32_t vertexCount;
    uint32_t keepsShared;
} cltDeviceMesh;

/// View of all meshes.
typedef struct cltDeviceMeshesView
{
    const cltDeviceMesh* meshes; ///< by id; without leaves where there is none
    const uint32_t* firstNodes;  ///< by id; one more at the end, as in the next
    const uint32_t* firstPieces; ///< pieces of leaves that blocks make trees of
    uint32_t meshCount;
} cltDeviceMeshesView;

/// What was sent of a mesh.
typedef struct cltSentMesh
{
    uint64_t fitStamp;
    uint64_t orderStamp;
} cltSentMesh;

/// One array in host memory and on the device.
typedef struct cltTwins
{
    cltCudaBuffer pinned{ clt_placePinned };
    cltCudaBuffer device;
} cltTwins;

typedef struct cltDeviceMeshes
{
    cltTwins records; ///< what the view points to
    cltTwins vertices;
    cltTwins leaves;
    cltCudaBuffer nodes;
    cltBuffer sent; ///< cltSentMesh, by id
    uint32_t sentCount;
    uint32_t pieceCount;
    uint32_t top; ///< the highest of all trees
    cltDeviceMeshesView view;
} cltDeviceMeshes;

/// Sends what changed since it was sent last, and has the trees made.
cltStatus cltDeviceMeshes_Update( cltDeviceMeshes* meshes, cltCudaDevice* device, cltMemory* memory,
                                  const cltMeshSearch* search );

/// Has all trees made (build_mesh_trees.cu).
cltStatus cltDeviceMeshes_Join( const cltDeviceMeshes* meshes, cltCudaDevice* device );

/// A mesh as it was written for the device; the host may read it.
static inline const cltDeviceMesh* cltDeviceMeshes_Record( const cltDeviceMeshes* meshes, uint32_t id )
{
    return (const cltDeviceMesh*)meshes->records.pinned.data + id;
}

/// The last of `count` that begins at `number` or before: those that hold nothing begin where the next one does.
static __host__ __device__ inline uint32_t cltLastBefore( const uint32_t* firsts, uint32_t count, uint32_t number )
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
