// SPDX-License-Identifier: Zlib
/// \file binding.h
/// The functions that Python calls through ctypes: the C API with flat arguments, a lock around each call, and copied
/// results, which the caller frees. ctypes releases the interpreter lock, so other Python threads run during a call.
///
/// All functions but cltWorld_Destroy and cltMeshes_Destroy are safe to call from any thread. Calls that change a
/// world, and all calls on a set of meshes, take turns; queries run in parallel. Boxes and vertices have the precision
/// of their world or set unless a comment says otherwise.
#ifndef CLT_PYTHON_BINDING_H
#define CLT_PYTHON_BINDING_H

#include "cullet.h"
#include "cullet_mesh.h"
#include "cullet_queries.h"
#include "cullet_research.h"

typedef struct cltWorld cltWorld;

/// Statuses in addition to those of the C API: the world is closed; the number of boxes is not that of all ids; the set
/// of meshes is closed; the number of vertices is not that of the mesh; another thread was in a call at a fork.
#define CLT_WORLD_CLOSED ( -1 )
#define CLT_WORLD_NOT_ALL ( -2 )
#define CLT_MESHES_CLOSED ( -3 )
#define CLT_MESHES_NOT_ALL ( -4 )
#define CLT_LOST_IN_FORK ( -5 )

/// A result of `count` elements, to be freed with cltArray_Release. NULL if there are none.
typedef struct cltArray
{
    void* data;
    size_t count;
} cltArray;

/// The options of a world, a part of cltBroadphaseDef.
typedef struct cltWorldOptions
{
    int device;    ///< a cltDevice
    int algorithm; ///< a cltAlgorithm
    int precision; ///< a cltPrecision
    int threadCount;
    bool reportRemoved;
} cltWorldOptions;

CLT_API int cltWorld_Create( const cltWorldOptions* options, cltWorld** world );

/// Releases everything but the handle. Later calls return CLT_WORLD_CLOSED.
CLT_API void cltWorld_Close( cltWorld* world );

/// Must be called in a forked child. If another thread of the parent was in a call, the world is unusable in the child:
/// later calls return CLT_LOST_IN_FORK, and its memory is not released.
CLT_API void cltWorld_AfterFork( cltWorld* world );

/// Releases the handle, too. No other call may be running.
CLT_API void cltWorld_Destroy( cltWorld* world );

CLT_API void cltArray_Release( void* data );

/// \param filters   NULL for group 1, mask -1
/// \param[out] ids  `count` ids
CLT_API int cltWorld_Add( cltWorld* world, size_t count, const void* boxes, const cltFilter* filters, cltProxyId* ids );

/// \param ids  NULL: boxes[i] is for id i, and ignored if that proxy was removed
CLT_API int cltWorld_Move( cltWorld* world, size_t count, const cltProxyId* ids, const void* boxes );
CLT_API int cltWorld_Filter( cltWorld* world, size_t count, const cltProxyId* ids, const cltFilter* filters );
CLT_API int cltWorld_Remove( cltWorld* world, size_t count, const cltProxyId* ids );

/// \param[out] boxes  `count` boxes, always in double precision
CLT_API int cltWorld_GetBoxes( cltWorld* world, size_t count, const cltProxyId* ids, cltAabbD* boxes );

/// If there is no memory for the result (clt_hostMemory), the next call returns it.
/// \param[out] began, ended  arrays of cltPair
CLT_API int cltWorld_Update( cltWorld* world, cltArray* began, cltArray* ended );
CLT_API int cltWorld_GetPairs( cltWorld* world, cltArray* pairs );

/// \param boxes      in double precision
/// \param[out] hits  uint64_t in no particular order: the index of the box in the upper half, the id in the lower
CLT_API int cltWorld_QueryBoxes( cltWorld* world, size_t count, const cltAabbD* boxes, cltArray* hits );

/// All proxies that the segment meets, in no particular order.
/// \param[out] ids        an array of cltProxyId
/// \param[out] fractions  an array of double, as long
CLT_API int cltWorld_CastRay( cltWorld* world, const double from[3], const double to[3], cltArray* ids,
                              cltArray* fractions );

/// The first proxy that each ray hits; of several at the same distance, the one with the smallest id.
/// \param from, to  `count` points each, x y z
/// \param[out] ids        `count` ids; -1 without a hit
/// \param[out] fractions  `count` fractions; infinite without a hit
CLT_API int cltWorld_CastRays( cltWorld* world, size_t count, const double* from, const double* to, int64_t* ids,
                               double* fractions );

/// Everything that the C API counts of the last update.
typedef struct cltWorldStats
{
    cltStats update;
    cltResearchStats research;
    size_t beganCount;
    size_t endedCount;
} cltWorldStats;

CLT_API int cltWorld_GetStats( cltWorld* world, cltWorldStats* stats );

typedef struct cltMeshes cltMeshes;

/// A cltMeshDef without its precision.
typedef struct cltMeshOptions
{
    const void* vertices;      ///< three numbers each
    size_t vertexCount;        ///
    const uint32_t* triangles; ///< three vertices each, every one below vertexCount
    size_t triangleCount;
    cltFilter filter;
    bool selfCollision;
    bool keepShared;
    bool isSwept;
    float thickness;
} cltMeshOptions;

/// \param precision  a cltPrecision
CLT_API int cltMeshes_Create( int precision, int threadCount, cltMeshes** meshes );

/// Releases everything but the handle. Later calls return CLT_MESHES_CLOSED.
CLT_API void cltMeshes_Close( cltMeshes* meshes );

/// As cltWorld_AfterFork.
CLT_API void cltMeshes_AfterFork( cltMeshes* meshes );

/// Releases the handle, too. No other call may be running.
CLT_API void cltMeshes_Destroy( cltMeshes* meshes );

CLT_API int cltMeshes_Add( cltMeshes* meshes, const cltMeshOptions* options, cltMeshId* mesh );

/// \param vertices  as many as the mesh was added with, or CLT_MESHES_NOT_ALL
CLT_API int cltMeshes_Move( cltMeshes* meshes, cltMeshId mesh, size_t vertexCount, const void* vertices );

/// \param matrix  three rows of four
CLT_API int cltMeshes_Place( cltMeshes* meshes, cltMeshId mesh, const void* matrix );
CLT_API int cltMeshes_Filter( cltMeshes* meshes, cltMeshId mesh, const cltFilter* filter );
CLT_API int cltMeshes_Remove( cltMeshes* meshes, cltMeshId mesh );

/// \param test  a cltMeshTest
/// \param[out] pairs  an array of cltTrianglePair
CLT_API int cltMeshes_FindPairs( cltMeshes* meshes, int test, cltArray* pairs );

/// \param[out] pairs  an array of cltVertexFace
CLT_API int cltMeshes_FindVertexFaces( cltMeshes* meshes, int test, cltArray* pairs );

/// \param[out] pairs  an array of cltEdgePair
CLT_API int cltMeshes_FindEdgePairs( cltMeshes* meshes, int test, cltArray* pairs );
CLT_API int cltMeshes_GetStats( cltMeshes* meshes, cltMeshStats* stats );

/// Sizes of the structs that Python reads directly, to detect a mismatch.
CLT_API size_t cltWorld_StatsSize( void );
CLT_API size_t cltWorld_DeviceReportSize( void );
CLT_API size_t cltMeshes_StatsSize( void );

#endif
