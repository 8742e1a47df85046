// SPDX-License-Identifier: Zlib
/// \file meshes.cpp
/// Worlds of triangles, and their pictures. "concave": a falling tower of bumpy rings, as GImpact meshes, that get
/// caught in each other. "cloth": cloths in groups of three. Two fall on a ball, one after the other, and a small ball
/// falls on them. The third stands beside them and collapses on itself. A world has about the same number of triangles
/// or vertices for any number of bodies.
#include "kinds.h"

#include "demos/engines/core_engine.h"
#include "demos/mesh/mesh.h"
#include "plugin/CulletGImpactAlgorithm.h"
#include "plugin/CulletSoftBodySolver.h"

#include "cullet_mesh.h"

#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h"
#include "BulletSoftBody/btSoftBodyHelpers.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

using compare::requireOk;

void addVertex( mesh::Mesh& mesh, const btVector3& at )
{
    mesh.vertices.insert( mesh.vertices.end(), { float( at.x() ), float( at.y() ), float( at.z() ) } );
}

/// A surface of squares over a grid of points.
/// \param place    the point of a row and a column; columns wrap around
/// \param isRound  rows wrap around too
template <typename Place>
mesh::Mesh surface( std::uint32_t rows, std::uint32_t columns, bool isRound, Place&& place )
{
    mesh::Mesh mesh;
    for ( std::uint32_t row = 0; row < rows; ++row )
    {
        for ( std::uint32_t column = 0; column < columns; ++column )
        {
            addVertex( mesh, place( row, column ) );
            const std::uint32_t here = row * columns;
            const std::uint32_t next = ( row + 1 ) % rows * columns;
            const std::uint32_t right = ( column + 1 ) % columns;
            if ( isRound || next > 0 )
            {
                mesh.addPolygon( { here + column, here + right, next + right, next + column } );
            }
        }
    }
    return mesh;
}

// --------------------------------------------------------------------------------------------------------------- rings

constexpr int ringTriangles = 40'000; ///< of all rings together, so two rings have 20,000 each
constexpr int leastPerRing = 12;      ///< squares along a ring and around it
constexpr std::uint64_t ringSeed = 5;
constexpr btScalar ringMass = 10;
constexpr btScalar towerSpacing = btScalar( 3.2 );
constexpr int perTower = 10; ///< rings over each other

mesh::Mesh ringMesh( std::uint32_t perSide )
{
    return surface( perSide, perSide, true,
                    [=]( std::uint32_t row, std::uint32_t column )
                    {
                        const btScalar along = SIMD_2_PI * btScalar( row ) / btScalar( perSide );
                        const btScalar around = SIMD_2_PI * btScalar( column ) / btScalar( perSide );
                        const btScalar thickness =
                            btScalar( 0.4 ) + btScalar( 0.06 ) * std::sin( 7 * along ) * std::sin( 5 * around );
                        const btScalar radius = 1 + thickness * std::cos( around );
                        return btVector3( radius * std::cos( along ), thickness * std::sin( around ),
                                          radius * std::sin( along ) );
                    } );
}

// -------------------------------------------------------------------------------------------------------------- cloths

constexpr int clothVertices = 6'000; ///< of all cloths together
constexpr int leastPerSide = 12;     ///< vertices along a cloth
constexpr int mostPerSide = 45;
constexpr btScalar halfCloth = btScalar( 1.1 );
constexpr btScalar clothMass = 1;
constexpr btScalar largeRadius = btScalar( 0.5 );
constexpr btScalar smallRadius = btScalar( 0.2 );
constexpr btScalar placeSpacing = btScalar( 5.5 );
constexpr int perPlace = 3;

/// \param along, across  from the centre to the middles of two adjacent edges
/// \param perSide        vertices along each edge
btSoftBody& addCloth( World& world, const btVector3& centre, const btVector3& along, const btVector3& across,
                      int perSide )
{
    auto& cloth = world.own( std::unique_ptr<btSoftBody>( btSoftBodyHelpers::CreatePatch(
        world.soft()->getWorldInfo(), centre - along - across, centre + along - across, centre - along + across,
        centre + along + across, perSide, perSide, 0, true ) ) );
    cloth.m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
    cloth.m_cfg.piterations = 4;
    cloth.m_cfg.kDP = btScalar( 0.005 );
    cloth.m_cfg.kDF = btScalar( 0.6 );
    // as CulletSoftBodySolver.h advises
    cloth.getCollisionShape()->setMargin( 2 * halfCloth / btScalar( perSide - 1 ) / 3 );
    cloth.setTotalMass( clothMass );
    cloth.setActivationState( DISABLE_DEACTIVATION );
    world.soft()->addSoftBody( &cloth );
    if ( world.softSolver() != nullptr )
    {
        world.softSolver()->setVertexFaceSelfCollision( &cloth, true );
    }
    return cloth;
}

/// Bends an upright cloth, because a flat cloth would stand still for a while.
void crease( btSoftBody& cloth )
{
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        btSoftBody::Node& node = cloth.m_nodes[k];
        node.m_x.setX( node.m_x.x() + btScalar( 0.08 ) * btSin( 7 * node.m_x.y() ) );
        node.m_q = node.m_x;
    }
}

} // namespace

void registerGImpact( World& world )
{
    auto* dispatcher = static_cast<btCollisionDispatcher*>( world.bullet().getDispatcher() );
    world.cullet() != nullptr ? CulletGImpactAlgorithm::registerAlgorithm( dispatcher )
                              : btGImpactCollisionAlgorithm::registerAlgorithm( dispatcher );
}

void addRings( World& world, int bodyCount )
{
    registerGImpact( world );
    const int perSide = std::max( int( std::sqrt( ringTriangles / 2 / bodyCount ) ), leastPerRing );
    auto& ring = world.make<mesh::Mesh>( ringMesh( std::uint32_t( perSide ) ) );
    btIndexedMesh part;
    part.m_vertexType = PHY_FLOAT;
    part.m_numVertices = int( ring.vertexCount() );
    part.m_vertexBase = reinterpret_cast<const unsigned char*>( ring.vertices.data() );
    part.m_vertexStride = 3 * sizeof( float );
    part.m_numTriangles = int( ring.triangleCount() );
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>( ring.triangles.data() );
    part.m_triangleIndexStride = 3 * sizeof( std::uint32_t );
    auto& arrays = world.make<btTriangleIndexVertexArray>();
    arrays.addIndexedMesh( part );
    auto& shape = world.make<btGImpactMeshShape>( &arrays );
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

void addCloths( World& world, int bodyCount )
{
    const int perSide =
        std::clamp( int( std::sqrt( double( clothVertices ) / bodyCount ) ), leastPerSide, mostPerSide );
    auto& ball = world.make<btSphereShape>( largeRadius );
    auto& smallBall = world.make<btSphereShape>( smallRadius );
    const btVector3 x( halfCloth, 0, 0 ), y( 0, halfCloth, 0 ), z( 0, 0, halfCloth );
    addPlane( world );
    const Square places( ( bodyCount - 1 ) / perPlace + 1, placeSpacing );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 place = places.place( index / perPlace );
        const int turn = index % perPlace;
        if ( turn == 0 )
        {
            world.addBody( 0, ball, upright( place + btVector3( 0, btScalar( 0.8 ), 0 ) ) );
            world.addBody( btScalar( 0.2 ), smallBall, upright( place + btVector3( btScalar( 0.1 ), 3, 0 ) ) );
        }
        if ( turn < 2 )
        {
            const btVector3 height( btScalar( 0.2 * turn ), btScalar( 1.5 + 0.4 * turn ), 0 );
            addCloth( world, place + height, x, z, perSide );
        }
        else
        {
            crease( addCloth( world, place + btVector3( 2, btScalar( 0.2 ) + halfCloth, 0 ), z, y, perSide ) );
        }
    }
}

mesh::Mesh clothMesh( const btSoftBody& cloth )
{
    mesh::Mesh mesh;
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        addVertex( mesh, cloth.m_nodes[k].m_x );
    }
    for ( int k = 0; k < cloth.m_faces.size(); ++k )
    {
        for ( const btSoftBody::Node* node : cloth.m_faces[k].m_n )
        {
            mesh.triangles.push_back( std::uint32_t( node - &cloth.m_nodes[0] ) );
        }
    }
    return mesh;
}

std::vector<bool> crossingsOf( const mesh::Mesh& mesh )
{
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltMeshSet* set = nullptr;
    requireOk( cltCreateMeshSet( &def, &set ) );
    const std::unique_ptr<cltMeshSet, decltype( &cltDestroyMeshSet )> owner( set, cltDestroyMeshSet );
    cltMeshDef meshDef = cltDefaultMeshDef();
    meshDef.vertices = mesh.vertices.data();
    meshDef.vertexCount = mesh.vertexCount();
    meshDef.triangles = mesh.triangles.data();
    meshDef.triangleCount = mesh.triangleCount();
    meshDef.selfCollision = true;
    cltMeshId id;
    requireOk( cltMeshSet_CreateMesh( set, &meshDef, &id ) );
    const cltTrianglePair* pairs;
    std::size_t count;
    requireOk( cltMeshSet_FindPairs( set, clt_meshTriangles, &pairs, &count ) );
    std::vector<bool> marks( mesh.triangleCount() );
    for ( std::size_t i = 0; i < count; ++i )
    {
        marks[pairs[i].triangleA] = marks[pairs[i].triangleB] = true;
    }
    return marks;
}

} // namespace cullet::demo
