// SPDX-License-Identifier: Zlib
/// \file mesh_set.h
/// What a set of meshes is made of: a proxy in a broadphase for each mesh, whose id is the mesh's, and a finder for
/// their triangles. mesh_set.c keeps the meshes, mesh_search.c brings them up to date and searches.
#ifndef CLT_BRIDGE_MESH_SET_H
#define CLT_BRIDGE_MESH_SET_H

#include "bridge/mesh/cullet_mesh.h"
#include "bridge/mesh/mesh_device.h"

struct cltMeshSet
{
    cltMemory memory;
    cltWorkerPool* pool;
    cltBroadphase* broadphase;
    cltMeshFinder* finder;
    cltMeshHome home;
    cltPrecision precision;
    cltBuffer meshes; ///< cltMesh*, by id; NULL where there is none
    uint32_t meshCount;
    cltBuffer firsts[clt_partCount]; ///< uint32_t, see cltMeshSearch
    cltBuffer meshPairs;             ///< cltPair
    uint64_t layout;                 ///< see cltMeshSearch
    uint64_t triangleCount;
    uint64_t vertexCount;
    cltMeshStats stats;
};

/// \return NULL where there is none
static inline cltMesh* cltMeshSet_Find( const cltMeshSet* set, cltMeshId id )
{
    return id < set->meshCount ? ( (cltMesh* const*)set->meshes.data )[id] : NULL;
}

#endif
