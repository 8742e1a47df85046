// SPDX-License-Identifier: Zlib
#include "demos/others/meshes/engine.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

namespace cullet::others
{

namespace
{

using Model = fcl::BVHModel<fcl::AABB<double>>;

std::vector<fcl::Vector3<double>> pointsOf( const cltMesh& mesh )
{
    std::vector<fcl::Vector3<double>> points;
    for ( std::uint32_t i = 0; i < mesh.vertexCount; ++i )
    {
        points.emplace_back( mesh.vertices[i][0], mesh.vertices[i][1], mesh.vertices[i][2] );
    }
    return points;
}

Model modelOf( const cltMesh& mesh )
{
    std::vector<fcl::Triangle> triangles;
    for ( std::uint32_t i = 0; i < mesh.triangleCount; ++i )
    {
        triangles.emplace_back( mesh.triangles[i][0], mesh.triangles[i][1], mesh.triangles[i][2] );
    }
    Model model;
    model.beginModel();
    model.addSubModel( pointsOf( mesh ), triangles );
    model.endModel();
    return model;
}

void move( Model& model, const cltMesh& mesh )
{
    model.beginUpdateModel();
    model.updateSubModel( pointsOf( mesh ) );
    model.endUpdateModel( true, true ); // refits the tree from the leaves up
}

class FclMeshes : public MeshEngine
{
public:
    FclMeshes( const cltMesh& first, const cltMesh& second )
        : m_first( modelOf( first ) ), m_second( modelOf( second ) )
    {
    }

    void step( const cltMesh& first, const cltMesh& second, MeshPairs& pairs ) override
    {
        move( m_first, first );
        move( m_second, second );
        const fcl::CollisionRequest<double> request( std::size_t( 1 ) << 40, false );
        fcl::CollisionResult<double> result;
        const fcl::Transform3<double> identity = fcl::Transform3<double>::Identity();
        fcl::collide<double>( &m_first, identity, &m_second, identity, request, result );
        pairs.clear();
        for ( std::size_t i = 0; i < result.numContacts(); ++i )
        {
            const fcl::Contact<double>& contact = result.getContact( i );
            pairs.push_back( { std::uint32_t( contact.b1 ), std::uint32_t( contact.b2 ) } );
        }
    }

private:
    Model m_first;
    Model m_second;
};

} // namespace

std::unique_ptr<MeshEngine> createFclMeshes( const cltMesh& first, const cltMesh& second )
{
    return std::make_unique<FclMeshes>( first, second );
}

} // namespace cullet::others
