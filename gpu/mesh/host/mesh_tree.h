// SPDX-License-Identifier: Zlib
/// \file mesh_tree.h
/// A mesh as the host keeps it, and the tree over its triangles.
#ifndef CLT_HOST_MESH_TREE_H
#define CLT_HOST_MESH_TREE_H

#include "gpu/host/level_tree.h"
#include "gpu/host/radix_sort.h"
#include "gpu/mesh/core/mesh.h"
#include "gpu/mesh/meshes.h"

struct cltMesh
{
    cltBuffer now;         ///< vertices
    cltBuffer before;      ///< where they were; empty unless the mesh is swept
    cltBuffer given;       ///< before they were placed; empty until they are
    cltBuffer corners;     ///< three vertices a triangle, in the tree's order
    cltBuffer numbers;     ///< by leaf: which triangle it is
    cltBuffer edges;       ///< uint64_t, ascending: lower vertex << 32 | higher one; empty until edges are asked for
    cltBuffer edgeNumbers; ///< by triangle: which three of the edges are its sides
    cltBuffer ownParts[clt_partCount]; ///< uint8_t, by triangle: bit i if its corner or side i was given to it
    bool isGivenOut[clt_partCount];    ///< each vertex, each edge is one triangle's own
    cltLevelStorage room;
    cltLevelTree tree;
    uint64_t fitStamp; ///< see cltMeshArrays
    uint64_t orderStamp;
    double
        sortedSpread; ///< of the tree since its triangles were sorted, the least but for half; below 0: they never were
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
    bool isPlaced; ///< `given` holds what was given last
    bool isStale;  ///< moved since the tree was made
};

cltMeshView cltMesh_View( const cltMesh* mesh );

/// \return lower vertex << 32 | higher one
static inline uint64_t cltMesh_Edge( const cltMesh* mesh, uint32_t number )
{
    return ( (const uint64_t*)mesh->edges.data )[number];
}

/// Scratch of making trees; zero-initialised it is empty and valid.
typedef struct cltMeshScratch
{
    cltRadixSort sort;
    cltBuffer keys;
    cltBuffer sorted; ///< corners and numbers in their new order
    cltBuffer given;  ///< uint8_t, by vertex or edge: 1 if it was given to a triangle
} cltMeshScratch;

/// Makes the tree, and sorts the triangles along a curve first if they are not, or have come apart since.
cltStatus cltMesh_MakeTree( cltMesh* mesh, cltMeshScratch* scratch, cltWorkerPool* pool, cltMemory* memory,
                            bool* wasSorted );

/// Gives each vertex, or each edge, to one triangle that has it and is not hidden, if that was not done. A part that
/// only hidden triangles have is given to none. Edges are numbered first, when they are asked for the first time.
cltStatus cltMesh_AssignParts( cltMesh* mesh, cltMeshPart part, cltMeshScratch* scratch, cltWorkerPool* pool,
                               cltMemory* memory );

void cltMeshScratch_Release( cltMeshScratch* scratch, cltMemory* memory );

#endif
