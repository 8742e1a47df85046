// SPDX-License-Identifier: Zlib
// CulletSoftBodySolver: without self-collision all results are Bullet's to the bit, and with it cloth does not pass
// through itself.
#include "CulletSoftBodySolver.h"
#include "cullet_mesh.h"
#include "tests/bullet/support/soft_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace test;

namespace
{

constexpr int side = 25; ///< vertices along each edge of a cloth
constexpr btScalar margin = btScalar( 0.03 );

/// A floor, and cloths above it.
class ClothWorld : public SoftWorld
{
public:
    /// \param softSolver  NULL: Bullet's own
    explicit ClothWorld( btSoftBodySolver* softSolver ) : SoftWorld( bulletDbvt, softSolver )
    {
        add( 0, shape<btBoxShape>( btVector3( 10, 1, 10 ) ), at( 0, 0, 0 ) );
    }

    /// Adds a cloth two metres wide.
    btSoftBody& addCloth( btScalar height, int fixed = 0 )
    {
        btSoftBody* cloth = makePatch( info(), 1, height, side, fixed );
        cloth->m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
        cloth->m_cfg.piterations = 4;
        cloth->getCollisionShape()->setMargin( margin );
        cloth->setActivationState( DISABLE_DEACTIVATION );
        return addSoft( cloth );
    }

    void step()
    {
        world().stepSimulation( btScalar( 1 ) / 120, 0 );
    }

    /// Contacts in their order with all that the solver reads, then positions and velocities of the vertices.
    std::vector<btScalar> state() const
    {
        std::vector<btScalar> numbers;
        for ( const std::unique_ptr<btSoftBody>& body : m_soft )
        {
            for ( int k = 0; k < body->m_scontacts.size(); ++k )
            {
                const btSoftBody::SContact& contact = body->m_scontacts[k];
                append( contact.m_normal, numbers );
                append( contact.m_weights, numbers );
                numbers.insert( numbers.end(), { contact.m_margin, contact.m_cfm[0], contact.m_cfm[1] } );
            }
            for ( int k = 0; k < body->m_nodes.size(); ++k )
            {
                append( body->m_nodes[k].m_x, numbers );
                append( body->m_nodes[k].m_v, numbers );
            }
        }
        return numbers;
    }

    int softContactCount() const
    {
        int count = 0;
        for ( const std::unique_ptr<btSoftBody>& body : m_soft )
        {
            count += body->m_scontacts.size();
        }
        return count;
    }

private:
    static void append( const btVector3& vector, std::vector<btScalar>& numbers )
    {
        numbers.insert( numbers.end(), { vector.x(), vector.y(), vector.z() } );
    }
};

/// The number of pairs of a cloth's triangles that intersect, exactly, with vertices rounded to float.
std::size_t crossings( const btSoftBody& cloth )
{
    std::vector<float> vertices;
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        const btVector3& at = cloth.m_nodes[k].m_x;
        vertices.insert( vertices.end(), { float( at.x() ), float( at.y() ), float( at.z() ) } );
    }
    std::vector<std::uint32_t> triangles;
    for ( int k = 0; k < cloth.m_faces.size(); ++k )
    {
        for ( const btSoftBody::Node* node : cloth.m_faces[k].m_n )
        {
            triangles.push_back( std::uint32_t( node - &cloth.m_nodes[0] ) );
        }
    }
    const cltBroadphaseDef def = cltDefaultBroadphaseDef();
    cltMeshSet* set;
    EXPECT_EQ( clt_ok, cltCreateMeshSet( &def, &set ) );
    cltMeshDef mesh = cltDefaultMeshDef();
    mesh.vertices = vertices.data();
    mesh.vertexCount = std::uint32_t( cloth.m_nodes.size() );
    mesh.triangles = triangles.data();
    mesh.triangleCount = std::uint32_t( cloth.m_faces.size() );
    mesh.selfCollision = true;
    cltMeshId id;
    EXPECT_EQ( clt_ok, cltMeshSet_CreateMesh( set, &mesh, &id ) );
    const cltTrianglePair* pairs;
    std::size_t count = 0;
    EXPECT_EQ( clt_ok, cltMeshSet_FindPairs( set, clt_meshTriangles, &pairs, &count ) );
    cltDestroyMeshSet( set );
    return count;
}

/// Folds the half at x > 0 over the other half, around a bend, and lets it move towards the other half.
void fold( btSoftBody& cloth )
{
    const btScalar radius = btScalar( 0.12 );
    for ( int k = 0; k < cloth.m_nodes.size(); ++k )
    {
        btSoftBody::Node& node = cloth.m_nodes[k];
        const btScalar angle = btMin( btMax( node.m_x.x() / radius, btScalar( 0 ) ), SIMD_PI );
        if ( angle > 0 )
        {
            const btScalar beyond = btMax( node.m_x.x() - SIMD_PI * radius, btScalar( 0 ) );
            node.m_x.setX( radius * btSin( angle ) - beyond );
            node.m_x.setY( node.m_x.y() + radius * ( 1 - btCos( angle ) ) );
            node.m_v = btVector3( 0, angle >= SIMD_PI ? -2 : 0, 0 );
        }
        node.m_q = node.m_x;
    }
}

/// A folded cloth falls on the floor and comes to rest there. The first argument turns self-collision on.
/// \return the largest number of the cloth's intersections with itself after any checked step
std::size_t mostCrossings( bool collidesWithItself )
{
    CulletSoftBodySolver solver;
    ClothWorld world( &solver );
    btSoftBody& cloth = world.addCloth( btScalar( 1.6 ) );
    cloth.m_cfg.kDP = btScalar( 0.01 );
    solver.setVertexFaceSelfCollision( &cloth, collidesWithItself );
    fold( cloth );
    EXPECT_EQ( 0u, crossings( cloth ) ) << "folded, not yet through";
    std::size_t most = 0;
    for ( int step = 0; step < 240; ++step )
    {
        world.step();
        most = step % 4 == 0 ? std::max( most, crossings( cloth ) ) : most;
    }
    return most;
}

} // namespace

TEST( SoftBodies, MatchBulletToTheBitWithoutSelfCollision )
{
    CulletSoftBodySolver solver;
    ClothWorld ours( &solver ), bullets( nullptr );
    for ( ClothWorld* world : { &ours, &bullets } )
    {
        world->addCloth( btScalar( 1.2 ) );
        world->addCloth( btScalar( 1.4 ), 1 );
        world->addCloth( btScalar( 1.7 ) );
    }
    int contacts = 0;
    for ( int step = 0; step < 300; ++step )
    {
        ours.step();
        bullets.step();
        contacts += bullets.softContactCount();
        ASSERT_EQ( bullets.state(), ours.state() ) << "step " << step;
    }
    EXPECT_GT( contacts, 1000 );
}

TEST( SoftBodies, ClothPassesThroughItselfOnlyWithoutSelfCollision )
{
    EXPECT_GT( mostCrossings( false ), 20u );
    EXPECT_EQ( 0u, mostCrossings( true ) );
}

TEST( SoftBodies, FlatClothHasNoContactsWithItself )
{
    CulletSoftBodySolver solver;
    ClothWorld world( &solver );
    btSoftBody& cloth = world.addCloth( 30 );
    cloth.getCollisionShape()->setMargin( 4 * margin ); // more than an edge
    solver.setVertexFaceSelfCollision( &cloth, true );
    for ( int step = 0; step < 120; ++step )
    {
        world.step();
        ASSERT_EQ( 0, world.softContactCount() ) << "however fast it falls, step " << step;
    }
}

TEST( SoftBodies, DegenerateBodiesAreHandled )
{
    CulletSoftBodySolver solver;
    ClothWorld world( &solver );
    btSoftBody& fixed = world.addCloth( 3 );
    fixed.setTotalMass( 0 );
    fixed.setMass( 0, 0 );
    for ( int k = 0; k < fixed.m_nodes.size(); ++k )
    {
        fixed.setMass( k, 0 );
    }
    fixed.getCollisionShape()->setMargin( 5 * margin ); // its halves are near each other
    fold( fixed );
    btSoftBody& flat = world.addCloth( 6 ); // no triangle has an area
    for ( int k = 0; k < flat.m_nodes.size(); ++k )
    {
        flat.m_nodes[k].m_x = flat.m_nodes[k].m_q = btVector3( btScalar( k ) / 100, 6, 0 );
    }
    btSoftBody& broken = world.addCloth( 9 );
    for ( btSoftBody* body : { &fixed, &flat, &broken } )
    {
        solver.setVertexFaceSelfCollision( body, true );
    }
    broken.m_nodes[40].m_x.setY( std::numeric_limits<btScalar>::quiet_NaN() );
    const btVector3 corner = fixed.m_nodes[0].m_x;
    for ( int step = 0; step < 10; ++step )
    {
        world.step();
        EXPECT_EQ( 0, fixed.m_scontacts.size() );
    }
    EXPECT_EQ( corner, fixed.m_nodes[0].m_x );
    for ( btSoftBody* body : { &fixed, &flat, &broken } )
    {
        solver.setVertexFaceSelfCollision( body, false );
    }
}

TEST( SoftBodies, VertexThatPassedThroughAFaceIsPutBack )
{
    CulletSoftBodySolver solver;
    ClothWorld world( &solver );
    btSoftBody& cloth = world.addCloth( 30 );
    solver.setVertexFaceSelfCollision( &cloth, true );
    cloth.m_materials[0]->m_kLST = 0; // no link pulls at the vertex
    btSoftBody::Node& node = cloth.m_nodes[0];
    const btSoftBody::Node& middle = cloth.m_nodes[cloth.m_nodes.size() / 2];
    node.m_x = node.m_q = middle.m_x + btVector3( margin / 4, margin / 2, margin / 3 );
    node.m_v = btVector3( 0, -margin * 120, 0 ); // after a step it is as far beneath the face
    world.step();
    EXPECT_GT( node.m_x.y(), middle.m_x.y() );
}

TEST( SoftBodies, BodiesKeepTheirOwnCollisionFlags )
{
    using Collision = btSoftBody::fCollision;
    CulletSoftBodySolver solver;
    ClothWorld world( &solver );
    btSoftBody& cloth = world.addCloth( 1 );
    cloth.m_cfg.collisions = Collision::SDF_RS;
    for ( int time = 0; time < 2; ++time ) // the second call changes nothing
    {
        EXPECT_TRUE( solver.setVertexFaceSelfCollision( &cloth, true ) );
        EXPECT_EQ( Collision::SDF_RS | Collision::VF_SS, cloth.m_cfg.collisions );
    }
    EXPECT_TRUE( solver.setVertexFaceSelfCollision( &cloth, false ) );
    EXPECT_EQ( Collision::SDF_RS, cloth.m_cfg.collisions );
    cloth.m_cfg.collisions = Collision::VF_SS;
    solver.setVertexFaceSelfCollision( &cloth, true );
    solver.setVertexFaceSelfCollision( &cloth, false );
    EXPECT_EQ( Collision::VF_SS, cloth.m_cfg.collisions );
    cloth.m_cfg.collisions = Collision::SDF_RS | Collision::CL_SS;
    EXPECT_FALSE( solver.setVertexFaceSelfCollision( &cloth, true ) );
    EXPECT_EQ( Collision::SDF_RS | Collision::CL_SS, cloth.m_cfg.collisions );
}
