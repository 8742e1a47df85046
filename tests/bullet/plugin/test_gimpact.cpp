// SPDX-License-Identifier: Zlib
// Worlds of concave meshes that run once with Bullet's GImpact algorithm and once with cullet's: the same contact
// points in the same order, impulses and positions in each of 300 steps, bit for bit.
#include "concave_meshes.h"

#include <functional>
#include <memory>

namespace
{

using namespace test;

// The elements of the dispatcher's pool have one size.
static_assert( sizeof( CulletGImpactAlgorithm ) == sizeof( btGImpactCollisionAlgorithm ), "no larger than Bullet's" );

constexpr int stepCount = 300;

/// A plane, and bodies that fall on it.
class ConcaveWorld
{
public:
    explicit ConcaveWorld( void ( *registerAlgorithm )( btCollisionDispatcher* ) )
    {
        registerAlgorithm( &m_dispatcher );
        m_world.setGravity( btVector3( 0, -10, 0 ) );
        add( m_plane, 0, btVector3( 0, 0, 0 ), 0 );
    }

    void add( btCollisionShape& shape, btScalar mass, const btVector3& origin, btScalar angle )
    {
        btVector3 inertia( 0, 0, 0 );
        if ( mass > 0 )
        {
            shape.calculateLocalInertia( mass, inertia );
        }
        m_bodies.emplace_back( new btRigidBody( mass, nullptr, &shape, inertia ) );
        const btQuaternion turn( btVector3( 1, btScalar( 0.3 ), btScalar( 0.2 ) ).normalized(), angle );
        m_bodies.back()->setWorldTransform( btTransform( turn, origin ) );
        m_bodies.back()->setActivationState( DISABLE_DEACTIVATION );
        m_bodies.back()->setCollisionFlags( m_bodies.back()->getCollisionFlags() |
                                            btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK );
        m_world.addRigidBody( m_bodies.back().get() );
    }

    void step()
    {
        const AddedPoints points;
        m_world.stepSimulation( btScalar( 1 ) / 60, 0 );
        m_added = AddedPoints::numbers();
    }

    /// Contact points as they were added, then the kept ones with all that the solver reads and writes, then the
    /// bodies' positions.
    std::vector<btScalar> state()
    {
        std::vector<btScalar> numbers = m_added;
        for ( int k = 0; k < m_dispatcher.getNumManifolds(); ++k )
        {
            const btPersistentManifold& manifold = *m_dispatcher.getManifoldByIndexInternal( k );
            for ( int point = 0; point < manifold.getNumContacts(); ++point )
            {
                append( manifold.getContactPoint( point ), numbers );
            }
        }
        for ( const std::unique_ptr<btRigidBody>& body : m_bodies )
        {
            append( body->getWorldTransform().getOrigin(), numbers );
            append( body->getAngularVelocity(), numbers );
        }
        return numbers;
    }

    /// Contacts between bodies that move.
    int contactCount()
    {
        int count = 0;
        for ( int k = 0; k < m_dispatcher.getNumManifolds(); ++k )
        {
            const btPersistentManifold& manifold = *m_dispatcher.getManifoldByIndexInternal( k );
            const bool areMoving = !manifold.getBody0()->isStaticObject() && !manifold.getBody1()->isStaticObject();
            count += areMoving ? manifold.getNumContacts() : 0;
        }
        return count;
    }

private:
    static void append( const btVector3& vector, std::vector<btScalar>& numbers )
    {
        numbers.insert( numbers.end(), { vector.x(), vector.y(), vector.z() } );
    }

    static void append( const btManifoldPoint& point, std::vector<btScalar>& numbers )
    {
        append( point.m_positionWorldOnA, numbers );
        append( point.m_positionWorldOnB, numbers );
        append( point.m_normalWorldOnB, numbers );
        numbers.insert( numbers.end(),
                        { point.m_distance1, point.m_appliedImpulse, btScalar( point.m_partId0 ),
                          btScalar( point.m_partId1 ), btScalar( point.m_index0 ), btScalar( point.m_index1 ) } );
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher{ &m_configuration };
    btDbvtBroadphase m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    btStaticPlaneShape m_plane{ btVector3( 0, 1, 0 ), 0 };
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<btScalar> m_added; ///< in the last step
    btDiscreteDynamicsWorld m_world{ &m_dispatcher, &m_broadphase, &m_solver, &m_configuration };
};

/// \param fill        adds the same bodies to each world
/// \param beforeStep  moves what both worlds share
void expectSame(
    const std::function<void( ConcaveWorld& )>& fill, const std::function<void( int )>& beforeStep = []( int ) {} )
{
    ConcaveWorld bullet( &btGImpactCollisionAlgorithm::registerAlgorithm );
    ConcaveWorld cullet( &CulletGImpactAlgorithm::registerAlgorithm );
    fill( bullet );
    fill( cullet );
    int contactCount = 0;
    for ( int step = 0; step < stepCount; ++step )
    {
        beforeStep( step );
        bullet.step();
        cullet.step();
        contactCount += bullet.contactCount();
        ASSERT_EQ( bullet.state(), cullet.state() ) << "step " << step;
    }
    EXPECT_GT( contactCount, stepCount );
}

void addTwo( ConcaveWorld& world, btCollisionShape& lower, btCollisionShape& upper )
{
    world.add( lower, 1, btVector3( 0, btScalar( 0.7 ), 0 ), 0 );
    world.add( upper, 1, btVector3( btScalar( 0.3 ), btScalar( 2.2 ), btScalar( 0.1 ) ), btScalar( 1.5 ) );
}

} // namespace

TEST( GImpact, MatchesBulletWithTwoRings )
{
    Ring ring( 40, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    expectSame( [&]( ConcaveWorld& world ) { addTwo( world, shape, shape ); } );
}

/// The margin has the size of the triangles: nine of ten pairs of boxes have no contact.
TEST( GImpact, MatchesBulletWithWideMargins )
{
    Ring ring( 40, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setMargin( btScalar( 0.06 ) );
    shape.updateBound();
    expectSame( [&]( ConcaveWorld& world ) { addTwo( world, shape, shape ); } );
}

/// Bodies penetrate so deeply that all kinds of pairs occur: triangles back to back, crossing, one behind the other.
TEST( GImpact, MatchesBulletWithDeepPenetration )
{
    Ring ring( 16, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    expectSame(
        [&]( ConcaveWorld& world )
        {
            for ( int k = 0; k < 3; ++k )
            {
                world.add( shape, 1, btVector3( btScalar( 0.35 * k ), btScalar( 0.8 + 0.2 * k ), btScalar( 0.1 * k ) ),
                           btScalar( k ) );
            }
        } );
}

/// Parts are numbered, except a part that is a body's whole shape. Meshes may be scaled. Bullet handles other GImpact
/// shapes, and all other shapes.
TEST( GImpact, MatchesBulletWithPartsAndOtherShapes )
{
    Ring ring( 24, 3 );
    btGImpactMeshShape parts( &ring.m_arrays );
    parts.setLocalScaling( btVector3( btScalar( 1.2 ), btScalar( 0.8 ), 1 ) );
    parts.updateBound();
    btGImpactMeshShapePart part( &ring.m_arrays, 1 );
    part.updateBound();
    btSphereShape ball( btScalar( 0.3 ) );
    btGImpactCompoundShape compound;
    compound.addChildShape( btTransform::getIdentity(), &ball );
    compound.updateBound();
    btBoxShape box( btVector3( btScalar( 0.3 ), btScalar( 0.3 ), btScalar( 0.3 ) ) );
    expectSame(
        [&]( ConcaveWorld& world )
        {
            addTwo( world, parts, parts );
            world.add( part, 1, btVector3( btScalar( 0.5 ), btScalar( 3.5 ), 0 ), 1 );
            world.add( compound, 1, btVector3( 0, btScalar( 4.5 ), btScalar( 1 ) ), 0 );
            world.add( box, 1, btVector3( 1, btScalar( 5.5 ), 0 ), 0 );
        } );
}

/// A shape that is updated gets new boxes under the same nodes of its tree.
TEST( GImpact, MatchesBulletWithDeformingMeshes )
{
    Ring ring( 32, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    expectSame( [&]( ConcaveWorld& world ) { addTwo( world, shape, shape ); },
                [&]( int step )
                {
                    ring.move( btScalar( 0.05 ) * btScalar( step ) );
                    shape.postUpdate();
                    shape.updateBound();
                } );
}

/// Triangles without area, and a mesh of one triangle: its tree is a leaf.
TEST( GImpact, MatchesBulletWithDegenerateMeshes )
{
    Ring ring( 24, 1 );
    for ( std::size_t k = 0; k < ring.m_vertices.size(); k += 3 * 17 )
    {
        ring.m_vertices[k + 3] = ring.m_vertices[k];
        ring.m_vertices[k + 4] = ring.m_vertices[k + 1];
        ring.m_vertices[k + 5] = ring.m_vertices[k + 2];
    }
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    const btVector3 corners[3] = { { -1, 0, -1 }, { 1, 0, -1 }, { 0, 0, 1 } };
    Single leaf( corners, btScalar( 0.01 ) );
    expectSame(
        [&]( ConcaveWorld& world )
        {
            addTwo( world, shape, shape );
            world.add( leaf.m_shape, 1, btVector3( 0, 4, 0 ), btScalar( 0.4 ) );
        } );
}
