// SPDX-License-Identifier: Zlib
/// \file rings.cpp
/// A falling tower of bumpy rings, as GImpact meshes: concave bodies that get caught in each other. All share one mesh.
/// A world has 40,000 triangles in all, so that two rings have 20,000 each and more rings have fewer.
#include "kinds.h"
#include "world_options.h"

#include "demos/mesh/mesh_picture.h"
#include "plugin/CulletGImpactAlgorithm.h"

#include "BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

constexpr int triangleCount = 40'000; ///< of all rings together
constexpr int leastPerSide = 12;      ///< squares along a ring and around it
constexpr std::uint64_t ringSeed = 5;
constexpr btScalar ringMass = 10;
constexpr btScalar towerSpacing = btScalar( 3.2 );
constexpr int perTower = 10; ///< rings over each other

/// The mesh and the arrays that Bullet's shape reads it from.
struct RingMesh
{
    std::vector<btScalar> vertices;
    std::vector<int> triangles;
    btTriangleIndexVertexArray arrays;
};

void addVertex( RingMesh& mesh, btScalar along, btScalar around )
{
    const btScalar thickness = btScalar( 0.4 ) + btScalar( 0.06 ) * std::sin( 7 * along ) * std::sin( 5 * around );
    const btScalar radius = 1 + thickness * std::cos( around );
    mesh.vertices.insert( mesh.vertices.end(),
                          { radius * std::cos( along ), thickness * std::sin( around ), radius * std::sin( along ) } );
}

std::unique_ptr<RingMesh> makeRing( int perSide )
{
    auto mesh = std::make_unique<RingMesh>();
    for ( int row = 0; row < perSide; ++row )
    {
        for ( int column = 0; column < perSide; ++column )
        {
            addVertex( *mesh, SIMD_2_PI * btScalar( row ) / btScalar( perSide ),
                       SIMD_2_PI * btScalar( column ) / btScalar( perSide ) );
            const int here = row * perSide;
            const int next = ( row + 1 ) % perSide * perSide;
            const int right = ( column + 1 ) % perSide;
            mesh->triangles.insert( mesh->triangles.end(), { here + column, here + right, next + right, here + column,
                                                             next + right, next + column } );
        }
    }
    btIndexedMesh part;
    part.m_numTriangles = 2 * perSide * perSide;
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>( mesh->triangles.data() );
    part.m_triangleIndexStride = 3 * sizeof( int );
    part.m_numVertices = perSide * perSide;
    part.m_vertexBase = reinterpret_cast<const unsigned char*>( mesh->vertices.data() );
    part.m_vertexStride = 3 * sizeof( btScalar );
    mesh->arrays.addIndexedMesh( part );
    return mesh;
}

/// The body's triangles in world coordinates, without shared vertices.
mesh::Mesh meshOf( const btRigidBody& body )
{
    const auto& shape = static_cast<const btGImpactMeshShape&>( *body.getCollisionShape() );
    const btGImpactMeshShapePart& part = *shape.getMeshPart( 0 );
    mesh::Mesh mesh;
    part.lockChildShapes();
    for ( int index = 0; index < part.getNumChildShapes(); ++index )
    {
        btPrimitiveTriangle triangle;
        part.getPrimitiveTriangle( index, triangle );
        triangle.applyTransform( body.getWorldTransform() );
        for ( const btVector3& corner : triangle.m_vertices )
        {
            mesh.triangles.push_back( mesh.vertexCount() );
            mesh.vertices.insert( mesh.vertices.end(),
                                  { float( corner.x() ), float( corner.y() ), float( corner.z() ) } );
        }
    }
    part.unlockChildShapes();
    return mesh;
}

} // namespace

void addRings( World& world, int bodyCount )
{
    auto* dispatcher = static_cast<btCollisionDispatcher*>( world.bullet().getDispatcher() );
    if ( culletOf( world.bullet() ) != nullptr )
    {
        CulletGImpactAlgorithm::registerAlgorithm( dispatcher );
    }
    else
    {
        btGImpactCollisionAlgorithm::registerAlgorithm( dispatcher );
    }
    const int perSide = std::max( int( std::sqrt( triangleCount / 2 / bodyCount ) ), leastPerSide );
    auto& shape = world.own( std::make_unique<btGImpactMeshShape>( &world.own( makeRing( perSide ) ).arrays ) );
    shape.updateBound();
    addPlane( world );
    const Square towers( ( bodyCount - 1 ) / perTower + 1, towerSpacing );
    for ( int index = 0; index < bodyCount; ++index )
    {
        Random random( ringSeed + std::uint64_t( index ) );
        const btVector3 height( btScalar( 0.1 ) * btScalar( index % 3 ), btScalar( 1.6 + 2 * ( index % perTower ) ),
                                0 );
        const btTransform transform( randomAttitude( random ), towers.place( index / perTower ) + height );
        world.addBody( ringMass, shape, transform ).setActivationState( DISABLE_DEACTIVATION );
    }
}

void drawRings( const World& world, const std::string& path )
{
    std::vector<mesh::Mesh> meshes;
    for ( const btRigidBody* body : world.bodies() )
    {
        meshes.push_back( meshOf( *body ) );
    }
    std::vector<mesh::MarkedMesh> drawn;
    for ( const mesh::Mesh& mesh : meshes )
    {
        drawn.push_back( { &mesh, std::vector<bool>( mesh.triangleCount() ) } );
    }
    mesh::writeMeshPicture( drawn, 1280, 800, path );
}

} // namespace cullet::demo
