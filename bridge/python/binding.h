// SPDX-License-Identifier: Zlib
/// \file binding.h
/// What Python calls, through ctypes: the C API with flat arguments, a lock around each call, and results that are
/// copied into memory of their own. So a call is whole before Python runs again, whatever other threads do meanwhile,
/// and no array that Python holds is ever overwritten or freed under it.
///
/// Every call may come from any thread at any time but cltWorld_Destroy and cltMeshes_Destroy. Calls that change a
/// world take turns, and all that are about the same meshes; queries run beside each other. Boxes and vertices are in
/// the precision of their world or set where nothing else is said.
#ifndef CLT_PYTHON_BINDING_H
#define CLT_PYTHON_BINDING_H

#include "cullet.h"
#include "cullet_mesh.h"
#include "cullet_queries.h"
#include "cullet_research.h"

typedef struct cltWorld cltWorld;

/// Statuses beside those of the C API: the world was closed; not one box for each id that was ever given out; the set
/// of meshes was closed; not as many vertices as the mesh was added with; another thread was in a call when the process
/// was forked.
#define CLT_WORLD_CLOSED ( -1 )
#define CLT_WORLD_NOT_ALL ( -2 )
#define CLT_MESHES_CLOSED ( -3 )
#define CLT_MESHES_NOT_ALL ( -4 )
#define CLT_LOST_IN_FORK ( -5 )

/// A result: `count` elements, for cltArray_Release to free. NULL where there are none.
typedef struct cltArray
{
    void* data;
    size_t count;
} cltArray;

/// What a world may be told, which is less than a cltBroadphaseDef.
typedef struct cltWorldOptions
{
    int device;    ///< a cltDevice
    int algorithm; ///< a cltAlgorithm
    int precision; ///< a cltPrecision
    int threadCount;
    bool reportRemoved;
} cltWorldOptions;

CLT_API int cltWorld_Create( const cltWorldOptions* options, cltWorld** world );

/// Gives back all but the world itself, which from then on answers CLT_WORLD_CLOSED.
CLT_API void cltWorld_Close( cltWorld* world );

/// To be called in the child of a fork, by its only thread. What another thread of the parent was changing is of no use
/// here: from then on it answers CLT_LOST_IN_FORK, and its memory is not given back.
CLT_API void cltWorld_AfterFork( cltWorld* world );

/// Nobody may use the world any more.
CLT_API void cltWorld_Destroy( cltWorld* world );

CLT_API void cltArray_Release( void* data );

/// \param filters  NULL for those that pair with everything
/// \param[out] ids  room for `count`
CLT_API int cltWorld_Add( cltWorld* world, size_t count, const void* boxes, const cltFilter* filters, cltProxyId* ids );

/// \param ids  NULL for all: boxes[i] is that of id i, and passed over where that was removed
CLT_API int cltWorld_Move( cltWorld* world, size_t count, const cltProxyId* ids, const void* boxes );
CLT_API int cltWorld_Filter( cltWorld* world, size_t count, const cltProxyId* ids, const cltFilter* filters );
CLT_API int cltWorld_Remove( cltWorld* world, size_t count, const cltProxyId* ids );

/// \param[out] boxes  room for `count`, in double whatever the world's precision
CLT_API int cltWorld_GetBoxes( cltWorld* world, size_t count, const cltProxyId* ids, cltAabbD* boxes );

/// When there is no memory for the result (clt_hostMemory), the next call hands it out.
/// \param[out] began, ended  arrays of cltPair
CLT_API int cltWorld_Update( cltWorld* world, cltArray* began, cltArray* ended );
CLT_API int cltWorld_GetPairs( cltWorld* world, cltArray* pairs );

/// \param boxes  in double whatever the world's precision
/// \param[out] hits  an array of uint64_t in no particular order, the box's index in the upper half, the id below
CLT_API int cltWorld_QueryBoxes( cltWorld* world, size_t count, const cltAabbD* boxes, cltArray* hits );

/// All that the segment meets, in no particular order.
/// \param[out] ids        an array of cltProxyId
/// \param[out] fractions  an array of double, as long
CLT_API int cltWorld_CastRay( cltWorld* world, const double from[3], const double to[3], cltArray* ids,
                              cltArray* fractions );

/// The first that each ray meets; of several that it enters at once the one with the smallest id.
/// \param from, to  `count` points each, x y z
/// \param[out] ids        room for `count`; -1 where nothing is met
/// \param[out] fractions  room for `count`; infinite where nothing is met
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

/// Gives back all but the set itself, which from then on answers CLT_MESHES_CLOSED.
CLT_API void cltMeshes_Close( cltMeshes* meshes );

/// As cltWorld_AfterFork.
CLT_API void cltMeshes_AfterFork( cltMeshes* meshes );

/// Nobody may use the set any more.
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

/// How large the structs are that Python reads itself, so that it notices when it would read them wrongly.
CLT_API size_t cltWorld_StatsSize( void );
CLT_API size_t cltWorld_DeviceReportSize( void );
CLT_API size_t cltMeshes_StatsSize( void );

#endif
