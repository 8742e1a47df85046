// SPDX-License-Identifier: Zlib
/// \file mesh_library.h
/// A scene's meshes in the library's own set of meshes (bridge/cullet_mesh.h).
#ifndef CLT_PAPERS_MESH_LIBRARY_H
#define CLT_PAPERS_MESH_LIBRARY_H

#include "mesh_oracle.h"
#include "papers.h"

#include "cullet_mesh.h"

namespace cullet::papers
{

class LibraryMeshes
{
public:
    LibraryMeshes( const cltMeshScene& scene, Between between, const Effort& effort );

    /// Hands over where the vertices are now, and finds the pairs of triangles.
    void find( cltMeshTest test );

    /// That were found last, numbered over the scene.
    PairSet pairs() const;

private:
    struct Destroy
    {
        void operator()( cltMeshSet* set ) const
        {
            cltDestroyMeshSet( set );
        }
    };

    const cltMeshScene& m_scene;
    std::unique_ptr<cltMeshSet, Destroy> m_set;
    std::vector<cltMeshId> m_ids;         ///< of the scene's meshes
    std::vector<std::uint32_t> m_firstOf; ///< by id: the number of the mesh's first triangle
    const cltTrianglePair* m_pairs = nullptr;
    std::size_t m_pairCount = 0;
};

} // namespace cullet::papers

#endif
