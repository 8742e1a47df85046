// SPDX-License-Identifier: Zlib
/// \file mesh_picture.h
/// Meshes as a picture, the triangles that meet others in another colour.
#ifndef CLT_MESH_MESH_PICTURE_H
#define CLT_MESH_MESH_PICTURE_H

#include "mesh_file.h"

namespace cullet::mesh
{

/// A mesh, and by triangle whether it is marked.
struct MarkedMesh
{
    const Mesh* mesh;
    std::vector<bool> marks;
};

/// A PNG. Triangles with a corner that is not finite are left out.
/// \throws std::runtime_error with the reason and the path
void writeMeshPicture( const std::vector<MarkedMesh>& meshes, int width, int height, const std::string& path );

} // namespace cullet::mesh

#endif
