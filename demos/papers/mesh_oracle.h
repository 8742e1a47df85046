// SPDX-License-Identifier: Zlib
/// \file mesh_oracle.h
/// The triangles of a mesh scene, and which pairs of them overlap. Independent of the library: pairs come from a sweep
/// over boxes, k-DOPs are compared direction by direction, and integers decide whether triangles intersect.
#ifndef CLT_PAPERS_MESH_ORACLE_H
#define CLT_PAPERS_MESH_ORACLE_H

#include "demos/oracle/oracle.h"
#include "demos/scenes/meshes.h"

#include <memory>

namespace cullet::papers
{

struct Triangle
{
    const float* corners[3];
};

using MeshScenePointer = std::unique_ptr<cltMeshScene, decltype( &cltDestroyMeshScene )>;

/// Throws std::runtime_error if memory runs out.
MeshScenePointer createMeshScene( cltMeshSceneKind kind, std::uint32_t triangleCount, float speed );

/// The triangles of all meshes, those of the first mesh first. Pairs number them in this order. The corners point into
/// the scene.
std::vector<Triangle> trianglesOf( const cltMeshScene& scene );

/// Whether two triangles of a scene share a vertex.
bool areNeighbours( const Triangle& a, const Triangle& b );

std::vector<cltAabb> boxesOf( const cltMeshScene& scene );

/// The index of the mesh of each triangle.
std::vector<std::uint32_t> meshNumbersOf( const cltMeshScene& scene );

/// Which triangles may pair.
enum class Between
{
    all,    ///< all triangles, also of the same mesh
    meshes, ///< only triangles of different meshes
};

/// The number of directions in which intervals must overlap, from the start of the list x, y, z, x+y, x+z, y+z, x-y,
/// x-z, y-z.
enum class Directions
{
    three = 3,
    nine = 9
};

PairSet trianglePairs( const cltMeshScene& scene, Between between, Directions directions );

/// Whether two triangles intersect, as closed sets: touching counts. Exact.
bool intersectExactly( const Triangle& a, const Triangle& b );

} // namespace cullet::papers

#endif
