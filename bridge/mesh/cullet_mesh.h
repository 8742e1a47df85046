// SPDX-License-Identifier: Zlib
/// \file cullet_mesh.h
/// Pairs of triangles of many meshes that move and deform, every one of them, exactly; of a mesh with itself too. And
/// pairs of vertices and triangles, and of edges.
///
/// Fill a def, create a set, create meshes, then each step move what moved and ask for the pairs:
///
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     cltMeshSet* set;
///     cltCreateMeshSet( &def, &set );
///     cltMeshDef garment = cltDefaultMeshDef();
///     garment.vertices = vertices; ...
///     cltMeshSet_CreateMesh( set, &garment, &mesh );
///     cltMeshSet_MoveVertices( set, mesh, vertices );
///     cltMeshSet_FindPairs( set, clt_meshTriangles, &pairs, &pairCount );
///
/// Pairs ascend by (meshA, triangleA, meshB, triangleB) and are the same bytes on any number of threads and
/// any device. Which meshes come near each other is found by a broadphase of the set's own; within those a tree over
/// each mesh's triangles is searched, all meshes at once. Triangles of meshes whose filters do not allow it are never
/// looked at.
///
/// Words beside those of cullet.h:
///
///     mesh     vertices, and triangles that name three of them each; its id is small and dense
///     corner   a triangle's vertex
///     before   where a vertex was until the mesh was last moved, whether or not there was a search between two moves;
///              where it is now, if it had a NaN
///     hidden   of a triangle with a NaN in a corner: it pairs with nothing until the corner is good again
#ifndef CLT_CULLET_MESH_H
#define CLT_CULLET_MESH_H

#include "cullet.h"

#if defined( _WIN32 ) && defined( CLT_SHARED ) && defined( CLT_MESH_BUILDING )
#define CLT_MESH_API __declspec( dllexport )
#else
#define CLT_MESH_API CLT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// How closely triangles, or vertices and triangles, or edges are looked at. Each finds a part of what the one above it
/// finds.
typedef enum cltMeshTest
{
    clt_meshBoxes,    ///< the boxes around the two overlap
    clt_meshKdops,    ///< and no plane across a diagonal of two axes separates them: their 18-DOPs overlap
    clt_meshTriangles ///< and the two meet as they are now: closed sets, touching counts, decided exactly for all
                      ///< finite vertices, however degenerate a triangle is. Neither isSwept nor thickness adds to it,
                      ///< and what has an infinite corner meets nothing
} cltMeshTest;

/// A mesh's id: the id of a destroyed mesh is given out again only after the next search for pairs.
typedef uint32_t cltMeshId;

/// Triangles that all meshes of a set may have together.
#define CLT_MAX_TRIANGLES ( 1u << 30 )

/// And vertices.
#define CLT_MAX_VERTICES ( 3u << 30 )

/// Creation parameters. Must come from cltDefaultMeshDef(). All arrays are copied.
typedef struct cltMeshDef
{
    const float* vertices;     ///< three numbers a vertex
    const double* verticesD;   ///< in place of `vertices`, in a set of clt_precisionDouble
    uint32_t vertexCount;      ///
    const uint32_t* triangles; ///< three vertices a triangle, each below vertexCount
    uint32_t triangleCount;    ///
    cltFilter filter;          ///< which meshes it may pair with, default group 1, mask -1: all
    bool selfCollision; ///< also pairs of its own triangles, default false. Two that name the same vertex are not
        ///< looked at, because they always touch there; vertices that merely lie at the same place count
    bool keepShared;   ///< those that name the same vertex are looked at too, default false
    bool isSwept;      ///< boxes and 18-DOPs are around a triangle now and before, for methods that look at what
                       ///< happens between; default false
    float thickness;   ///< by which boxes and 18-DOPs are wider on each side, rounded outward, the diagonal sides of
                       ///< 18-DOPs by the root of two times as much; finite, default 0
    uint64_t userData; ///< see cltMeshSet_GetUserData
    int internalValue; ///< set by cltDefaultMeshDef. DO NOT SET.
} cltMeshDef;

/// Two triangles: (meshA, triangleA) < (meshB, triangleB), always.
typedef struct cltTrianglePair
{
    cltMeshId meshA;
    uint32_t triangleA;
    cltMeshId meshB;
    uint32_t triangleB;
} cltTrianglePair;

/// A vertex near a triangle, or in it: (vertexMesh, vertex) and (faceMesh, triangle).
typedef struct cltVertexFace
{
    cltMeshId vertexMesh;
    uint32_t vertex;
    cltMeshId faceMesh;
    uint32_t triangle;
} cltVertexFace;

/// Two edges, each by the vertices of its mesh that it joins, the lower one first:
/// (meshA, verticesA) < (meshB, verticesB), always.
typedef struct cltEdgePair
{
    cltMeshId meshA;
    uint32_t verticesA[2];
    cltMeshId meshB;
    uint32_t verticesB[2];
} cltEdgePair;

/// What the last search did. Times are milliseconds.
typedef struct cltMeshStats
{
    uint32_t meshCount;      ///< alive now
    uint32_t triangleCount;  ///< of all of them
    uint32_t hiddenCount;    ///< of these, with a NaN in a corner
    uint32_t fitCount;       ///< meshes whose trees were made anew because they moved
    uint32_t sortCount;      ///< of these, whose triangles were put into a new order
    uint32_t redoCount;      ///< searches that were done again with more room
    size_t meshPairCount;    ///< meshes near each other, and those that are searched for pairs of their own
    uint64_t candidateCount; ///< triangles whose boxes in the tree overlapped, of meshes that moved or were not
                             ///< searched this way before
    uint64_t sharedCount;    ///< of these, or of their vertices and edges, not looked at because they share a vertex
    size_t pairCount;        ///< found
    float fitMs;             ///< bringing trees up to date
    float meshMs;            ///< pairs of meshes
    float findMs;            ///< pairs of triangles
    float orderMs;           ///< their order
    float totalMs;
    size_t hostBytes;            ///< held through the allocation hook now
    cltDevice device;            ///< that looks for triangles
    uint32_t deviceFailureCount; ///< devices that failed, after which the CPU looks for triangles
    size_t deviceBytes;          ///< held on the device now
} cltMeshStats;

/// One thread at a time may use a set; any number of sets may be used at the same time.
typedef struct cltMeshSet cltMeshSet;

/// With clt_deviceCuda pairs of triangles are found on the device; pairs of meshes, of vertices and triangles, and of
/// edges are found on the CPU always. With clt_deviceAuto all are, because no device has been measured. When the device
/// fails, no search is lost: the CPU does it, with the same pairs, and all later ones; the log hook gets one line, and
/// cltMeshStats::deviceFailureCount counts it.
/// \param def  from cltDefaultBroadphaseDef. Precision is that of the vertices; device and stream are for pairs of
///             triangles; algorithm and simd are those of the broadphase of meshes; threads and hooks serve both
/// \param[out] set  the new set, to be destroyed by the caller; NULL on failure
/// \return as cltCreateBroadphase
CLT_MESH_API cltStatus cltCreateMeshSet( const cltBroadphaseDef* def, cltMeshSet** set );

/// Gives everything back. NULL is fine.
CLT_MESH_API void cltDestroyMeshSet( cltMeshSet* set );

CLT_MESH_API cltMeshDef cltDefaultMeshDef( void );

/// \param[out] mesh  the new id
/// \return clt_invalidArgument (also for a vertex out of range, a thickness that is negative or not finite, and more
///         triangles than CLT_MAX_TRIANGLES), clt_wrongPrecision, clt_hostMemory. On an error nothing was created
CLT_MESH_API cltStatus cltMeshSet_CreateMesh( cltMeshSet* set, const cltMeshDef* def, cltMeshId* mesh );

/// Gives a mesh all its vertices anew. What they were until now is what they were before.
/// \param vertices  as many as at creation
/// \return clt_invalidArgument, clt_unknownProxy (for a mesh that is not there), clt_wrongPrecision
CLT_MESH_API cltStatus cltMeshSet_MoveVertices( cltMeshSet* set, cltMeshId mesh, const float* vertices );
CLT_MESH_API cltStatus cltMeshSet_MoveVerticesD( cltMeshSet* set, cltMeshId mesh, const double* vertices );

/// Moves all vertices by a matrix of three rows of four, from where they were given last, at creation or by
/// MoveVertices: coordinate r becomes ( ( m[4r] * x + m[4r+1] * y ) + m[4r+2] * z ) + m[4r+3], each operation rounded
/// to the set's precision. The first call for a mesh keeps a copy of what was given.
/// \return as above, clt_hostMemory
CLT_MESH_API cltStatus cltMeshSet_Place( cltMeshSet* set, cltMeshId mesh, const float matrix[12] );
CLT_MESH_API cltStatus cltMeshSet_PlaceD( cltMeshSet* set, cltMeshId mesh, const double matrix[12] );

CLT_MESH_API cltStatus cltMeshSet_SetFilter( cltMeshSet* set, cltMeshId mesh, const cltFilter* filter );
CLT_MESH_API cltStatus cltMeshSet_GetUserData( const cltMeshSet* set, cltMeshId mesh, uint64_t* userData );
CLT_MESH_API cltStatus cltMeshSet_DestroyMesh( cltMeshSet* set, cltMeshId mesh );

/// All pairs of triangles of meshes that may pair, and of meshes with themselves where they asked for it.
/// \param[out] pairs  belongs to the set, lives until its next search of any kind or destruction; NULL on an error
/// \return clt_invalidArgument, clt_hostMemory: nothing was lost, the call may be repeated
CLT_MESH_API cltStatus cltMeshSet_FindPairs( cltMeshSet* set, cltMeshTest test, const cltTrianglePair** pairs,
                                             size_t* count );

/// All pairs of a vertex and a triangle, of the same meshes, each once and ascending by (vertexMesh, vertex, faceMesh,
/// triangle): what methods start from that look for when the two meet, or keep them apart. Vertices are widened and
/// swept as their mesh's triangles are, so at clt_meshBoxes and clt_meshKdops nothing is missed that comes closer than
/// the two meshes' thicknesses together, between before and now where both are swept. A vertex of no triangle is in no
/// pair, nor is one whose triangles are all hidden.
/// \return as cltMeshSet_FindPairs
CLT_MESH_API cltStatus cltMeshSet_FindVertexFaces( cltMeshSet* set, cltMeshTest test, const cltVertexFace** pairs,
                                                   size_t* count );

/// All pairs of edges of triangles, each once whatever number of triangles has them, ascending by (meshA, verticesA,
/// meshB, verticesB). All else as for vertices and triangles. What a triangle has between a vertex and itself is no
/// edge.
CLT_MESH_API cltStatus cltMeshSet_FindEdgePairs( cltMeshSet* set, cltMeshTest test, const cltEdgePair** pairs,
                                                 size_t* count );

CLT_MESH_API cltStatus cltMeshSet_GetStats( const cltMeshSet* set, cltMeshStats* stats );

#ifdef __cplusplus
}
#endif

#endif
