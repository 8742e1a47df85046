// SPDX-License-Identifier: Zlib
#include "cullet_mesh.h"
#include "demos/others/meshes/engine.h"
#include "demos/others/require_ok.h"

namespace cullet::others
{

namespace
{

class CulletMeshes : public MeshEngine
{
public:
    CulletMeshes( const cltMesh& first, const cltMesh& second, int threadCount )
    {
        cltBroadphaseDef def = cltDefaultBroadphaseDef();
        def.threadCount = threadCount;
        cltMeshSet* set = nullptr;
        requireOk( cltCreateMeshSet( &def, &set ) );
        m_set.reset( set );
        m_meshes = { create( first ), create( second ) };
    }

    void step( const cltMesh& first, const cltMesh& second, MeshPairs& pairs ) override
    {
        requireOk( cltMeshSet_MoveVertices( m_set.get(), m_meshes[0], first.vertices[0] ) );
        requireOk( cltMeshSet_MoveVertices( m_set.get(), m_meshes[1], second.vertices[0] ) );
        const cltTrianglePair* found = nullptr;
        std::size_t count = 0;
        requireOk( cltMeshSet_FindPairs( m_set.get(), clt_meshTriangles, &found, &count ) );
        pairs.clear();
        for ( std::size_t i = 0; i < count; ++i )
        {
            pairs.push_back( { found[i].triangleA, found[i].triangleB } );
        }
    }

private:
    cltMeshId create( const cltMesh& mesh )
    {
        cltMeshDef def = cltDefaultMeshDef();
        def.vertices = mesh.vertices[0];
        def.vertexCount = mesh.vertexCount;
        def.triangles = mesh.triangles[0];
        def.triangleCount = mesh.triangleCount;
        cltMeshId id = 0;
        requireOk( cltMeshSet_CreateMesh( m_set.get(), &def, &id ) );
        return id;
    }

    struct Destroy
    {
        void operator()( cltMeshSet* set ) const
        {
            cltDestroyMeshSet( set );
        }
    };

    std::unique_ptr<cltMeshSet, Destroy> m_set;
    std::array<cltMeshId, 2> m_meshes;
};

} // namespace

std::unique_ptr<MeshEngine> createCulletMeshes( const cltMesh& first, const cltMesh& second, int threadCount )
{
    return std::make_unique<CulletMeshes>( first, second, threadCount );
}

} // namespace cullet::others
