// SPDX-License-Identifier: Zlib
/// \file bullet_world.h
/// A Bullet world on a given broadphase, that owns what is in it: what the tests build their scenes of. Things go in
/// the order in which Bullet's own examples take them down.
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
    /// Makes another kind of world than btDiscreteDynamicsWorld from the same parts. Kept as long as the world.
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

    /// What is no rigid body, for example a ghost. By itself a dynamics world takes it for static, and static objects
    /// form no pairs; here it pairs with everything.
    template <typename Object = btCollisionObject>
    Object& addObject( btCollisionShape& shape, const btVector3& origin, int group = 1, int mask = -1 )
    {
        Object* object = new Object;
        insert( object, shape, origin, group, mask );
        return *object;
    }

    /// Gives the broadphase the object's new box, as btCollisionWorld does.
    void move( btCollisionObject& object, const btVector3& origin );

    /// Takes the object out and deletes it, as applications do.
    void remove( btCollisionObject& object );

    /// Before all that is in it.
    void deleteWorld();

    /// Owned from now on; removed before the bodies are.
    void add( btTypedConstraint* constraint );
    void add( btActionInterface* action );

    /// Something to be kept as long as the world, for example what a shape reads.
    template <typename Thing>
    Thing& keep( Thing* thing )
    {
        m_kept.push_back( std::shared_ptr<void>( thing ) );
        return *thing;
    }

    /// Has ghost objects know their pairs.
    void enableGhostPairs();

    void step( int count = 1 );

    /// Called before each step.
    std::function<void()> beforeStep;

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

    /// In the order in which they were added, rigid bodies or not.
    const std::vector<std::unique_ptr<btCollisionObject>>& objects() const
    {
        return m_objects;
    }

    /// Of all rigid bodies that move.
    std::vector<btRigidBody*> dynamicBodies() const;
    btScalar lowestHeight() const;
    btScalar highestSpeed() const;
    int awakeCount() const;

    /// In all manifolds.
    int contactCount() const;

private:
    void insert( btCollisionObject* object, btCollisionShape& shape, const btVector3& origin, int group, int mask );

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
