// SPDX-License-Identifier: Zlib
/// \file find_triangles.cuh
/// Finds pairs of triangles of many meshes on the device. Passes traverse the trees of all pairs of meshes at once; two
/// more passes test the pairs of leaves.
///
///     host      what moved, pairs of meshes ──┐                                                   wait ─ pairs
///     bus                                     ▼                                         ┌ plan, keys ▲
///     device    JoinMeshPieces, -Tops │ TrianglePass … │ TriangleLeaves, MeetTriangles │ sort
///     file      build_mesh_trees.cu   │ find_triangles.cu                              │ sort_keys.cu
///
/// The host has a tree of every mesh, too: it needs the mesh's box and the order of its triangles, and searches itself
/// if the device fails. The device builds its own trees from the vertices, which are a tenth of the trees' bytes.
///
/// What the compiler reports, as in cuda_backend.cuh. Only MeetTriangles has a stack, 688 bytes for compute capability
/// 9.0, because its functions pass points by address and exact.h indexes the words of a sum. No kernel spills.
///
///     kernel           registers  shared  occupancy     bytes: read + written
///     JoinMeshPieces          40       0     75 %       86 + 64 a triangle: 45 us for a million at 3.35 TB/s
///     JoinMeshTops            34       0     75 %       1/512 of the tree; a block for each mesh above 512 triangles
///     TrianglePass            40    4112     75 %       a pair: 8 + 8 for each pair found below; nodes from caches
///     TriangleLeaves          72    4112     43 %       a pair: 8 + 8; leaves and corners from caches
///     MeetTriangles          120    4112     25 %       a pair TriangleLeaves wrote: 8 + 8; its leaves from caches
#ifndef CLT_CUDA_FIND_TRIANGLES_CUH
#define CLT_CUDA_FIND_TRIANGLES_CUH

#include "gpu/core/frontier.h"
#include "gpu/cuda/key_sink.cuh"
#include "gpu/mesh/cuda/device_meshes.cuh"

/// Counters of a search, written by its kernels. In memory the keys follow them, so that one copy returns both.
typedef struct cltMeshPlan
{
    uint64_t pairCounts[CLT_MAX_LEVELS]; ///< pairs of nodes found by each pass; may exceed the capacity
    uint64_t sharedCount;                ///< pairs of leaves that share a vertex and so are not reported
    uint64_t keyCount;
} cltMeshPlan;

/// The offset of the keys from the plan.
#define CLT_MESH_PLAN_BYTES ( ( sizeof( cltMeshPlan ) + 255u ) / 256u * 256u )

static inline uint64_t* cltMeshPlan_Keys( void* found )
{
    return (uint64_t*)( (char*)found + CLT_MESH_PLAN_BYTES );
}

/// The parameters of one search. Nodes are numbered through all meshes.
typedef struct cltTriangleSearch
{
    cltDeviceMeshesView meshes;
    const cltNodePair* entries; ///< pairs of roots to begin with; for a mesh with itself, its root twice
    uint64_t entryCount;
    uint32_t top;          ///< highest level of all trees
    cltNodePair* pairs[2]; ///< alternately input and output of passes
    uint64_t pairCapacity; ///< of each array of `pairs`
    cltMeshPlan* plan;     ///< zero before the search
    uint64_t keyCapacity;  ///< of the keys that follow the plan
    uint32_t triangleBits; ///< bits of a key for each triangle number
    cltMeshTest test;
} cltTriangleSearch;

/// Enqueues all passes.
/// \param[out] candidates  pairCounts[candidates] counts the pairs of leaves with overlapping boxes
cltStatus cltDevice_FindTriangles( const cltTriangleSearch* search, cltCudaDevice* device, uint32_t* candidates );

#endif
