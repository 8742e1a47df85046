// SPDX-License-Identifier: Zlib
/// \file mesh_drawing.h
/// Meshes for a renderer. Triangles that intersect another triangle are red.
#ifndef CLT_MESH_MESH_DRAWING_H
#define CLT_MESH_MESH_DRAWING_H

#include "mesh.h"

#include "demos/render/camera.h"
#include "demos/render/drawing.h"

namespace cullet::mesh
{

/// Triangles with a corner that is not finite are left out.
/// \param marks  for each triangle, whether it is red; may be empty
/// \param index  of the mesh, which decides the colour of its other triangles
void addMesh( const Mesh& mesh, const std::vector<bool>& marks, std::size_t index, render::Drawing& drawing );

/// A camera that shows all triangles of the drawing.
render::Camera cameraFor( const render::Drawing& drawing, int width, int height );

} // namespace cullet::mesh

#endif
