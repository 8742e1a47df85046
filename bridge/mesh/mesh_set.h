// SPDX-License-Identifier: Zlib
/// \file mesh_set.h The data of a set of meshes. Each mesh has a proxy in a broadphase, with the same id. The finder
/// (gpu/mesh/meshes.h) finds pairs of triangles. mesh_set.c stores the meshes; mesh_search.c updates and searches them.
/// The worker pools of the set and of its broadphase share the threads of the process.
#ifndef CLT_BRIDGE_MESH_SET_H
#define CLT_BRIDGE_MESH_SET_H

#include "bridge/mesh/cullet_mesh.h"
#include "gpu/mesh/meshes.h"

struct cltMeshSet
{
    cltMemory memory;
    cltWorkerPool* pool;
    cltBroadphase* broadphase;
    cltMeshFinder* finder;
    cltMeshDevice* device; ///< searches for pairs of triangles; NULL: the CPU searches
    uint32_t deviceFailureCount;
    cltLogFcn* log;
    void* userContext;
    cltPrecision precision;
    cltBuffer meshes; ///< cltMesh*, by id; NULL for unused ids
    uint32_t meshCount;
    cltBuffer firsts[clt_partCount]; ///< uint32_t, numbers of the meshes' first parts, see cltMeshSearch
    cltBuffer meshPairs;             ///< cltPair
    uint64_t layout;                 ///< counts created and destroyed meshes and new filters, see cltMeshSearch
    uint64_t triangleCount;
    uint64_t vertexCount;
    cltMeshStats stats;
};

/// \return NULL if there is no such mesh
static inline cltMesh* cltMeshSet_Find( const cltMeshSet* set, cltMeshId id )
{
    return id < set->meshCount ? ( (cltMesh* const*)set->meshes.data )[id] : NULL;
}

#endif
