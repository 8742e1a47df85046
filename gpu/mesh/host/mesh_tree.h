// SPDX-License-Identifier: Zlib
/// \file mesh_tree.h
/// The host's copy of a mesh, and the tree over its triangles.
#ifndef CLT_HOST_MESH_TREE_H
#define CLT_HOST_MESH_TREE_H

#include "gpu/host/level_tree.h"
#include "gpu/host/radix_sort.h"
#include "gpu/mesh/core/mesh.h"
#include "gpu/mesh/meshes.h"

struct cltMesh
{
    cltBuffer now;         ///< current positions of the vertices
    cltBuffer before;      ///< previous positions; empty unless the mesh is swept
    cltBuffer given;       ///< positions before cltMesh_Place transforms them; empty until its first call
    cltBuffer corners;     ///< three vertices per triangle, in the tree's order
    cltBuffer numbers;     ///< by leaf: its triangle's number in the mesh
    cltBuffer edges;       ///< uint64_t, ascending: lower vertex << 32 | higher vertex; empty until a search for edges
    cltBuffer edgeNumbers; ///< by triangle: the numbers of its three edges
    cltBuffer ownParts[clt_partCount]; ///< uint8_t, by triangle: bit i if its corner or edge i is assigned to it
    bool hasOwnParts[clt_partCount];   ///< true if `ownParts` is computed
    cltLevelStorage room;
    cltLevelTree tree;
    uint64_t fitStamp; ///< see cltMeshArrays
    uint64_t orderStamp;
    /// the sum of box sizes after the last sort (mesh_tree.c), lowered if a later sum is less than half; negative if
    /// never sorted
    double sortedSpread;
    uint64_t userData;
    uint32_t vertexCount;
    uint32_t triangleCount;
    uint32_t edgeCount;
    uint32_t hiddenCount;
    float thickness;
    bool isDouble;
    bool isSwept;
    bool selfCollides;
    bool keepsShared;
    bool isPlaced; ///< `given` holds the positions that the caller set last
    bool isStale;  ///< vertices moved since the tree was built
};

cltMeshView cltMesh_View( const cltMesh* mesh );

/// An edge by its number: lower vertex << 32 | higher vertex.
static inline uint64_t cltMesh_Edge( const cltMesh* mesh, uint32_t number )
{
    return ( (const uint64_t*)mesh->edges.data )[number];
}

/// Scratch memory for building trees. Empty and valid if zero-initialized.
typedef struct cltMeshScratch
{
    cltRadixSort sort;
    cltBuffer keys;
    cltBuffer sorted; ///< corners, then triangle numbers, in the new order
    cltBuffer given;  ///< uint8_t, by vertex or edge: 1 if it is assigned to a triangle
} cltMeshScratch;

/// Builds the tree. Sorts the triangles along a curve if they were never sorted, or if the boxes of neighbours have
/// grown too much since the last sort.
cltStatus cltMesh_MakeTree( cltMesh* mesh, cltMeshScratch* scratch, cltWorkerPool* pool, cltMemory* memory,
                            bool* wasSorted );

/// Assigns each vertex, or each edge, to one visible triangle that contains it. Does nothing if the last assignment is
/// still valid. A part of hidden triangles alone is not assigned. The first call for edges also numbers them.
cltStatus cltMesh_AssignParts( cltMesh* mesh, cltMeshPart part, cltMeshScratch* scratch, cltWorkerPool* pool,
                               cltMemory* memory );

void cltMeshScratch_Release( cltMeshScratch* scratch, cltMemory* memory );

#endif
