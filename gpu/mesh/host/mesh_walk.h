// SPDX-License-Identifier: Zlib
/// \file mesh_walk.h
/// Down the trees of two meshes at once, or of one with itself, by one thread.
#ifndef CLT_HOST_MESH_WALK_H
#define CLT_HOST_MESH_WALK_H

#include "gpu/core/node_pair.h"
#include "gpu/host/pair_sink.h"
#include "gpu/mesh/host/mesh_tree.h"

/// One of the two meshes.
typedef struct cltMeshSide
{
    const cltMesh* mesh;
    cltMeshView view;
    const uint32_t* triangles;      ///< by leaf: its number in the mesh
    uint32_t firsts[clt_partCount]; ///< see cltMeshSearch
} cltMeshSide;

typedef struct cltMeshWalk
{
    cltMeshSide sides[2];
    cltMeshPart partA;
    cltMeshPart partB;
    uint32_t bitsB; ///< of a key: those of partB's number
    cltMeshTest test;
    bool isSelf;
    bool skipsShared; ///< of one mesh: what shares a vertex is no pair
    cltPairBlock* block;
    uint64_t candidateCount;
    uint64_t sharedCount;
} cltMeshWalk;

/// Two nodes, and the levels they are of.
typedef struct cltNodeVisit
{
    cltNodePair pair;
    uint32_t levelA;
    uint32_t levelB;
} cltNodeVisit;

/// Finds all pairs of what lies below the two.
void cltMeshWalk_From( cltMeshWalk* walk, cltNodeVisit entry );

#endif
