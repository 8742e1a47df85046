// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// Builds the world and steps it. The materials are chosen so that a fall of any height ends in a pile at rest: much
/// friction, no bounce, and resistance to rolling, without which spheres would leave for good.
#include "world.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::demo
{
namespace
{

/// Bullet multiplies the frictions of the two bodies of a contact: 0.64 everywhere.
constexpr btScalar friction = btScalar( 0.8 );

/// The lever, in metres, at which a contact's force may resist rolling. Bullet multiplies each body's with the other's
/// friction and adds: 0.4 m, which slows a rolling ball of radius r by 5/7 0.4/r g, the same 0.6 g as sliding.
constexpr btScalar rollingFriction = btScalar( 0.25 );

/// Part of the velocity lost per second.
constexpr btScalar linearDamping = btScalar( 0.05 );
constexpr btScalar angularDamping = btScalar( 0.2 );

/// Part of a penetration undone in one substep. Bullet's 0.2 leaves bodies under a hard landing in the plane for long.
constexpr btScalar penetrationRecovery = btScalar( 0.6 );

/// Kilograms per cubic metre; only the ratios between bodies matter.
constexpr btScalar density = 10;

std::unique_ptr<btCollisionShape> makeShape( BodyKind kind )
{
    const btVector3 halfExtents = halfExtentsOf( kind );
    if ( kind == BodyKind::sphere )
    {
        return std::make_unique<btSphereShape>( halfExtents.x() );
    }
    return std::make_unique<btBoxShape>( halfExtents );
}

std::unique_ptr<btRigidBody> makeBody( btScalar mass, btCollisionShape* shape, const btTransform& transform )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape->calculateLocalInertia( mass, inertia );
    }
    btRigidBody::btRigidBodyConstructionInfo setup( mass, nullptr, shape, inertia );
    setup.m_startWorldTransform = transform;
    setup.m_friction = friction;
    setup.m_rollingFriction = rollingFriction;
    setup.m_spinningFriction = rollingFriction;
    setup.m_restitution = 0;
    setup.m_linearDamping = linearDamping;
    setup.m_angularDamping = angularDamping;
    return std::make_unique<btRigidBody>( setup );
}

} // namespace

std::string summaryOf( const StepRecord& record )
{
    return fmt::format( "{:7.2f} ms per step  {:8d} pairs", record.times.whole, record.pairs );
}

World::World( int bodyCount, std::unique_ptr<btBroadphaseInterface> broadphase )
    : m_column( planColumn( bodyCount ) ), m_dispatcher( &m_configuration, &m_times ),
      m_broadphase( std::move( broadphase ) ),
      m_world( &m_dispatcher, m_broadphase.get(), &m_solver, &m_configuration, &m_times )
{
    m_world.setGravity( btVector3( 0, -gravity, 0 ) );
    m_world.getSolverInfo().m_erp2 = penetrationRecovery;
    for ( int kind = 0; kind < bodyKindCount; ++kind )
    {
        m_shapes[std::size_t( kind )] = makeShape( BodyKind( kind ) );
    }
    addPlane();
    m_bodies.reserve( std::size_t( bodyCount ) );
    m_kinds.reserve( std::size_t( bodyCount ) );
    for ( int index = 0; index < bodyCount; ++index )
    {
        addBody( placeBody( m_column, index ) );
    }
}

World::~World()
{
    // The world does not own its bodies, but their pairs and contacts live in it. All pairs go first: removing a body
    // makes Bullet's own pair cache walk all the pairs there are, which takes minutes for a large pile.
    btOverlappingPairCache& cache = *m_world.getPairCache();
    while ( cache.getNumOverlappingPairs() > 0 )
    {
        const btBroadphasePair last = cache.getOverlappingPairArray()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, &m_dispatcher );
    }
    for ( auto body = m_bodies.rbegin(); body != m_bodies.rend(); ++body )
    {
        m_world.removeRigidBody( body->get() );
    }
    m_world.removeRigidBody( m_plane.get() );
}

void World::addPlane()
{
    m_planeShape = std::make_unique<btStaticPlaneShape>( btVector3( 0, 1, 0 ), btScalar( 0 ) );
    m_plane = makeBody( 0, m_planeShape.get(), btTransform::getIdentity() );
    m_world.addRigidBody( m_plane.get() );
}

void World::addBody( const Placement& placement )
{
    const btVector3 halfExtents = halfExtentsOf( placement.kind );
    const btScalar mass = 8 * density * halfExtents.x() * halfExtents.y() * halfExtents.z();
    m_bodies.push_back( makeBody( mass, m_shapes[std::size_t( placement.kind )].get(), placement.transform ) );
    m_kinds.push_back( placement.kind );
    m_world.addRigidBody( m_bodies.back().get() );
}

StepRecord World::step()
{
    m_times = StepTimes();
    {
        const Stopwatch stopwatch( m_times.whole );
        for ( int substep = 0; substep < substepsPerStep; ++substep )
        {
            m_world.stepSimulation( stepSeconds / substepsPerStep, 0 ); // 0: exactly one, of exactly this length
        }
    }
    StepRecord record;
    record.times = m_times;
    record.pairs = m_world.getPairCache()->getNumOverlappingPairs();
    record.manifolds = m_dispatcher.getNumManifolds();
    return record;
}

Contacts World::countContacts() const
{
    Contacts contacts;
    for ( int i = 0; i < m_dispatcher.getNumManifolds(); ++i )
    {
        const int points = m_dispatcher.getManifoldByIndexInternal( i )->getNumContacts();
        contacts.manifolds += points > 0;
        contacts.points += points;
    }
    return contacts;
}

} // namespace cullet::demo
