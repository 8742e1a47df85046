// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// Builds the world and steps it. The materials are chosen so that a fall of any height ends in a pile at rest: much
/// friction, no bounce, and resistance to rolling, without which spheres would leave for good. The stages of a step are
/// timed at the virtual calls that Bullet itself makes, so nothing is rebuilt and nothing is called in another order.
#include "world.h"

#include "demos/report/timing.h"

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"

#include <fmt/format.h>

#include <utility>

namespace cullet::demo
{
namespace
{

using compare::Stopwatch;

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

class TimedWorld : public btDiscreteDynamicsWorld
{
public:
    TimedWorld( StepRecord& record, btDispatcher* dispatcher, btBroadphaseInterface* broadphase,
                btConstraintSolver* solver, btCollisionConfiguration* configuration )
        : btDiscreteDynamicsWorld( dispatcher, broadphase, solver, configuration ), m_record( record )
    {
    }

    void performDiscreteCollisionDetection() override
    {
        const Stopwatch stopwatch( m_record.narrowPhaseMs ); // and the broadphase, see step
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
    }

    void updateAabbs() override
    {
        const Stopwatch stopwatch( m_record.broadphaseMs );
        btDiscreteDynamicsWorld::updateAabbs();
    }

    void computeOverlappingPairs() override
    {
        const Stopwatch stopwatch( m_record.broadphaseMs );
        btDiscreteDynamicsWorld::computeOverlappingPairs();
    }

protected:
    void calculateSimulationIslands() override
    {
        const Stopwatch stopwatch( m_record.solverMs );
        btDiscreteDynamicsWorld::calculateSimulationIslands();
    }

    void solveConstraints( btContactSolverInfo& info ) override
    {
        const Stopwatch stopwatch( m_record.solverMs );
        btDiscreteDynamicsWorld::solveConstraints( info );
    }

private:
    StepRecord& m_record;
};

} // namespace

std::string StepRecord::summary() const
{
    return fmt::format( "{:7.2f} ms per step  {:8d} pairs", wholeMs, pairs );
}

World::World( int bodyCount, std::unique_ptr<btBroadphaseInterface> broadphase )
    : m_column( bodyCount ), m_dispatcher( &m_configuration ), m_broadphase( std::move( broadphase ) ),
      m_planeShape( btVector3( 0, 1, 0 ), 0 ),
      m_world(
          std::make_unique<TimedWorld>( m_record, &m_dispatcher, m_broadphase.get(), &m_solver, &m_configuration ) )
{
    m_world->setGravity( btVector3( 0, -gravity, 0 ) );
    m_world->getSolverInfo().m_erp2 = penetrationRecovery;
    for ( const BodyKind& kind : bodyKinds )
    {
        const btVector3& half = kind.halfExtents;
        m_shapes.emplace_back( kind.isSphere ? static_cast<btCollisionShape*>( new btSphereShape( half.x() ) )
                                             : new btBoxShape( half ) );
    }
    m_plane = addBody( 0, m_planeShape, { 0, btTransform::getIdentity() } );
    for ( int index = 0; index < bodyCount; ++index )
    {
        const Placement placement = m_column.place( index );
        const btVector3& half = placement.kind().halfExtents;
        const btScalar mass = 8 * density * half.x() * half.y() * half.z();
        m_bodies.push_back( addBody( mass, *m_shapes[std::size_t( placement.kindIndex )], placement ) );
    }
}

/// Bullet's destructor takes the bodies out of its world. All pairs go first: removing a body makes Bullet's own pair
/// cache walk all the pairs there are, which takes minutes for a large pile.
World::~World()
{
    btOverlappingPairCache& cache = *m_world->getPairCache();
    while ( cache.getNumOverlappingPairs() > 0 )
    {
        const btBroadphasePair last = cache.getOverlappingPairArray()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, &m_dispatcher );
    }
}

std::unique_ptr<btRigidBody> World::addBody( btScalar mass, btCollisionShape& shape, const Placement& placement )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape.calculateLocalInertia( mass, inertia );
    }
    btRigidBody::btRigidBodyConstructionInfo setup( mass, nullptr, &shape, inertia );
    setup.m_startWorldTransform = placement.transform;
    setup.m_friction = friction;
    setup.m_rollingFriction = rollingFriction;
    setup.m_spinningFriction = rollingFriction;
    setup.m_restitution = 0;
    setup.m_linearDamping = linearDamping;
    setup.m_angularDamping = angularDamping;
    auto body = std::make_unique<btRigidBody>( setup );
    body->setUserIndex( placement.kindIndex );
    m_world->addRigidBody( body.get() );
    return body;
}

StepRecord World::step()
{
    m_record = StepRecord();
    {
        const Stopwatch stopwatch( m_record.wholeMs );
        for ( int substep = 0; substep < substepsPerStep; ++substep )
        {
            m_world->stepSimulation( stepSeconds / substepsPerStep, 0 ); // 0: exactly one, of exactly this length
        }
    }
    m_record.narrowPhaseMs -= m_record.broadphaseMs;
    m_record.restMs = m_record.wholeMs - m_record.broadphaseMs - m_record.narrowPhaseMs - m_record.solverMs;
    m_record.pairs = m_world->getPairCache()->getNumOverlappingPairs();
    m_record.manifolds = m_dispatcher.getNumManifolds();
    return m_record;
}

Placement placementOf( const btRigidBody& body )
{
    return { body.getUserIndex(), body.getWorldTransform() };
}

} // namespace cullet::demo
