// SPDX-License-Identifier: Zlib
#include "shown_meshes.h"

#include "mesh_drawing.h"

#include "demos/engines/core_engine.h"

namespace cullet::mesh
{

using compare::requireOk;

ShownMeshes::ShownMeshes( int threads, bool self ) : m_self( self ), m_set( nullptr, cltDestroyMeshSet )
{
    cltBroadphaseDef def = cltDefaultBroadphaseDef();
    def.threadCount = threads;
    cltMeshSet* set = nullptr;
    requireOk( cltCreateMeshSet( &def, &set ) );
    m_set.reset( set );
}

void ShownMeshes::add( Mesh mesh )
{
    cltMeshDef def = cltDefaultMeshDef();
    def.vertices = mesh.vertices.data();
    def.vertexCount = mesh.vertexCount();
    def.triangles = mesh.triangles.data();
    def.triangleCount = mesh.triangleCount();
    def.selfCollision = m_self;
    cltMeshId id = 0;
    requireOk( cltMeshSet_CreateMesh( m_set.get(), &def, &id ) );
    m_meshes.push_back( std::move( mesh ) );
    m_ids.push_back( id );
}

void ShownMeshes::replaceAll( Mesh mesh )
{
    if ( m_meshes.size() == 1 && mesh.triangles == m_meshes[0].triangles &&
         mesh.vertexCount() == m_meshes[0].vertexCount() )
    {
        requireOk( cltMeshSet_MoveVertices( m_set.get(), m_ids[0], mesh.vertices.data() ) );
        m_meshes[0] = std::move( mesh );
        return;
    }
    for ( const cltMeshId id : m_ids )
    {
        requireOk( cltMeshSet_DestroyMesh( m_set.get(), id ) );
    }
    m_meshes.clear();
    m_ids.clear();
    add( std::move( mesh ) );
}

cltMeshStats ShownMeshes::findPairs( cltMeshTest test )
{
    requireOk( cltMeshSet_FindPairs( m_set.get(), test, &m_pairs, &m_pairCount ) );
    cltMeshStats stats;
    requireOk( cltMeshSet_GetStats( m_set.get(), &stats ) );
    return stats;
}

std::size_t ShownMeshes::indexOf( cltMeshId id ) const
{
    return std::size_t( std::find( m_ids.begin(), m_ids.end(), id ) - m_ids.begin() );
}

void ShownMeshes::draw( render::Drawing& drawing ) const
{
    std::vector<std::vector<bool>> marks;
    for ( const Mesh& mesh : m_meshes )
    {
        marks.emplace_back( mesh.triangleCount() );
    }
    for ( std::size_t i = 0; i < m_pairCount; ++i )
    {
        marks[indexOf( m_pairs[i].meshA )][m_pairs[i].triangleA] = true;
        marks[indexOf( m_pairs[i].meshB )][m_pairs[i].triangleB] = true;
    }
    for ( std::size_t k = 0; k < m_meshes.size(); ++k )
    {
        addMesh( m_meshes[k], marks[k], k, drawing );
    }
}

} // namespace cullet::mesh
