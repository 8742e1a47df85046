// SPDX-License-Identifier: Zlib
/// \file meshes.h Finds pairs of triangles. On the host, each mesh has a tree over its triangles, updated when the mesh
/// moves. One search covers the trees of all meshes near each other, on the host or on a device.
#ifndef CLT_GPU_MESHES_H
#define CLT_GPU_MESHES_H

#include "bridge/mesh/cullet_mesh.h"
#include "gpu/core/level_tree.h"
#include "gpu/mesh/core/mesh.h"
#include "gpu/platform/memory.h"
#include "gpu/platform/worker_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cltMesh cltMesh;
typedef struct cltMeshFinder cltMeshFinder;

/// The parts of a mesh that form pairs.
typedef enum cltMeshPart
{
    clt_partTriangle,
    clt_partVertex,
    clt_partEdge,
    clt_partCount
} cltMeshPart;

/// Coordinates of vertices, in the set's precision.
typedef struct cltVertices
{
    const void* at; ///< three coordinates per vertex
    bool isDouble;
} cltVertices;

/// Creates a mesh.
/// \param def       validated by the caller; the mesh copies all that it points to
/// \param vertices  the def's vertices, in either precision
cltStatus cltCreateMesh( cltMemory* memory, const cltMeshDef* def, cltVertices vertices, cltMesh** mesh );
void cltDestroyMesh( cltMesh* mesh, cltMemory* memory ); ///< may be NULL

void cltMesh_MoveVertices( cltMesh* mesh, const void* vertices );
cltStatus cltMesh_Place( cltMesh* mesh, cltMemory* memory, const void* matrix );

uint32_t cltMesh_PartCount( const cltMesh* mesh, cltMeshPart part ); ///< 0 for edges until edges are first needed
uint32_t cltMesh_HiddenCount( const cltMesh* mesh );
bool cltMesh_SelfCollides( const cltMesh* mesh ); ///< whether pairs within the mesh are found
bool cltMesh_IsStale( const cltMesh* mesh );      ///< whether the mesh moved since its tree was built
uint64_t cltMesh_UserData( const cltMesh* mesh );

/// A mesh's data for a device, valid after cltMeshFinder_Fit.
typedef struct cltMeshArrays
{
    cltMeshView view;          ///< corners are in the tree's order
    const cltLevels* levels;   ///< the levels of the tree
    const uint32_t* triangles; ///< by leaf, the triangle's number in the mesh
    uint32_t vertexCount;
    uint32_t triangleCount;
    uint64_t fitStamp;   ///< changes when vertices may have moved; unique among the meshes of a set
    uint64_t orderStamp; ///< changes when the order of leaves may have changed
    bool keepsShared;
} cltMeshArrays;

cltMeshArrays cltMesh_Arrays( const cltMesh* mesh );

/// A finder has the data that all meshes of a set share: scratch memory, and the pairs of the last search.
cltStatus cltCreateMeshFinder( cltMemory* memory, cltWorkerPool* pool, cltMeshFinder** finder );
void cltDestroyMeshFinder( cltMeshFinder* finder, cltMemory* memory ); ///< may be NULL

/// Updates a mesh's tree.
/// \param[out] box  the bounds of all triangles; NaN if all triangles are hidden
cltStatus cltMeshFinder_Fit( cltMeshFinder* finder, cltMesh* mesh, cltAabb* box, cltMeshStats* stats );

/// Assigns each vertex, or each edge, to one of its triangles, so that it is found once. To be called after Fit.
cltStatus cltMeshFinder_AssignParts( cltMeshFinder* finder, cltMesh* mesh, cltMeshPart part );

/// The input of a search: triangles with triangles, vertices with triangles, or edges with edges.
typedef struct cltMeshSearch
{
    cltMesh* const* meshes; ///< by id; NULL for unused ids
    /// by id, the number of parts in meshes with smaller ids; the last entry is the total
    const uint32_t* firsts[clt_partCount];
    uint32_t meshCount;       ///< number of ids
    const cltPair* meshPairs; ///< meshes that may pair, ascending; a mesh with selfCollision is paired with itself
    size_t meshPairCount;
    uint64_t layout; ///< changes when meshes are created or destroyed, or filters change
    cltMeshPart partA;
    cltMeshPart partB;
    cltMeshTest test;
} cltMeshSearch;

/// The number of bits of a part's number in a key.
static inline uint32_t cltMeshSearch_Bits( const cltMeshSearch* search, cltMeshPart part )
{
    return cltIndexBits( search->firsts[part][search->meshCount] );
}

/// The result of a search. A key has the number of partA in the set in the higher bits, and that of partB in the lower.
typedef struct cltMeshKeys
{
    const uint64_t* keys; ///< ascending; valid until the next search
    size_t count;
} cltMeshKeys;

/// A device that finds the keys of pairs of triangles. It may fail with clt_deviceMemory, clt_deviceFailed or
/// clt_noDevice, without losing data. After a failure only `failure` and `destroy` may be used.
typedef struct cltMeshDevice cltMeshDevice;
struct cltMeshDevice
{
    /// Finds the keys. Sets the counts in `stats`, but neither times nor pairCount.
    cltStatus ( *find )( cltMeshDevice* device, const cltMeshSearch* search, cltMeshKeys* keys, cltMeshStats* stats );
    void ( *destroy )( cltMeshDevice* device );
    const char* failure; ///< the reason of a failure, or empty
    size_t bytes;        ///< allocated on the device
};

/// \return clt_noDevice if no CUDA device can be used
cltStatus cltCreateCudaMeshDevice( const cltBroadphaseDef* def, cltMemory* memory, cltMeshDevice** device );

/// Finds all pairs. Those of meshes that did not move are kept from the last search with equal parts, layout and test.
/// \param device      searches for triangles if not NULL; the host always searches for vertices and edges
/// \param[out] pairs  cltTrianglePair, cltVertexFace or cltEdgePair
cltStatus cltMeshFinder_FindPairs( cltMeshFinder* finder, cltMeshDevice* device, const cltMeshSearch* search,
                                   const void** pairs, size_t* count, cltMeshStats* stats );

#ifdef __cplusplus
}
#endif

#endif
