// SPDX-License-Identifier: Zlib
#include "sample_world.h"

#include "BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h"
#include "BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h"

#include <fstream>

namespace
{

constexpr btScalar rowOfShapes = 0, rowOfStates = 10, rowOfConstraints = 20, rowOfMeshes = 30; // along z, metres

btVector3 at( btScalar x, btScalar y, btScalar z )
{
    return btVector3( x, y, z );
}

btTransform tilted( const btVector3& place )
{
    return btTransform( btQuaternion( btVector3( 0, 0, 1 ), btScalar( 0.3 ) ), place );
}

/// A tetrahedron.
void addTriangles( btTriangleMesh& mesh, btScalar size )
{
    const btVector3 corners[] = { at( 0, 0, 0 ), at( size, 0, 0 ), at( 0, size, 0 ), at( 0, 0, size ) };
    constexpr int triangles[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
    for ( const auto& [a, b, c] : triangles )
    {
        mesh.addTriangle( corners[a], corners[b], corners[c] );
    }
}

} // namespace

SampleWorld::SampleWorld( int boxCount ) : m_dispatcher( &m_configuration )
{
    m_world = std::make_unique<btDiscreteDynamicsWorld>( &m_dispatcher, &m_broadphase, &m_solver, &m_configuration );
    m_world->setGravity( at( 0, btScalar( -9.5 ), btScalar( 0.5 ) ) );
    btGImpactCollisionAlgorithm::registerAlgorithm( &m_dispatcher );
    addStatic();
    addShapes();
    addStates();
    addConstraints();
    addMeshes();
    auto* box = make<btBoxShape>( at( btScalar( 0.42 ), btScalar( 0.42 ), btScalar( 0.42 ) ) );
    for ( int k = 0; k < boxCount; ++k )
    {
        add( 1, box, at( btScalar( k % 4 ) * btScalar( 0.84 ), btScalar( 0.5 + 0.84 * ( k / 4 ) ), -10 ) );
    }
}

SampleWorld::~SampleWorld()
{
    for ( int k = m_world->getNumConstraints() - 1; k >= 0; --k )
    {
        m_world->removeConstraint( m_world->getConstraint( k ) );
    }
}

void SampleWorld::write( const std::string& path )
{
    btDefaultSerializer serializer;
    m_world->serialize( &serializer );
    std::ofstream( path, std::ios::binary )
        .write( reinterpret_cast<const char*>( serializer.getBufferPointer() ), serializer.getCurrentBufferSize() );
}

btRigidBody* SampleWorld::add( btScalar mass, btCollisionShape* shape, const btVector3& place )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape->calculateLocalInertia( mass, inertia );
    }
    auto* body = make<btRigidBody>( mass, nullptr, shape, inertia );
    body->setWorldTransform( tilted( place ) );
    body->setInterpolationWorldTransform( tilted( place ) );
    m_world->addRigidBody( body );
    return body;
}

/// A collision object comes first: files hold these before the bodies.
void SampleWorld::addStatic()
{
    auto* object = make<btCollisionObject>();
    object->setCollisionShape( make<btBoxShape>( at( 1, 1, 1 ) ) );
    object->setWorldTransform( tilted( at( -5, 1, rowOfStates ) ) );
    m_world->addCollisionObject( object );
    auto* plane = make<btRigidBody>( 0, nullptr, make<btStaticPlaneShape>( at( 0, 1, 0 ), btScalar( 0.25 ) ) );
    m_world->addRigidBody( plane );
}

void SampleWorld::addShapes()
{
    constexpr auto a = btScalar( 0.3 ), b = btScalar( 0.7 ), spacing = btScalar( 1.5 );
    const btVector3 size( a, b, btScalar( 0.5 ) );
    const btVector3 centres[] = { at( -a, 0, 0 ), at( a, 0, 0 ) };
    const btScalar radii[] = { a, btScalar( 0.5 ) };
    auto* hull = make<btConvexHullShape>();
    for ( const btVector3& point : { at( a, 0, 0 ), at( 0, b, 0 ), at( 0, 0, b ), at( -a, -a, -b ) } )
    {
        hull->addPoint( point );
    }
    auto* scaledBox = make<btBoxShape>( size );
    scaledBox->setMargin( btScalar( 0.1 ) );
    scaledBox->setLocalScaling( at( 1, btScalar( 0.5 ), 2 ) );
    auto* scaledCapsule = make<btCapsuleShapeX>( a, b );
    scaledCapsule->setLocalScaling( at( 2, 2, 2 ) );
    auto* scaledSphere = make<btSphereShape>( a );
    scaledSphere->setLocalScaling( at( 2, 2, 2 ) );
    auto* compound = make<btCompoundShape>();
    auto* inner = make<btCompoundShape>();
    inner->addChildShape( tilted( at( 0, a, 0 ) ), hull );
    compound->addChildShape( tilted( at( -b, 0, 0 ) ), scaledBox );
    compound->addChildShape( tilted( at( b, 0, 0 ) ), inner );
    btCollisionShape* const shapes[] = { make<btBoxShape>( size ),
                                         make<btSphereShape>( a ),
                                         make<btCapsuleShape>( a, b ),
                                         make<btCapsuleShapeZ>( a, b ),
                                         make<btCylinderShapeX>( size ),
                                         make<btCylinderShape>( size ),
                                         make<btCylinderShapeZ>( size ),
                                         make<btConeShapeX>( a, b ),
                                         make<btConeShape>( a, b ),
                                         make<btConeShapeZ>( a, b ),
                                         make<btMultiSphereShape>( centres, radii, 2 ),
                                         hull,
                                         scaledBox,
                                         scaledCapsule,
                                         scaledSphere,
                                         compound };
    btScalar x = 0;
    for ( btCollisionShape* shape : shapes )
    {
        add( 1 + x, shape, at( x, 1, rowOfShapes ) );
        x += spacing;
    }
}

/// Bodies that move, sleep, are kinematic, or have groups and masks.
void SampleWorld::addStates()
{
    auto* ball = make<btSphereShape>( btScalar( 0.5 ) );
    btRigidBody* thrown = add( 2, ball, at( 0, 3, rowOfStates ) );
    thrown->setLinearVelocity( at( 1, 2, 0 ) );
    thrown->setAngularVelocity( at( 0, 0, 3 ) );
    thrown->setDamping( btScalar( 0.1 ), btScalar( 0.2 ) );
    thrown->setFriction( btScalar( 0.3 ) );
    thrown->setRestitution( btScalar( 0.43 ) ); // of no other body
    btRigidBody* floating = add( 2, ball, at( 3, 3, rowOfStates ) );
    floating->setGravity( at( 0, 0, 0 ) );
    floating->setLinearFactor( at( 1, 0, 1 ) );
    floating->setActivationState( DISABLE_DEACTIVATION );
    add( 2, ball, at( 6, btScalar( 0.75 ), rowOfStates ) )->forceActivationState( ISLAND_SLEEPING );
    btRigidBody* kinematic = add( 0, ball, at( 9, 3, rowOfStates ) );
    kinematic->setCollisionFlags( kinematic->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT );
    for ( const int mask : { 3, 4 } ) // two bodies at one place; the second one accepts the first, which rejects it
    {
        btRigidBody* filtered = add( 1, ball, at( 12, 3, rowOfStates ) );
        m_world->removeRigidBody( filtered );
        m_world->addRigidBody( filtered, 4, mask );
    }
}

void SampleWorld::addConstraints()
{
    auto* box = make<btBoxShape>( at( btScalar( 0.3 ), btScalar( 0.3 ), btScalar( 0.3 ) ) );
    btScalar x = 0;
    btRigidBody *a = nullptr, *b = nullptr;
    const auto nextPair = [&]
    {
        a = add( 1, box, at( x, 3, rowOfConstraints ) );
        b = add( 1, box, at( x + btScalar( 0.7 ), 3, rowOfConstraints ) );
        x += 3;
    };
    const auto join = [&]( btTypedConstraint* constraint ) { m_world->addConstraint( constraint, true ); };
    const btTransform right = tilted( at( btScalar( 0.35 ), 0, 0 ) ), left = tilted( at( btScalar( -0.35 ), 0, 0 ) );
    nextPair();
    join( make<btPoint2PointConstraint>( *a, *b, right.getOrigin(), left.getOrigin() ) );
    join( make<btPoint2PointConstraint>( *a, at( 0, 1, 0 ) ) ); // to the world
    nextPair();
    auto* hinge = make<btHingeConstraint>( *a, *b, right, left );
    hinge->setLimit( btScalar( -0.5 ), btScalar( 0.6 ) );
    hinge->enableAngularMotor( true, 1, 2 );
    join( hinge );
    nextPair();
    auto* cone = make<btConeTwistConstraint>( *a, *b, right, left );
    cone->setLimit( btScalar( 0.4 ), btScalar( 0.5 ), btScalar( 0.6 ) );
    join( cone );
    nextPair();
    auto* slider = make<btSliderConstraint>( *a, *b, right, left, true );
    slider->setLowerLinLimit( btScalar( -0.2 ) );
    slider->setUpperLinLimit( btScalar( 0.2 ) );
    join( slider );
    nextPair();
    auto* free = make<btGeneric6DofConstraint>( *a, *b, right, left, true );
    free->setLinearUpperLimit( at( btScalar( 0.1 ), 0, 0 ) );
    join( free );
    nextPair();
    auto* spring = make<btGeneric6DofSpringConstraint>( *a, *b, right, left, true );
    spring->enableSpring( 0, true );
    spring->setStiffness( 0, 30 );
    join( spring );
    nextPair();
    auto* spring2 = make<btGeneric6DofSpring2Constraint>( *a, *b, right, left, RO_YZX );
    spring2->enableSpring( 4, true );
    spring2->setStiffness( 4, 20 );
    join( spring2 );
    nextPair();
    join( make<btFixedConstraint>( *a, *b, right, left ) );
    nextPair();
    join( make<btGearConstraint>( *a, *b, at( 1, 0, 0 ), at( 0, 1, 0 ), 2 ) );
    m_world->getConstraint( m_world->getNumConstraints() - 1 )->setEnabled( false );
}

void SampleWorld::addMeshes()
{
    auto* triangles = make<btTriangleMesh>();
    auto* fewer = make<btTriangleMesh>( false ); // with small indices
    addTriangles( *triangles, 3 );
    addTriangles( *fewer, 2 );
    auto* mesh = make<btBvhTriangleMeshShape>( triangles, true );
    add( 0, mesh, at( 0, btScalar( 0.5 ), rowOfMeshes ) );
    add( 0, make<btBvhTriangleMeshShape>( fewer, false ), at( 5, btScalar( 0.5 ), rowOfMeshes ) );
    add( 0, make<btScaledBvhTriangleMeshShape>( mesh, at( 1, 2, 1 ) ), at( 10, btScalar( 0.5 ), rowOfMeshes ) );
    auto* moving = make<btGImpactMeshShape>( fewer );
    moving->updateBound();
    add( 1, moving, at( 15, 1, rowOfMeshes ) );
    add( 1, make<btSphereShape>( btScalar( 0.5 ) ), at( 1, 3, rowOfMeshes + 1 ) );
}
