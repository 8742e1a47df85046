// SPDX-License-Identifier: Zlib
#include "mesh_library.h"

#include "motion.h"

#include "demos/engines/core_engine.h"

namespace cullet::papers
{

using compare::requireOk;

LibraryMeshes::LibraryMeshes( const cltMeshScene& scene, Between between, const Effort& effort ) : m_scene( scene )
{
    const cltBroadphaseDef def = defOf( clt_algorithmAuto, effort );
    cltMeshSet* set = nullptr;
    requireOk( cltCreateMeshSet( &def, &set ) );
    m_set.reset( set );
    std::uint32_t first = 0;
    for ( std::uint32_t k = 0; k < scene.meshCount; ++k )
    {
        const cltMesh& mesh = scene.meshes[k];
        cltMeshDef meshDef = cltDefaultMeshDef();
        meshDef.vertices = mesh.vertices[0];
        meshDef.vertexCount = mesh.vertexCount;
        meshDef.triangles = mesh.triangles[0];
        meshDef.triangleCount = mesh.triangleCount;
        meshDef.selfCollision = between == Between::all;
        cltMeshId id;
        requireOk( cltMeshSet_CreateMesh( m_set.get(), &meshDef, &id ) );
        m_ids.push_back( id );
        m_firstOf.resize( std::max( m_firstOf.size(), std::size_t( id ) + 1 ) );
        m_firstOf[id] = first;
        first += mesh.triangleCount;
    }
}

void LibraryMeshes::find( cltMeshTest test )
{
    for ( std::uint32_t k = 0; k < m_scene.meshCount; ++k )
    {
        requireOk( cltMeshSet_MoveVertices( m_set.get(), m_ids[k], m_scene.meshes[k].vertices[0] ) );
    }
    requireOk( cltMeshSet_FindPairs( m_set.get(), test, &m_pairs, &m_pairCount ) );
}

PairSet LibraryMeshes::pairs() const
{
    PairSet set;
    for ( const cltTrianglePair* pair = m_pairs; pair != m_pairs + m_pairCount; ++pair )
    {
        set.push_back( pairKey( m_firstOf[pair->meshA] + pair->triangleA, m_firstOf[pair->meshB] + pair->triangleB ) );
    }
    std::sort( set.begin(), set.end() );
    return set;
}

} // namespace cullet::papers
