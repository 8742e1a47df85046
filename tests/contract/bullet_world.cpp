// SPDX-License-Identifier: Zlib
#include "bullet_world.h"

#include <algorithm>

namespace test
{

BulletWorld::BulletWorld( btBroadphaseInterface& broadphase, const Maker& makeWorld )
    : m_dispatcher( &m_configuration ),
      m_world( makeWorld ? makeWorld( &m_dispatcher, &broadphase, &m_solver, &m_configuration )
                         : new btDiscreteDynamicsWorld( &m_dispatcher, &broadphase, &m_solver, &m_configuration ) )
{
}

BulletWorld::~BulletWorld()
{
    for ( const std::unique_ptr<btActionInterface>& action : m_actions )
    {
        m_world->removeAction( action.get() );
    }
    for ( const std::unique_ptr<btTypedConstraint>& constraint : m_constraints )
    {
        m_world->removeConstraint( constraint.get() );
    }
    while ( !m_bodies.empty() )
    {
        remove( *m_bodies.back() );
    }
}

btRigidBody& BulletWorld::add( btScalar mass, btCollisionShape& shape, const btTransform& transform )
{
    btVector3 inertia( 0, 0, 0 );
    if ( mass > 0 )
    {
        shape.calculateLocalInertia( mass, inertia );
    }
    btRigidBody::btRigidBodyConstructionInfo info( mass, nullptr, &shape, inertia );
    info.m_startWorldTransform = transform;
    m_bodies.emplace_back( new btRigidBody( info ) );
    m_world->addRigidBody( m_bodies.back().get() );
    return *m_bodies.back();
}

void BulletWorld::remove( btRigidBody& body )
{
    m_world->removeRigidBody( &body );
    const auto isIt = [&body]( const std::unique_ptr<btRigidBody>& one ) { return one.get() == &body; };
    m_bodies.erase( std::find_if( m_bodies.begin(), m_bodies.end(), isIt ) );
}

void BulletWorld::add( btTypedConstraint* constraint )
{
    m_constraints.emplace_back( constraint );
    m_world->addConstraint( constraint, true );
}

void BulletWorld::add( btActionInterface* action )
{
    m_actions.emplace_back( action );
    m_world->addAction( action );
}

void BulletWorld::step( int count )
{
    for ( int i = 0; i < count; ++i )
    {
        if ( beforeStep )
        {
            beforeStep();
        }
        m_world->stepSimulation( btScalar( 1 ) / 60, 0 );
    }
}

btScalar BulletWorld::lowest() const
{
    btScalar result = BT_LARGE_FLOAT;
    for ( const std::unique_ptr<btRigidBody>& body : m_bodies )
    {
        if ( !body->isStaticOrKinematicObject() )
        {
            result = btMin( result, body->getWorldTransform().getOrigin().y() );
        }
    }
    return result;
}

btScalar BulletWorld::fastest() const
{
    btScalar result = 0;
    for ( const std::unique_ptr<btRigidBody>& body : m_bodies )
    {
        result = btMax( result, body->getLinearVelocity().length() );
    }
    return result;
}

int BulletWorld::awakeCount() const
{
    int count = 0;
    for ( const std::unique_ptr<btRigidBody>& body : m_bodies )
    {
        count += !body->isStaticOrKinematicObject() && body->isActive();
    }
    return count;
}

int BulletWorld::contactCount() const
{
    btDispatcher& dispatcher = *m_world->getDispatcher(); // which need not be ours
    int count = 0;
    for ( int i = 0; i < dispatcher.getNumManifolds(); ++i )
    {
        count += dispatcher.getManifoldByIndexInternal( i )->getNumContacts();
    }
    return count;
}

} // namespace test
