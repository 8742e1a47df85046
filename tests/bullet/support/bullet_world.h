// SPDX-License-Identifier: Zlib
/// \file bullet_world.h
/// A Bullet world on a given broadphase. Owns its objects, shapes, constraints and actions, and destroys them in the
/// order of Bullet's examples.
#ifndef CULLET_TESTS_BULLET_WORLD_H
#define CULLET_TESTS_BULLET_WORLD_H

#include "tests/bullet/support/rig.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace test
{

inline btTransform at( const btVector3& origin )
{
    return btTransform( btQuaternion::getIdentity(), origin );
}

inline btTransform at( btScalar x, btScalar y, btScalar z )
{
    return at( btVector3( x, y, z ) );
}

class BulletWorld
{
public:
    /// Creates a world of another class than btDiscreteDynamicsWorld. BulletWorld keeps the function while it exists.
    using Maker = std::function<btDiscreteDynamicsWorld*( btDispatcher*, btBroadphaseInterface*, btConstraintSolver*,
                                                          btCollisionConfiguration* )>;

    explicit BulletWorld( Rig rig, Maker makeWorld = nullptr );
    ~BulletWorld();

    template <typename Shape, typename... Arguments>
    Shape& shape( Arguments&&... arguments )
    {
        return keep( new Shape( std::forward<Arguments>( arguments )... ) );
    }

    btRigidBody& add( btScalar mass, btCollisionShape& shape, const btTransform& transform );

    /// Adds an object that is no rigid body, for example a ghost. With the default filter it pairs with all objects;
    /// Bullet's default would be the group and mask of a static object.
    template <typename Object = btCollisionObject>
    Object& addObject( btCollisionShape& shape, const btVector3& origin, int group = 1, int mask = -1 )
    {
        Object* object = new Object;
        insert( object, shape, origin, group, mask );
        return *object;
    }

    /// Moves the object and updates its box in the broadphase, as btCollisionWorld does.
    void move( btCollisionObject& object, const btVector3& origin );

    /// Removes the object from the world and deletes it.
    void remove( btCollisionObject& object );
    void removeAll();

    /// Deletes the btDiscreteDynamicsWorld while its objects still exist.
    void deleteWorld();

    /// Takes ownership. Constraints and actions are removed before the bodies.
    void add( btTypedConstraint* constraint );
    void add( btActionInterface* action );

    /// Owns `thing` until the world is destroyed. It may be a mesh that a shape reads.
    template <typename Thing>
    Thing& keep( Thing* thing )
    {
        m_kept.push_back( std::shared_ptr<void>( thing ) );
        return *thing;
    }

    /// Installs Bullet's callback that maintains the pair lists of ghost objects.
    void enableGhostPairs();

    void step( int count = 1 );

    /// Called before each step with its number, from 1 on.
    std::function<void( int step )> beforeStep;

    const Rig& rig() const
    {
        return m_rig;
    }

    btOverlappingPairCache& cache() const
    {
        return m_rig.cache();
    }

    btDiscreteDynamicsWorld& world() const
    {
        return *m_world;
    }

    btCollisionDispatcher& dispatcher()
    {
        return m_dispatcher;
    }

    /// All objects, in the order in which they were added.
    const std::vector<std::unique_ptr<btCollisionObject>>& objects() const
    {
        return m_objects;
    }

    /// The rigid bodies that are neither static nor kinematic. The next two functions consider only these.
    std::vector<btRigidBody*> dynamicBodies() const;
    btScalar lowestHeight() const;
    int awakeCount() const;

    /// Contact points in all manifolds.
    int contactCount() const;

private:
    void insert( btCollisionObject* object, btCollisionShape& shape, const btVector3& origin, int group, int mask );

    int m_stepCount = 0;
    std::vector<std::shared_ptr<void>> m_kept;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    Rig m_rig;
    btSequentialImpulseConstraintSolver m_solver;
    Maker m_makeWorld;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    std::vector<std::unique_ptr<btCollisionObject>> m_objects;
    std::vector<std::unique_ptr<btTypedConstraint>> m_constraints;
    std::vector<std::unique_ptr<btActionInterface>> m_actions;
};

} // namespace test

#endif
