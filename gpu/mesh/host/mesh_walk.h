// SPDX-License-Identifier: Zlib
/// \file mesh_walk.h A walk on one thread that descends the trees of two meshes at once, or one tree with itself.
#ifndef CLT_HOST_MESH_WALK_H
#define CLT_HOST_MESH_WALK_H

#include "gpu/core/node_pair.h"
#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// One of the two meshes of a walk.
typedef struct cltMeshSide
{
    const cltMesh* mesh;
    cltMeshView view;
    const uint32_t* triangles;      ///< by leaf, the triangle's number in the mesh
    uint32_t firsts[clt_partCount]; ///< see cltMeshSearch
} cltMeshSide;

typedef struct cltMeshWalk
{
    cltMeshSide sides[2];
    cltMeshPart partA;
    cltMeshPart partB;
    uint32_t bitsB; ///< the number of bits of partB's number in a key
    cltMeshTest test;
    bool isSelf;
    bool skipsShared; ///< within one mesh: parts that share a vertex are no pair
    cltPairBlock* block;
    uint64_t candidateCount;
    uint64_t sharedCount;
} cltMeshWalk;

/// Two nodes and their levels.
typedef struct cltNodeVisit
{
    cltNodePair pair;
    uint32_t levelA;
    uint32_t levelB;
} cltNodeVisit;

/// Finds all pairs below two nodes.
void cltMeshWalk_From( cltMeshWalk* walk, cltNodeVisit entry );

#endif
