// SPDX-License-Identifier: Zlib
/// \file mesh_picture.h
/// Draws meshes. Triangles that intersect another triangle have a colour of their own.
#ifndef CLT_MESH_MESH_PICTURE_H
#define CLT_MESH_MESH_PICTURE_H

#include "mesh_file.h"

namespace cullet::mesh
{

/// A mesh, and for each triangle a flag: true if it is drawn in the colour of intersecting triangles.
struct MarkedMesh
{
    const Mesh* mesh;
    std::vector<bool> marks;
};

/// Writes a PNG file. Triangles with a corner that is not finite are not drawn.
/// \throws std::runtime_error with the reason and the path
void writeMeshPicture( const std::vector<MarkedMesh>& meshes, int width, int height, const std::string& path );

} // namespace cullet::mesh

#endif
