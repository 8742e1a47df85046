// SPDX-License-Identifier: Zlib
/// \file mesh_oracle.h
/// Scenes of meshes as the tables of triangles take them, and which pairs of their triangles there must be: found by a
/// sweep over boxes, and decided one direction after the other, with nothing of the library's.
#ifndef CLT_PAPERS_MESH_ORACLE_H
#define CLT_PAPERS_MESH_ORACLE_H

#include "triangle_oracle.h"

#include "demos/oracle/oracle.h"
#include "demos/scenes/meshes.h"

#include <memory>

namespace cullet::papers
{

using MeshScenePointer = std::unique_ptr<cltMeshScene, decltype( &cltDestroyMeshScene )>;

/// Throws std::runtime_error when memory runs out.
MeshScenePointer createMeshScene( cltMeshSceneKind kind, std::uint32_t triangleCount, float speed );

/// Of all meshes, those of the first mesh first: this is how they are numbered in pairs. The corners are the scene's.
std::vector<Triangle> trianglesOf( const cltMeshScene& scene );

/// Whether two of a scene have a vertex in common.
bool areNeighbors( const Triangle& a, const Triangle& b );

std::vector<cltAabb> boxesOf( const cltMeshScene& scene );

/// For each triangle of a scene the number of its mesh.
std::vector<std::uint32_t> meshNumbersOf( const cltMeshScene& scene );

/// Who may pair with whom.
enum class Between
{
    all,    ///< triangles of one mesh as well
    meshes, ///< of different ones only
};

/// What is meant by overlapping: in how many of x, y, z, x+y, x+z, y+z, x-y, x-z, y-z.
enum class Directions
{
    three = 3,
    nine = 9
};

PairSet trianglePairs( const cltMeshScene& scene, Between between, Directions directions );

} // namespace cullet::papers

#endif
