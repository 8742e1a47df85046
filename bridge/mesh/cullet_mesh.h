// SPDX-License-Identifier: Zlib
/// \file cullet_mesh.h Finds all pairs of triangles between meshes that move and deform, and within a mesh, exactly.
/// Also finds pairs of vertices and triangles, and pairs of edges.
///
/// Fill a def, create a set, create meshes; then, in each step, move meshes and search for pairs:
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
/// Pairs ascend by (meshA, triangleA, meshB, triangleB), and are the same bytes with any number of threads and on any
/// device. The set has a broadphase of its own that finds which meshes are near each other. One search then covers the
/// triangle trees of all these meshes. Triangles are never compared if the filters of their meshes reject the pair (and
/// the def has filterMasks).
///
/// Terms beside those of cullet.h:
///
///     mesh     vertices, and triangles that refer to three of them each; its id is small and dense
///     corner   a triangle's vertex
///     before   a vertex's position until the last move of its mesh, no matter when the last search was; the current
///              position if the position until that move has a NaN
///     hidden   a triangle with a NaN in a corner: it has no pairs until the corner is good again
#ifndef CLT_CULLET_MESH_H
#define CLT_CULLET_MESH_H

#include "cullet.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How exactly two triangles, a vertex and a triangle, or two edges are compared. The pairs of each test are a subset
/// of the pairs of the previous test.
typedef enum cltMeshTest
{
    clt_meshBoxes, ///< the boxes overlap
    clt_meshKdops, ///< the 18-DOPs overlap, too: no plane across a diagonal of two axes separates them
    /// the triangles, vertices or edges themselves intersect in their current positions, decided exactly for all finite
    /// vertices, also for degenerate triangles. Sets are closed: touching counts. isSwept and thickness do not apply. A
    /// triangle with an infinite corner intersects nothing
    clt_meshTriangles
} cltMeshTest;

/// A mesh's id. The id of a destroyed mesh is reused only after the next search.
typedef uint32_t cltMeshId;

/// The largest number of triangles in a set, over all meshes.
#define CLT_MAX_TRIANGLES ( 1u << 30 )

/// The largest number of vertices in a set, over all meshes.
#define CLT_MAX_VERTICES ( 3u << 30 )

/// Creation parameters. Must come from cltDefaultMeshDef(). All arrays are copied.
typedef struct cltMeshDef
{
    const float* vertices;     ///< three numbers per vertex
    const double* verticesD;   ///< in place of `vertices`, in a set of clt_precisionDouble
    uint32_t vertexCount;      ///< vertices in the array
    const uint32_t* triangles; ///< three vertices per triangle, each below vertexCount
    uint32_t triangleCount;    ///< triangles in the array
    cltFilter filter;          ///< selects the meshes to pair with; default group 1, mask -1: all
    bool selfCollision;        ///< also finds pairs of the mesh's own triangles, default false
    /// with selfCollision, keeps pairs that share a vertex, which always touch; default false. Vertices with equal
    /// coordinates are not shared
    bool keepShared;
    /// boxes and 18-DOPs enclose a triangle's current and `before` positions, for continuous collision detection;
    /// default false
    bool isSwept;
    /// widens boxes and 18-DOPs on each side, rounded outward; diagonal sides of 18-DOPs by sqrt(2) times as much.
    /// Finite, default 0
    float thickness;
    uint64_t userData; ///< see cltMeshSet_GetUserData
    int internalValue; ///< set by cltDefaultMeshDef. DO NOT SET.
} cltMeshDef;

/// Two triangles; (meshA, triangleA) < (meshB, triangleB).
typedef struct cltTrianglePair
{
    cltMeshId meshA;    ///< the lower id, or that of both triangles
    uint32_t triangleA; ///< its index in meshA
    cltMeshId meshB;    ///< the higher id, or that of both triangles
    uint32_t triangleB; ///< its index in meshB
} cltTrianglePair;

/// A vertex near or in a triangle: (vertexMesh, vertex) and (faceMesh, triangle).
typedef struct cltVertexFace
{
    cltMeshId vertexMesh; ///< the mesh of the vertex
    uint32_t vertex;      ///< its index in that mesh
    cltMeshId faceMesh;   ///< the mesh of the triangle
    uint32_t triangle;    ///< its index in that mesh
} cltVertexFace;

/// Two edges, each named by its two vertices, the lower one first; (meshA, verticesA) < (meshB, verticesB).
typedef struct cltEdgePair
{
    cltMeshId meshA;       ///< the mesh of the first edge
    uint32_t verticesA[2]; ///< its vertices
    cltMeshId meshB;       ///< the mesh of the second edge
    uint32_t verticesB[2]; ///< its vertices
} cltEdgePair;

/// Statistics of the last search. Times are milliseconds.
typedef struct cltMeshStats
{
    uint32_t meshCount;     ///< meshes in the set
    uint32_t triangleCount; ///< triangles of all meshes
    uint32_t hiddenCount;   ///< triangles with a NaN in a corner
    uint32_t fitCount;      ///< meshes that moved, so that their tree was refitted or rebuilt
    uint32_t sortCount;     ///< moved meshes with triangles that were sorted again
    uint32_t redoCount;     ///< searches that were repeated with larger buffers
    size_t meshPairCount;   ///< pairs of meshes near each other, plus the number of meshes with selfCollision
    /// pairs of triangles with overlapping boxes in the trees; unchanged pairs of meshes reuse the previous search and
    /// are not counted
    uint64_t candidateCount;
    /// pairs of triangles, of edges, or of a vertex and a triangle, that were skipped because they share a vertex
    uint64_t sharedCount;
    size_t pairCount;            ///< pairs found
    float fitMs;                 ///< updating trees
    float meshMs;                ///< finding pairs of meshes
    float findMs;                ///< finding pairs of triangles
    float orderMs;               ///< sorting pairs of triangles
    float totalMs;               ///< the whole search
    size_t hostBytes;            ///< currently allocated through the allocation hook
    cltDevice device;            ///< the device that searches for triangles
    uint32_t deviceFailureCount; ///< devices that failed; afterwards the CPU searches for triangles
    size_t deviceBytes;          ///< currently allocated on the device
} cltMeshStats;

/// Only one thread at a time may use a set. Different sets may be used at the same time.
typedef struct cltMeshSet cltMeshSet;

/// Creates a set without meshes. With clt_deviceCuda the device finds pairs of triangles. The CPU always finds pairs of
/// meshes, of vertices and triangles, and of edges. With clt_deviceAuto the CPU finds all pairs. If the device fails,
/// no search is lost: the CPU takes over for this and all later searches, with the same pairs. The log hook gets one
/// line, and cltMeshStats::deviceFailureCount counts the failure.
/// \param def  from cltDefaultBroadphaseDef. `precision` is that of the vertices. `device` and `stream` apply to pairs
/// of triangles, `algorithm` and `simd` to pairs of meshes, threads and hooks to both
/// \param[out] set  the new set, to be destroyed by the caller; NULL on failure
/// \return as cltCreateBroadphase
CLT_API cltStatus cltCreateMeshSet( const cltBroadphaseDef* def, cltMeshSet** set );

/// Destroys a set and frees all its memory. `set` may be NULL.
CLT_API void cltDestroyMeshSet( cltMeshSet* set );

/// A def with the defaults that are listed at its members.
CLT_API cltMeshDef cltDefaultMeshDef( void );

/// Creates a mesh.
/// \param[out] mesh  the new id
/// \return clt_invalidArgument (also for a vertex out of range, a thickness that is negative or not finite, and more
/// triangles than CLT_MAX_TRIANGLES), clt_wrongPrecision, clt_hostMemory. On an error nothing is created
CLT_API cltStatus cltMeshSet_CreateMesh( cltMeshSet* set, const cltMeshDef* def, cltMeshId* mesh );

/// Replaces all vertices of a mesh. The replaced positions become the `before` positions.
/// \param vertices  as many as at creation
/// \return clt_invalidArgument, clt_unknownProxy (if there is no such mesh), clt_wrongPrecision
CLT_API cltStatus cltMeshSet_MoveVertices( cltMeshSet* set, cltMeshId mesh, const float* vertices );
/// As cltMeshSet_MoveVertices, for double vertices.
CLT_API cltStatus cltMeshSet_MoveVerticesD( cltMeshSet* set, cltMeshId mesh, const double* vertices );

/// Moves all vertices by a matrix of three rows of four, applied to the vertices last given, at creation or by
/// MoveVertices. Coordinate r becomes ( ( m[4r] * x + m[4r+1] * y ) + m[4r+2] * z ) + m[4r+3], each operation rounded
/// to the set's precision. The first call for a mesh copies the vertices that were given.
/// \return as cltMeshSet_MoveVertices, or clt_hostMemory
CLT_API cltStatus cltMeshSet_Place( cltMeshSet* set, cltMeshId mesh, const float matrix[12] );
/// As cltMeshSet_Place, in double.
CLT_API cltStatus cltMeshSet_PlaceD( cltMeshSet* set, cltMeshId mesh, const double matrix[12] );

/// Selects the meshes to pair with, from the next search on.
CLT_API cltStatus cltMeshSet_SetFilter( cltMeshSet* set, cltMeshId mesh, const cltFilter* filter );
/// The user data of the mesh's def.
CLT_API cltStatus cltMeshSet_GetUserData( const cltMeshSet* set, cltMeshId mesh, uint64_t* userData );
/// Removes a mesh and its pairs.
CLT_API cltStatus cltMeshSet_DestroyMesh( cltMeshSet* set, cltMeshId mesh );

/// Finds all pairs of triangles between meshes that may pair, and within meshes with selfCollision.
/// \param[out] pairs  owned by the set, valid until its next search of any kind or its destruction; NULL on an error
/// \return clt_invalidArgument, clt_hostMemory. On an error nothing is lost; the call may be repeated
CLT_API cltStatus cltMeshSet_FindPairs( cltMeshSet* set, cltMeshTest test, const cltTrianglePair** pairs,
                                        size_t* count );

/// Finds all pairs of a vertex and a triangle, each once, in the meshes that cltMeshSet_FindPairs compares. The pairs
/// ascend by (vertexMesh, vertex, faceMesh, triangle). Methods that compute or prevent contacts need them. Vertices are
/// widened and swept as their mesh's triangles are. So clt_meshBoxes and clt_meshKdops miss nothing that comes closer
/// than the sum of both thicknesses, during the whole motion if both are swept. A vertex has no pairs if it belongs to
/// no triangle, or only to hidden ones.
/// \return as cltMeshSet_FindPairs
CLT_API cltStatus cltMeshSet_FindVertexFaces( cltMeshSet* set, cltMeshTest test, const cltVertexFace** pairs,
                                              size_t* count );

/// Finds all pairs of triangle edges, each once even if several triangles share an edge, ascending by (meshA,
/// verticesA, meshB, verticesB). Otherwise as cltMeshSet_FindVertexFaces. A degenerate edge from a vertex to itself is
/// ignored.
CLT_API cltStatus cltMeshSet_FindEdgePairs( cltMeshSet* set, cltMeshTest test, const cltEdgePair** pairs,
                                            size_t* count );

/// What the last search did.
CLT_API cltStatus cltMeshSet_GetStats( const cltMeshSet* set, cltMeshStats* stats );

#ifdef __cplusplus
}
#endif

#endif
