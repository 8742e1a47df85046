// SPDX-License-Identifier: Zlib
/// \file engine.h
/// Engines of three libraries that find the pairs of triangles of two meshes.
#ifndef CLT_OTHERS_MESHES_ENGINE_H
#define CLT_OTHERS_MESHES_ENGINE_H

extern "C" {
#include "demos/scenes/meshes.h"
}

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace cullet::others
{

/// Pairs of a triangle of the first mesh and a triangle of the second.
using MeshPairs = std::vector<std::array<std::uint32_t, 2>>;

class MeshEngine
{
public:
    virtual ~MeshEngine() = default;

    /// Reads all current vertices, and finds all pairs of triangles that intersect, in any order.
    virtual void step( const cltMesh& first, const cltMesh& second, MeshPairs& pairs ) = 0;
};

/// \param threadCount  0: all processors
std::unique_ptr<MeshEngine> createCulletMeshes( const cltMesh& first, const cltMesh& second, int threadCount );

/// FCL with refitted trees of axis-aligned boxes, the fastest of FCL's trees here. Calls `collide` with all contacts,
/// on one thread.
std::unique_ptr<MeshEngine> createFclMeshes( const cltMesh& first, const cltMesh& second );

/// CGAL's box_intersection_d of the triangles' boxes, then do_intersect with exact predicates. On one thread: with TBB
/// and two threads, CGAL took more than twice as long.
std::unique_ptr<MeshEngine> createCgalMeshes( const cltMesh& first, const cltMesh& second );

} // namespace cullet::others

#endif
