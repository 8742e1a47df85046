// SPDX-License-Identifier: Zlib
/// \file mesh_source.cpp
/// Meshes from files, and their triangles that meet. One contestant: cullet's mesh set.
#include "source.h"

#include "demos/mesh/shown_meshes.h"

namespace cullet::view
{
namespace
{

using mesh::Mesh;
using mesh::ShownMeshes;

cltAabb boxOf( const Mesh& mesh )
{
    cltAabb box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for ( std::size_t k = 0; k < mesh.vertices.size(); ++k )
    {
        box.lower[k % 3] = std::min( box.lower[k % 3], mesh.vertices[k] );
        box.upper[k % 3] = std::max( box.upper[k % 3], mesh.vertices[k] );
    }
    return box;
}

class MeshSource : public Source
{
public:
    explicit MeshSource( const SourceRequest& request )
        : m_shown( request.threads, request.arePoses || request.files.size() == 1 )
    {
        for ( const std::string& file : request.files )
        {
            Mesh mesh = mesh::readMesh( file );
            request.arePoses ? m_frames.push_back( std::move( mesh ) ) : m_shown.add( std::move( mesh ) );
        }
        step();
    }

    /// Frames repeat from the first one.
    bool step() override
    {
        if ( !m_frames.empty() )
        {
            m_shown.replaceAll( m_frames[m_step++ % m_frames.size()] );
        }
        m_stats = m_shown.findPairs( clt_meshTriangles );
        return true;
    }

    const std::vector<TimedPart>& parts() const override
    {
        static const std::vector<TimedPart> parts = { { "fit boxes", true }, { "find pairs", true } };
        return parts;
    }

    std::size_t contestantCount() const override
    {
        return 1;
    }

    std::string contestantName( std::size_t ) const override
    {
        return "cullet's mesh set";
    }

    std::vector<double> times( std::size_t ) const override
    {
        return { m_stats.fitMs, m_stats.findMs };
    }

    void getBodies( std::size_t, Bodies& bodies ) const override
    {
        bodies.boxes.clear();
        std::transform( m_shown.meshes().begin(), m_shown.meshes().end(), std::back_inserter( bodies.boxes ), boxOf );
        bodies.filters.assign( bodies.boxes.size(), openFilter );
    }

    /// One for each pair of triangles; only their number is used.
    PairSet pairs( std::size_t ) override
    {
        return PairSet( m_shown.pairCount() );
    }

    bool canBeChecked() const override
    {
        return false;
    }

    void draw( std::size_t, render::Drawing& drawing ) override
    {
        m_shown.draw( drawing );
    }

private:
    ShownMeshes m_shown;
    std::vector<Mesh> m_frames;
    std::size_t m_step = 0;
    cltMeshStats m_stats{};
};

} // namespace

std::unique_ptr<Source> makeMeshSource( const SourceRequest& request )
{
    return std::make_unique<MeshSource>( request );
}

} // namespace cullet::view
