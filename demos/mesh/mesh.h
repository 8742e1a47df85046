// SPDX-License-Identifier: Zlib
/// \file mesh.h
/// Triangles.
#ifndef CLT_MESH_MESH_H
#define CLT_MESH_MESH_H

#include <cstdint>
#include <vector>

namespace cullet::mesh
{

struct Mesh
{
    std::vector<float> vertices;          ///< three finite numbers per vertex; doubles in a file are rounded
    std::vector<std::uint32_t> triangles; ///< three vertex indices per triangle, each in range

    std::uint32_t vertexCount() const
    {
        return static_cast<std::uint32_t>( vertices.size() / 3 );
    }

    std::uint32_t triangleCount() const
    {
        return static_cast<std::uint32_t>( triangles.size() / 3 );
    }

    /// Adds a polygon, given by the vertices of its corners, as a fan of triangles.
    void addPolygon( const std::vector<std::uint32_t>& corners );
};

} // namespace cullet::mesh

#endif
