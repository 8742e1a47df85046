// SPDX-License-Identifier: Zlib
/// \file mesh_file.h
/// Reads triangles from files: OBJ (v and f lines) and PLY (ascii, or binary of either byte order). No library is used,
/// because pairs within a mesh depend on shared vertices. Libraries that read both formats duplicate vertices for every
/// corner, and none reports the line of an error.
#ifndef CLT_MESH_MESH_FILE_H
#define CLT_MESH_MESH_FILE_H

#include "mesh.h"

#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cullet::mesh
{

/// An error in a file. The message is to be printed after the file's name.
class DamagedFile : public std::runtime_error
{
public:
    /// \param line  counted from 1; 0 for a binary file, which has no lines
    DamagedFile( std::size_t line, const std::string& what )
        : std::runtime_error( ( line > 0 ? ":" + std::to_string( line ) : "" ) + ": " + what )
    {
    }
};

/// Collects the mesh of a file.
class MeshBuilder
{
public:
    Mesh mesh;

    /// \param line  of the file; 0 in a binary file
    void addPolygon( const std::vector<std::uint32_t>& corners, std::size_t line );

    /// Checks the vertices of all faces at the end, because a face may precede its vertices.
    /// \param firstVertex  the number of the first vertex in the file format
    /// \throws DamagedFile
    void checkCorners( std::uint32_t firstVertex ) const;

private:
    std::vector<std::size_t> m_lines; ///< by triangle
};

/// \throws DamagedFile
Mesh readObj( std::istream& in );
Mesh readPly( std::istream& in );

/// Reads a file. The end of its name selects the format.
/// \throws std::runtime_error with a message that begins with the path and, if known, the line of the error. A file
///         without triangles is an error
Mesh readMesh( const std::string& path );

} // namespace cullet::mesh

#endif
