// SPDX-License-Identifier: Zlib
/// \file mesh_file.h
/// Triangles from files: OBJ (v and f lines) and PLY (ascii, or binary of either byte order). Read here and not by a
/// library, because pairs of a mesh with itself depend on which triangles name the same vertex: the libraries that read
/// both formats give every corner a vertex of its own, and none says in which line a file is damaged.
#ifndef CLT_MESH_MESH_FILE_H
#define CLT_MESH_MESH_FILE_H

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cullet::mesh
{

struct Mesh
{
    std::vector<float> vertices;          ///< three a vertex, finite; doubles of a file rounded
    std::vector<std::uint32_t> triangles; ///< three vertices a triangle, each of them there

    std::uint32_t vertexCount() const
    {
        return static_cast<std::uint32_t>( vertices.size() / 3 );
    }

    std::uint32_t triangleCount() const
    {
        return static_cast<std::uint32_t>( triangles.size() / 3 );
    }

    /// A polygon as a fan of triangles, by its corners' vertices.
    void addPolygon( const std::vector<std::uint32_t>& corners );
};

/// What is wrong with a file, as it follows on its name.
class DamagedFile : public std::runtime_error
{
public:
    /// \param line  counted from 1; 0: none, in binary
    DamagedFile( std::size_t line, const std::string& what )
        : std::runtime_error( ( line > 0 ? ":" + std::to_string( line ) : "" ) + ": " + what )
    {
    }
};

/// \throws DamagedFile
Mesh readObj( std::istream& in );
Mesh readPly( std::istream& in );

/// By what the name ends in.
/// \throws std::runtime_error that begins with the path, and the line behind it if one is to blame; also where there is
///         no triangle
Mesh readMesh( const std::string& path );

} // namespace cullet::mesh

#endif
