// SPDX-License-Identifier: Zlib
// Worlds of concave meshes that run once with Bullet's GImpact algorithm and once with cullet's: the same contact
// points, impulses and places after each of 300 steps, bit for bit.
#include "CulletGImpactAlgorithm.h"

#include "btBulletDynamicsCommon.h"
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace
{

// The pools of Bullet's dispatchers have places of one size.
static_assert( sizeof( CulletGImpactAlgorithm ) == sizeof( btGImpactCollisionAlgorithm ), "no larger than Bullet's" );

constexpr int stepCount = 300;

/// A ring with bumps, in `partCount` parts; `time` lets the bumps travel.
struct Ring
{
    Ring( int around, int partCount ) : m_around( around )
    {
        const int rows = around / partCount;
        m_vertices.resize( std::size_t( 3 * around * around ) );
        m_triangles.reserve( std::size_t( 6 * around * around ) );
        for ( int row = 0; row < around; ++row )
        {
            for ( int column = 0; column < around; ++column )
            {
                addSquare( row, column );
            }
        }
        for ( int part = 0; part < partCount; ++part )
        {
            btIndexedMesh mesh;
            mesh.m_numTriangles = 2 * rows * around;
            mesh.m_triangleIndexBase =
                reinterpret_cast<const unsigned char*>( &m_triangles[std::size_t( 6 * part * rows * around )] );
            mesh.m_triangleIndexStride = 3 * sizeof( int );
            mesh.m_numVertices = around * around;
            mesh.m_vertexBase = reinterpret_cast<const unsigned char*>( m_vertices.data() );
            mesh.m_vertexStride = 3 * sizeof( btScalar );
            m_arrays.addIndexedMesh( mesh );
        }
        move( 0 );
    }

    void move( btScalar time )
    {
        std::size_t at = 0;
        for ( int row = 0; row < m_around; ++row )
        {
            for ( int column = 0; column < m_around; ++column )
            {
                const btScalar a = SIMD_2_PI * btScalar( row ) / btScalar( m_around );
                const btScalar b = SIMD_2_PI * btScalar( column ) / btScalar( m_around );
                const btScalar thickness = btScalar( 0.4 ) + btScalar( 0.06 ) * btSin( 7 * a + time ) * btSin( 5 * b );
                const btScalar radius = 1 + thickness * btCos( b );
                m_vertices[at++] = radius * btCos( a );
                m_vertices[at++] = thickness * btSin( b );
                m_vertices[at++] = radius * btSin( a );
            }
        }
    }

    std::vector<btScalar> m_vertices;
    btTriangleIndexVertexArray m_arrays;

private:
    void addSquare( int row, int column )
    {
        const int nextRow = ( row + 1 ) % m_around * m_around;
        const int nextColumn = ( column + 1 ) % m_around;
        row *= m_around;
        for ( const int corner : { row + column, row + nextColumn, nextRow + nextColumn, row + column,
                                   nextRow + nextColumn, nextRow + column } )
        {
            m_triangles.push_back( corner );
        }
    }

    int m_around;
    std::vector<int> m_triangles;
};

/// A plane, and whatever falls on it.
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
        m_world.addRigidBody( m_bodies.back().get() );
    }

    void step()
    {
        m_world.stepSimulation( btScalar( 1 ) / 60, 0 );
    }

    /// Contact points in their order with all that the solver reads and writes, then where bodies are.
    std::vector<btScalar> state()
    {
        std::vector<btScalar> numbers;
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

    /// Between bodies that move.
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
    btDiscreteDynamicsWorld m_world{ &m_dispatcher, &m_broadphase, &m_solver, &m_configuration };
};

/// \param fill        adds the same to either world
/// \param beforeStep  what both worlds share moves
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

/// A shape where it is.
struct Placed
{
    btCollisionShape& shape;
    btTransform place;
};

/// Distances and places of the contact points of two shapes, without a world.
std::vector<btScalar> contactsOfPair( void ( *registerAlgorithm )( btCollisionDispatcher* ), const Placed& first,
                                      const Placed& second )
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher( &configuration );
    registerAlgorithm( &dispatcher );
    btCollisionObject lower, upper;
    lower.setCollisionShape( &first.shape );
    lower.setWorldTransform( first.place );
    upper.setCollisionShape( &second.shape );
    upper.setWorldTransform( second.place );
    btCollisionObjectWrapper a( nullptr, &first.shape, &lower, lower.getWorldTransform(), -1, -1 );
    btCollisionObjectWrapper b( nullptr, &second.shape, &upper, upper.getWorldTransform(), -1, -1 );
    btManifoldResult result( &a, &b );
    btCollisionAlgorithm* algorithm = dispatcher.findAlgorithm( &a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS );
    algorithm->processCollision( &a, &b, btDispatcherInfo(), &result );
    std::vector<btScalar> contacts;
    btManifoldArray manifolds;
    algorithm->getAllContactManifolds( manifolds );
    for ( int k = 0; k < manifolds.size(); ++k )
    {
        for ( int point = 0; point < manifolds[k]->getNumContacts(); ++point )
        {
            const btManifoldPoint& contact = manifolds[k]->getContactPoint( point );
            const btVector3& at = contact.getPositionWorldOnA();
            contacts.insert( contacts.end(), { contact.getDistance(), at.x(), at.y(), at.z() } );
        }
    }
    algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm( algorithm );
    return contacts;
}

void addTwo( ConcaveWorld& world, btCollisionShape& lower, btCollisionShape& upper )
{
    world.add( lower, 1, btVector3( 0, btScalar( 0.7 ), 0 ), 0 );
    world.add( upper, 1, btVector3( btScalar( 0.3 ), btScalar( 2.2 ), btScalar( 0.1 ) ), btScalar( 1.5 ) );
}

} // namespace

TEST( GImpact, TwoRings )
{
    Ring ring( 40, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.updateBound();
    expectSame( [&]( ConcaveWorld& world ) { addTwo( world, shape, shape ); } );
}

/// The margin is as large as the triangles: nine of ten pairs of boxes have no contact.
TEST( GImpact, WideMargins )
{
    Ring ring( 40, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setMargin( btScalar( 0.06 ) );
    shape.updateBound();
    expectSame( [&]( ConcaveWorld& world ) { addTwo( world, shape, shape ); } );
}

/// So deep in each other that every kind of pair comes up: triangles back to back, crossing, one behind the other.
TEST( GImpact, BodiesInEachOther )
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

/// Parts are numbered; a part that is a body's shape by itself is not. A mesh may be scaled, and of other kinds of
/// GImpact shapes and of other shapes Bullet takes care.
TEST( GImpact, PartsAndOtherShapes )
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

/// The tree of a shape that is told to update gets new boxes under the same nodes.
TEST( GImpact, MeshesThatDeform )
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

/// Triangles without a plane, and a mesh of one triangle, whose tree is a leaf.
TEST( GImpact, PoorMeshes )
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
    btScalar corners[] = { -1, 0, -1, 1, 0, -1, 0, 0, 1 };
    int triangle[] = { 0, 1, 2 };
    btTriangleIndexVertexArray one( 1, triangle, sizeof( triangle ), 3, corners, 3 * sizeof( btScalar ) );
    btGImpactMeshShape leaf( &one );
    leaf.updateBound();
    expectSame(
        [&]( ConcaveWorld& world )
        {
            addTwo( world, shape, shape );
            world.add( leaf, 1, btVector3( 0, 4, 0 ), btScalar( 0.4 ) );
        } );
}

/// Bullet tests all triangles with all of a mesh whose updateBound() was never called, if it is locked.
TEST( GImpact, MeshesWithoutTrees )
{
    Ring ring( 12, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.getMeshPart( 0 )->lockChildShapes();
    const Placed lower = { shape, btTransform::getIdentity() };
    const Placed upper = {
        shape, btTransform( btQuaternion::getIdentity(), btVector3( btScalar( 0.3 ), btScalar( 0.2 ), 0 ) ) };
    const std::vector<btScalar> bullet =
        contactsOfPair( &btGImpactCollisionAlgorithm::registerAlgorithm, lower, upper );
    EXPECT_FALSE( bullet.empty() );
    EXPECT_EQ( bullet, contactsOfPair( &CulletGImpactAlgorithm::registerAlgorithm, lower, upper ) );
    shape.getMeshPart( 0 )->unlockChildShapes();
}

/// Planes of any attitude that the lowest vertices just touch, or just do not: what is left to rounding. Each vertex is
/// the lowest one somewhere, in a mesh whose vertices are not a multiple of four.
TEST( GImpact, PlanesAtTouchingDistance )
{
    Ring ring( 11, 1 );
    btGImpactMeshShape shape( &ring.m_arrays );
    shape.setLocalScaling( btVector3( btScalar( 1.1 ), 1, btScalar( 0.9 ) ) );
    shape.updateBound();
    int touching = 0;
    const int count = 1000;
    for ( int k = 0; k < count; ++k )
    {
        const btQuaternion turn(
            btVector3( btScalar( k % 7 - 3 ), btScalar( k % 11 - 5 ), btScalar( 0.5 ) ).normalized(),
            btScalar( 0.37 ) * btScalar( k ) );
        const btTransform place( turn, btVector3( btScalar( 10 * ( k % 5 ) ), btScalar( k % 3 ), btScalar( -k % 4 ) ) );
        const btVector3 normal =
            btVector3( btScalar( k % 13 - 6 ), btScalar( k % 17 - 8 ), btScalar( 0.3 ) ).normalized();
        btScalar lowest = BT_LARGE_FLOAT;
        for ( std::size_t i = 0; i < ring.m_vertices.size(); i += 3 )
        {
            const btVector3 vertex( ring.m_vertices[i], ring.m_vertices[i + 1], ring.m_vertices[i + 2] );
            lowest = btMin( lowest, normal.dot( place( vertex * shape.getLocalScaling() ) ) );
        }
        btStaticPlaneShape plane( normal, 0 );
        const btScalar step = 2 * SIMD_EPSILON * btFabs( lowest );
        const btScalar height =
            lowest - shape.getMeshPart( 0 )->getMargin() - plane.getMargin() + step * btScalar( k % 9 - 4 );
        const Placed mesh = { shape, place };
        const Placed ground = { plane, btTransform( btQuaternion::getIdentity(), normal * height ) };
        const Placed& first = k % 2 == 0 ? mesh : ground;
        const Placed& second = k % 2 == 0 ? ground : mesh;
        const std::vector<btScalar> bullet =
            contactsOfPair( &btGImpactCollisionAlgorithm::registerAlgorithm, first, second );
        ASSERT_EQ( bullet, contactsOfPair( &CulletGImpactAlgorithm::registerAlgorithm, first, second ) ) << k;
        touching += bullet.empty() ? 0 : 1;
    }
    EXPECT_GT( touching, count / 4 );
    EXPECT_LT( touching, 3 * count / 4 );
}

/// A tree of one triangle is a leaf that is the root, where Bullet tests all fifteen axes and not six: its boxes may
/// be apart on an edge's axis alone, and GImpact makes contacts of triangles far behind each other.
TEST( GImpact, SingleTrianglesAnywhere )
{
    btScalar corners[] = { -1, 0, btScalar( -0.2 ), 1, btScalar( 0.1 ), 0, 0, 0, btScalar( 0.2 ) };
    int triangle[] = { 0, 1, 2 };
    btTriangleIndexVertexArray one( 1, triangle, sizeof( triangle ), 3, corners, 3 * sizeof( btScalar ) );
    btGImpactMeshShape shape( &one );
    shape.setMargin( btScalar( 0.1 ) );
    shape.updateBound();
    int touching = 0;
    for ( int k = 0; k < 6000; ++k )
    {
        const btVector3 axis( btScalar( k % 7 - 3 ), btScalar( k % 11 - 5 ), btScalar( 0.5 ) );
        const btVector3 origin( btScalar( 0.1 ) * btScalar( k % 13 - 6 ), btScalar( 0.05 ) * btScalar( k % 29 - 14 ),
                                btScalar( 0.1 ) * btScalar( k % 19 - 9 ) );
        const Placed first = { shape, btTransform::getIdentity() };
        const Placed second = {
            shape, btTransform( btQuaternion( axis.normalized(), btScalar( 0.37 ) * btScalar( k ) ), origin ) };
        const std::vector<btScalar> bullet =
            contactsOfPair( &btGImpactCollisionAlgorithm::registerAlgorithm, first, second );
        ASSERT_EQ( bullet, contactsOfPair( &CulletGImpactAlgorithm::registerAlgorithm, first, second ) ) << k;
        touching += bullet.empty() ? 0 : 1;
    }
    EXPECT_GT( touching, 600 );
}
