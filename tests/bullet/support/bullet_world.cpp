// SPDX-License-Identifier: Zlib
#include "bullet_world.h"

#include "BulletCollision/CollisionDispatch/btGhostObject.h"

#include <algorithm>

namespace test
{

BulletWorld::BulletWorld( Rig rig, Maker makeWorld )
    : m_dispatcher( &m_configuration ), m_rig( std::move( rig ) ), m_makeWorld( std::move( makeWorld ) )
{
    if ( !m_makeWorld )
    {
        m_makeWorld = []( auto... parts ) { return new btDiscreteDynamicsWorld( parts... ); };
    }
    m_world.reset( m_makeWorld( &m_dispatcher, m_rig.broadphase.get(), &m_solver, &m_configuration ) );
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
    if ( m_world )
    {
        removeAll();
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
    btRigidBody* body = new btRigidBody( info );
    m_objects.emplace_back( body );
    m_world->addRigidBody( body );
    return *body;
}

void BulletWorld::insert( btCollisionObject* object, btCollisionShape& shape, const btVector3& origin, int group,
                          int mask )
{
    m_objects.emplace_back( object );
    object->setCollisionShape( &shape );
    object->setWorldTransform( at( origin ) );
    m_world->addCollisionObject( object, group, mask );
}

void BulletWorld::move( btCollisionObject& object, const btVector3& origin )
{
    object.getWorldTransform().setOrigin( origin );
    m_world->updateSingleAabb( &object );
}

void BulletWorld::remove( btCollisionObject& object )
{
    m_world->removeCollisionObject( &object );
    const auto isIt = [&object]( const std::unique_ptr<btCollisionObject>& one ) { return one.get() == &object; };
    m_objects.erase( std::find_if( m_objects.begin(), m_objects.end(), isIt ) );
}

void BulletWorld::removeAll()
{
    while ( !m_objects.empty() )
    {
        remove( *m_objects.back() );
    }
}

void BulletWorld::deleteWorld()
{
    m_world.reset();
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

void BulletWorld::enableGhostPairs()
{
    cache().setInternalGhostPairCallback( &keep( new btGhostPairCallback ) );
}

void BulletWorld::step( int count )
{
    for ( int i = 0; i < count; ++i )
    {
        ++m_stepCount;
        if ( beforeStep )
        {
            beforeStep( m_stepCount );
        }
        m_world->stepSimulation( btScalar( 1 ) / 60, 0 );
    }
}

std::vector<btRigidBody*> BulletWorld::dynamicBodies() const
{
    std::vector<btRigidBody*> result;
    for ( const std::unique_ptr<btCollisionObject>& object : m_objects )
    {
        btRigidBody* body = btRigidBody::upcast( object.get() );
        if ( body && !body->isStaticOrKinematicObject() )
        {
            result.push_back( body );
        }
    }
    return result;
}

btScalar BulletWorld::lowestHeight() const
{
    btScalar result = BT_LARGE_FLOAT;
    for ( const btRigidBody* body : dynamicBodies() )
    {
        result = btMin( result, body->getWorldTransform().getOrigin().y() );
    }
    return result;
}

int BulletWorld::awakeCount() const
{
    const std::vector<btRigidBody*> all = dynamicBodies();
    return int( std::count_if( all.begin(), all.end(), []( const btRigidBody* body ) { return body->isActive(); } ) );
}

int BulletWorld::contactCount() const
{
    btDispatcher& dispatcher = *m_world->getDispatcher(); // a custom world may have its own
    int count = 0;
    for ( int i = 0; i < dispatcher.getNumManifolds(); ++i )
    {
        count += dispatcher.getManifoldByIndexInternal( i )->getNumContacts();
    }
    return count;
}

} // namespace test
