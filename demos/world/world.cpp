// SPDX-License-Identifier: Zlib
/// \file world.cpp
/// Builds the world and steps it. The materials are chosen so that a fall from any height ends in a pile at rest: much
/// friction, no bounce, and resistance to rolling, without which spheres would roll away. The parts of a step are timed
/// in overrides of Bullet's virtual functions, so the order of its calls does not change.
#include "world.h"

#include "demos/engines/core_engine.h"
#include "demos/system/system.h"
#include "plugin/CulletBroadphase.h"
#include "plugin/CulletSoftBodySolver.h"

#include "BulletCollision/CollisionShapes/btCollisionShape.h"
#include "BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace cullet::demo
{
namespace
{

/// Bullet multiplies the frictions of the two bodies of a contact: 0.64 everywhere.
constexpr btScalar friction = btScalar( 0.8 );

/// The lever, in metres, with which a contact's force may resist rolling. Bullet multiplies each body's value by the
/// other's friction and adds both products: 0.4 m. A rolling ball of radius r is slowed by 5/7 0.4/r g, about 0.6 g, as
/// by sliding.
constexpr btScalar rollingFriction = btScalar( 0.25 );

/// Fraction of the velocity lost per second.
constexpr btScalar linearDamping = btScalar( 0.05 );
constexpr btScalar angularDamping = btScalar( 0.2 );

/// Fraction of a penetration corrected in one substep. With Bullet's 0.2 bodies stay in the plane long after a hard
/// landing.
constexpr btScalar penetrationRecovery = btScalar( 0.6 );

/// \tparam Base  Bullet's world for rigid bodies, or its world for rigid and soft bodies
template <typename Base>
class TimedWorld : public Base
{
public:
    template <typename... Parts>
    TimedWorld( PartClock& clock, Parts... parts ) : Base( parts... ), m_clock( clock )
    {
    }

    void performDiscreteCollisionDetection() override
    {
        m_clock.measure( narrowPhasePart, [this] { Base::performDiscreteCollisionDetection(); } );
    }

    void updateAabbs() override
    {
        m_clock.measure( boxesPart, [this] { Base::updateAabbs(); } );
    }

    void computeOverlappingPairs() override
    {
        m_clock.measure( broadphasePart, [this] { Base::computeOverlappingPairs(); } );
        m_clock.record.pairs = this->getPairCache()->getNumOverlappingPairs();
    }

protected:
    void calculateSimulationIslands() override
    {
        m_clock.measure( islandsPart, [this] { Base::calculateSimulationIslands(); } );
    }

    void solveConstraints( btContactSolverInfo& info ) override
    {
        m_clock.measure( solverPart, [&] { Base::solveConstraints( info ); } );
    }

    /// Integrates, then enters actionsPart: Bullet runs actions after this, in a function that is not virtual.
    void integrateTransforms( btScalar seconds ) override
    {
        Base::integrateTransforms( seconds );
        m_clock.enter( actionsPart );
    }

    void updateActivationState( btScalar seconds ) override
    {
        m_clock.enter( restPart );
        Base::updateActivationState( seconds );
    }

private:
    PartClock& m_clock;
};

double wallMs()
{
    return std::chrono::duration<double, std::milli>( std::chrono::steady_clock::now().time_since_epoch() ).count();
}

} // namespace

std::string StepRecord::summary() const
{
    return fmt::format( "{:7.2f} ms per step  {:8d} pairs", wall[wholeStep], pairs );
}

Part PartClock::enter( Part part )
{
    const double wall = wallMs();
    const double processor = system::processorMs();
    for ( const Part counted : { m_part, wholeStep } )
    {
        record.wall[counted] += wall - m_wallAt;
        record.processor[counted] += processor - m_processorAt;
    }
    m_wallAt = wall;
    m_processorAt = processor;
    return std::exchange( m_part, part );
}

World::World( std::unique_ptr<btBroadphaseInterface> broadphase, bool isSoft )
    : m_configuration( isSoft ? std::make_unique<btSoftBodyRigidBodyCollisionConfiguration>()
                              : std::make_unique<btDefaultCollisionConfiguration>() ),
      m_dispatcher( m_configuration.get() ), m_broadphase( std::move( broadphase ) )
{
    if ( isSoft )
    {
        m_softSolver = cullet() != nullptr ? std::make_unique<CulletSoftBodySolver>() : nullptr;
        m_world = std::make_unique<TimedWorld<btSoftRigidDynamicsWorld>>(
            m_clock, &m_dispatcher, m_broadphase.get(), &m_solver, m_configuration.get(), m_softSolver.get() );
        soft()->getWorldInfo().m_gravity = btVector3( 0, -gravity, 0 );
    }
    else
    {
        m_world = std::make_unique<TimedWorld<btDiscreteDynamicsWorld>>( m_clock, &m_dispatcher, m_broadphase.get(),
                                                                         &m_solver, m_configuration.get() );
    }
    m_world->setGravity( btVector3( 0, -gravity, 0 ) );
    m_world->getSolverInfo().m_erp2 = penetrationRecovery;
}

/// Bullet's destructor removes the bodies from the world. Removes all pairs first, because Bullet's pair cache walks
/// all pairs for each removed body, which takes minutes for a large pile.
World::~World()
{
    btOverlappingPairCache& cache = *m_world->getPairCache();
    while ( cache.getNumOverlappingPairs() > 0 )
    {
        const btBroadphasePair last = cache.getOverlappingPairArray()[cache.getNumOverlappingPairs() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, &m_dispatcher );
    }
    for ( int k = m_world->getNumConstraints() - 1; k >= 0; --k )
    {
        m_world->removeConstraint( m_world->getConstraint( k ) );
    }
}

btRigidBody& World::addBody( btScalar mass, btCollisionShape& shape, const btTransform& transform, int userIndex,
                             const std::optional<PairFilter>& filter )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape.calculateLocalInertia( mass, inertia );
    }
    btRigidBody::btRigidBodyConstructionInfo setup( mass, nullptr, &shape, inertia );
    setup.m_startWorldTransform = transform;
    setup.m_friction = friction;
    setup.m_rollingFriction = rollingFriction;
    setup.m_spinningFriction = rollingFriction;
    setup.m_restitution = 0;
    setup.m_linearDamping = linearDamping;
    setup.m_angularDamping = angularDamping;
    return addBody( setup, userIndex, filter );
}

btRigidBody& World::addBody( const btRigidBody::btRigidBodyConstructionInfo& setup, int userIndex,
                             const std::optional<PairFilter>& filter )
{
    btRigidBody& body = make<btRigidBody>( setup );
    body.setUserIndex( userIndex );
    filter ? m_world->addRigidBody( &body, filter->group, filter->mask ) : m_world->addRigidBody( &body );
    if ( setup.m_mass > 0 )
    {
        m_bodies.push_back( &body );
    }
    return body;
}

btVector3 World::up() const
{
    const btVector3 down = m_world->getGravity();
    return down.fuzzyZero() ? btVector3( 0, 1, 0 ) : -down.normalized();
}

CulletBroadphase* World::cullet() const
{
    return dynamic_cast<CulletBroadphase*>( m_broadphase.get() );
}

StepRecord World::step()
{
    m_clock.enter( restPart );
    m_clock.record = {};
    for ( int substep = 0; substep < substepsPerStep; ++substep )
    {
        m_world->stepSimulation( stepSeconds / substepsPerStep, 0 ); // 0: exactly one, of exactly this length
    }
    m_clock.enter( restPart ); // ends the last part
    m_clock.record.manifolds = m_dispatcher.getNumManifolds();
    for ( int k = 0; k < m_dispatcher.getNumManifolds(); ++k )
    {
        m_clock.record.touching += m_dispatcher.getManifoldByIndexInternal( k )->getNumContacts() > 0;
    }
    if ( cullet() != nullptr )
    {
        compare::requireOk( cullet()->getStatus() );
    }
    return m_clock.record;
}

} // namespace cullet::demo
