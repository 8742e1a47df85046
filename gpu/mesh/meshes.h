// SPDX-License-Identifier: Zlib
/// \file meshes.h
/// What finds pairs of triangles: on the host a tree over each mesh's triangles, brought up to date when the mesh
/// moved; and one search through the trees of all meshes that are near each other, on the host or on a device.
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

/// What of a mesh pairs are of.
typedef enum cltMeshPart
{
    clt_partTriangle,
    clt_partVertex,
    clt_partEdge,
    clt_partCount
} cltMeshPart;

/// Coordinates of vertices, of the precision of the set.
typedef struct cltVertices
{
    const void* at; ///< three a vertex
    bool isDouble;
} cltVertices;

/// \param def       checked; of it everything is copied
/// \param vertices  the def's, in either precision
cltStatus cltCreateMesh( cltMemory* memory, const cltMeshDef* def, cltVertices vertices, cltMesh** mesh );
void cltDestroyMesh( cltMesh* mesh, cltMemory* memory ); ///< NULL is fine

void cltMesh_MoveVertices( cltMesh* mesh, const void* vertices );
cltStatus cltMesh_Place( cltMesh* mesh, cltMemory* memory, const void* matrix );

uint32_t cltMesh_PartCount( const cltMesh* mesh, cltMeshPart part ); ///< no edges until they were asked for
uint32_t cltMesh_HiddenCount( const cltMesh* mesh );
bool cltMesh_SelfCollides( const cltMesh* mesh ); ///< whether it is searched for pairs of its own
bool cltMesh_IsStale( const cltMesh* mesh );      ///< it moved since its tree was made
uint64_t cltMesh_UserData( const cltMesh* mesh );

/// What a device has to know of a mesh, after Fit.
typedef struct cltMeshArrays
{
    cltMeshView view;          ///< its corners are in the tree's order
    const cltLevels* levels;   ///< of the tree
    const uint32_t* triangles; ///< by leaf: its number in the mesh
    uint32_t vertexCount;
    uint32_t triangleCount;
    uint64_t fitStamp;   ///< another one when vertices may have moved; no two meshes of a set ever have the same
    uint64_t orderStamp; ///< another one when leaves may have another order
    bool keepsShared;
} cltMeshArrays;

cltMeshArrays cltMesh_Arrays( const cltMesh* mesh );

/// What all meshes of a set share: scratch, and the pairs that were found last.
cltStatus cltCreateMeshFinder( cltMemory* memory, cltWorkerPool* pool, cltMeshFinder** finder );
void cltDestroyMeshFinder( cltMeshFinder* finder, cltMemory* memory ); ///< NULL is fine

/// Brings a mesh's tree up to date.
/// \param[out] box  around all its triangles; no numbers where it has none that is not hidden
cltStatus cltMeshFinder_Fit( cltMeshFinder* finder, cltMesh* mesh, cltAabb* box, cltMeshStats* stats );

/// Makes ready what is looked for: each vertex, or each edge, is one triangle's own. After Fit.
cltStatus cltMeshFinder_AssignParts( cltMeshFinder* finder, cltMesh* mesh, cltMeshPart part );

/// Where to search, and for what: triangles with triangles, vertices with triangles, edges with edges.
typedef struct cltMeshSearch
{
    cltMesh* const* meshes;                ///< by id; NULL where there is none
    const uint32_t* firsts[clt_partCount]; ///< by id: parts of meshes with smaller ids; one more at the end, of all
    uint32_t meshCount;                    ///< ids that there are
    const cltPair* meshPairs; ///< meshes that may pair, ascending; a mesh that may pair with itself is one too
    size_t meshPairCount;
    uint64_t layout; ///< another one after meshes came or went, or their filters changed
    cltMeshPart partA;
    cltMeshPart partB;
    cltMeshTest test;
} cltMeshSearch;

/// Bits that the numbers of a part take in a key.
static inline uint32_t cltMeshSearch_Bits( const cltMeshSearch* search, cltMeshPart part )
{
    return cltIndexBits( search->firsts[part][search->meshCount] );
}

/// What a search found: partA's number in the set, and in the lower bits partB's.
typedef struct cltMeshKeys
{
    const uint64_t* keys; ///< ascending; whoever searched has them until its next search
    size_t count;
} cltMeshKeys;

/// A device that finds the keys of pairs of triangles. When it fails, with clt_deviceMemory, clt_deviceFailed or
/// clt_noDevice, nothing was lost; from then on only `failure` and `destroy` may be asked for.
typedef struct cltMeshDevice cltMeshDevice;
struct cltMeshDevice
{
    /// Notes what it counted, but neither times nor pairs.
    cltStatus ( *find )( cltMeshDevice* device, const cltMeshSearch* search, cltMeshKeys* keys, cltMeshStats* stats );
    void ( *destroy )( cltMeshDevice* device );
    const char* failure; ///< what it said, or empty
    size_t bytes;        ///< held there
};

/// \return clt_noDevice if none answers
cltStatus cltCreateCudaMeshDevice( const cltBroadphaseDef* def, cltMemory* memory, cltMeshDevice** device );

/// Meshes that were not fitted since the last search of the same kind, layout and test are not searched again.
/// \param device      who looks for triangles, or NULL: the host, as it does for vertices and edges always
/// \param[out] pairs  cltTrianglePair, cltVertexFace or cltEdgePair
cltStatus cltMeshFinder_FindPairs( cltMeshFinder* finder, cltMeshDevice* device, const cltMeshSearch* search,
                                   const void** pairs, size_t* count, cltMeshStats* stats );

#ifdef __cplusplus
}
#endif

#endif
