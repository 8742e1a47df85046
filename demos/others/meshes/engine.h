// SPDX-License-Identifier: Zlib
/// \file engine.h
/// What finds the pairs of triangles of two meshes, of three libraries.
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

/// Triangles of the first mesh and of the second.
using MeshPairs = std::vector<std::array<std::uint32_t, 2>>;

class MeshEngine
{
public:
    virtual ~MeshEngine() = default;

    /// Takes all vertices as they are now, and finds every pair of triangles that meet, in any order.
    virtual void step( const cltMesh& first, const cltMesh& second, MeshPairs& pairs ) = 0;
};

/// \param threadCount  0: all
std::unique_ptr<MeshEngine> createCulletMeshes( const cltMesh& first, const cltMesh& second, int threadCount );

/// Trees of axis-aligned boxes, refitted: of FCL's kinds the fastest here. `collide` with all contacts, on one thread.
std::unique_ptr<MeshEngine> createFclMeshes( const cltMesh& first, const cltMesh& second );

/// box_intersection_d of the triangles' boxes, and do_intersect with exact predicates. On one thread: with TBB and two
/// it took more than twice as long.
std::unique_ptr<MeshEngine> createCgalMeshes( const cltMesh& first, const cltMesh& second );

} // namespace cullet::others

#endif
