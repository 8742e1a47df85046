// SPDX-License-Identifier: Zlib
/// \file cloths.cpp
/// Cloths in groups of three. Two fall on a ball, one after the other, and a small ball falls on them. The third stands
/// beside them and collapses on itself. The number of vertices of all cloths is about the same for any number of
/// cloths.
#include "kinds.h"

#include "demos/engines/core_engine.h"
#include "demos/mesh/mesh_picture.h"
#include "plugin/CulletSoftBodySolver.h"

#include "cullet_mesh.h"

#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletSoftBody/btSoftBodyHelpers.h"

#include <algorithm>
#include <cmath>

namespace cullet::demo
{
namespace
{

using compare::requireOk;

constexpr int vertexCount = 6'000; ///< of all cloths together
constexpr int leastPerSide = 12;   ///< vertices along a cloth
constexpr int mostPerSide = 45;
constexpr btScalar width = btScalar( 2.2 );
constexpr btScalar clothMass = 1;
constexpr btScalar ballRadius = btScalar( 0.5 );
constexpr btScalar smallRadius = btScalar( 0.2 );
constexpr btScalar placeSpacing = btScalar( 5.5 );
constexpr int perPlace = 3;

/// The corners of a cloth, in the order (-1, -1), (1, -1), (-1, 1), (1, 1).
using Corners = std::array<btVector3, 4>;

Corners lyingAt( const btVector3& centre )
{
    const btScalar half = width / 2;
    return { centre + btVector3( -half, 0, -half ), centre + btVector3( half, 0, -half ),
             centre + btVector3( -half, 0, half ), centre + btVector3( half, 0, half ) };
}

Corners standingAt( const btVector3& foot )
{
    const btScalar half = width / 2;
    return { foot + btVector3( 0, 0, -half ), foot + btVector3( 0, 0, half ), foot + btVector3( 0, width, -half ),
             foot + btVector3( 0, width, half ) };
}

/// Bends an upright cloth. Otherwise it would stand still for a while.
void crease( btSoftBody& cloth )
{
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        btSoftBody::Node& node = cloth.m_nodes[k];
        node.m_x.setX( node.m_x.x() + btScalar( 0.08 ) * btSin( 7 * node.m_x.y() ) );
        node.m_q = node.m_x;
    }
}

/// \param perSide  vertices
btSoftBody& addCloth( World& world, const Corners& corners, int perSide )
{
    std::unique_ptr<btSoftBody> made( btSoftBodyHelpers::CreatePatch(
        world.soft()->getWorldInfo(), corners[0], corners[1], corners[2], corners[3], perSide, perSide, 0, true ) );
    btSoftBody& cloth = *made;
    cloth.m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
    cloth.m_cfg.piterations = 4;
    cloth.m_cfg.kDP = btScalar( 0.005 );
    cloth.m_cfg.kDF = btScalar( 0.6 );
    cloth.getCollisionShape()->setMargin( width / btScalar( perSide - 1 ) / 3 ); // as CulletSoftBodySolver.h advises
    cloth.setTotalMass( clothMass );
    cloth.setActivationState( DISABLE_DEACTIVATION );
    world.addSoftBody( std::move( made ) );
    if ( world.softSolver() != nullptr )
    {
        world.softSolver()->setVertexFaceSelfCollision( &cloth, true );
    }
    return cloth;
}

mesh::Mesh meshOf( const btSoftBody& cloth )
{
    mesh::Mesh mesh;
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        const btVector3& at = cloth.m_nodes[k].m_x;
        mesh.vertices.insert( mesh.vertices.end(), { float( at.x() ), float( at.y() ), float( at.z() ) } );
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

mesh::Mesh meshOf( const btSphereShape& ball, const btVector3& centre )
{
    constexpr std::uint32_t around = 32;
    constexpr std::uint32_t upwards = 16;
    mesh::Mesh mesh;
    for ( std::uint32_t i = 0; i < around * ( upwards + 1 ); ++i )
    {
        const btScalar longitude = SIMD_2_PI * btScalar( i % around ) / around;
        const btScalar latitude = SIMD_PI * ( btScalar( i / around ) / upwards - btScalar( 0.5 ) );
        const btVector3 up( btCos( longitude ) * btCos( latitude ), btSin( latitude ),
                            btSin( longitude ) * btCos( latitude ) );
        const btVector3 at = centre + ball.getRadius() * up;
        mesh.vertices.insert( mesh.vertices.end(), { float( at.x() ), float( at.y() ), float( at.z() ) } );
        if ( i / around < upwards )
        {
            const std::uint32_t next = i / around * around + ( i + 1 ) % around;
            mesh.addPolygon( { i, next, next + around, i + around } );
        }
    }
    return mesh;
}

/// \return by triangle: whether it crosses another triangle of the mesh
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

} // namespace

void addCloths( World& world, int bodyCount )
{
    const int perSide = std::clamp( int( std::sqrt( double( vertexCount ) / bodyCount ) ), leastPerSide, mostPerSide );
    auto& ball = world.own( std::make_unique<btSphereShape>( ballRadius ) );
    auto& smallBall = world.own( std::make_unique<btSphereShape>( smallRadius ) );
    addPlane( world );
    const Square places( ( bodyCount - 1 ) / perPlace + 1, placeSpacing );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const btVector3 place = places.place( index / perPlace );
        const int turn = index % perPlace;
        if ( turn == 0 )
        {
            const btVector3 centre = place + btVector3( 0, btScalar( 0.8 ), 0 );
            world.addBody( 0, ball, btTransform( btQuaternion::getIdentity(), centre ) );
            const btVector3 above = place + btVector3( btScalar( 0.1 ), 3, 0 );
            world.addBody( btScalar( 0.2 ), smallBall, btTransform( btQuaternion::getIdentity(), above ) );
        }
        if ( turn < 2 )
        {
            const btVector3 height( btScalar( 0.2 * turn ), btScalar( 1.5 + 0.4 * turn ), 0 );
            addCloth( world, lyingAt( place + height ), perSide );
        }
        else
        {
            crease( addCloth( world, standingAt( place + btVector3( 2, btScalar( 0.2 ), 0 ) ), perSide ) );
        }
    }
}

void drawCloths( const World& world, const std::string& path )
{
    std::vector<mesh::Mesh> meshes;
    const btSoftBodyArray& cloths = world.soft()->getSoftBodyArray();
    for ( int k = 0; k < cloths.size(); ++k )
    {
        meshes.push_back( meshOf( *cloths[k] ) );
    }
    const btCollisionObjectArray& objects = world.soft()->getCollisionObjectArray();
    for ( int k = 0; k < objects.size(); ++k )
    {
        if ( objects[k]->getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE )
        {
            meshes.push_back( meshOf( static_cast<const btSphereShape&>( *objects[k]->getCollisionShape() ),
                                      objects[k]->getWorldTransform().getOrigin() ) );
        }
    }
    std::vector<mesh::MarkedMesh> drawn;
    for ( std::size_t k = 0; k < meshes.size(); ++k )
    {
        const bool isCloth = k < std::size_t( cloths.size() );
        drawn.push_back(
            { &meshes[k], isCloth ? crossingsOf( meshes[k] ) : std::vector<bool>( meshes[k].triangleCount() ) } );
    }
    mesh::writeMeshPicture( drawn, 1280, 800, path );
}

} // namespace cullet::demo
