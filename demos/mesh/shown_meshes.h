// SPDX-License-Identifier: Zlib
/// \file shown_meshes.h
/// Meshes of one frame and their pairs of triangles, in a mesh set.
#ifndef CLT_MESH_SHOWN_MESHES_H
#define CLT_MESH_SHOWN_MESHES_H

#include "mesh_file.h"

#include "demos/render/drawing.h"

#include "cullet_mesh.h"

#include <memory>

namespace cullet::mesh
{

class ShownMeshes
{
public:
    /// \param self  each mesh may have pairs with itself
    ShownMeshes( int threads, bool self );

    void add( Mesh mesh );

    /// Replaces all meshes by one. If it has the triangles of the only mesh, it is a new pose of that mesh.
    void replaceAll( Mesh mesh );

    cltMeshStats findPairs( cltMeshTest test );

    /// Of the last findPairs.
    std::size_t pairCount() const
    {
        return m_pairCount;
    }

    /// Triangles of the last pairs are red.
    void draw( render::Drawing& drawing ) const;

    const std::vector<Mesh>& meshes() const
    {
        return m_meshes;
    }

private:
    std::size_t indexOf( cltMeshId id ) const;

    bool m_self;
    std::unique_ptr<cltMeshSet, decltype( &cltDestroyMeshSet )> m_set;
    std::vector<Mesh> m_meshes;
    std::vector<cltMeshId> m_ids;
    const cltTrianglePair* m_pairs = nullptr; ///< belong to the set
    std::size_t m_pairCount = 0;
};

} // namespace cullet::mesh

#endif
