// SPDX-License-Identifier: Zlib
/// \file bullet_world.h
/// A Bullet world on a given broadphase, that owns what is in it: what the tests build their scenes of.
#ifndef CULLET_TESTS_BULLET_WORLD_H
#define CULLET_TESTS_BULLET_WORLD_H

#include "btBulletDynamicsCommon.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace test
{

inline btTransform at( btScalar x, btScalar y, btScalar z )
{
    return btTransform( btQuaternion::getIdentity(), btVector3( x, y, z ) );
}

class BulletWorld
{
public:
    /// Makes another kind of world than btDiscreteDynamicsWorld from the same parts.
    using Maker = std::function<btDiscreteDynamicsWorld*( btDispatcher*, btBroadphaseInterface*, btConstraintSolver*,
                                                          btCollisionConfiguration* )>;

    explicit BulletWorld( btBroadphaseInterface& broadphase, const Maker& makeWorld = nullptr );
    ~BulletWorld();

    template <typename Shape, typename... Arguments>
    Shape& shape( Arguments&&... arguments )
    {
        Shape* result = new Shape( std::forward<Arguments>( arguments )... );
        m_shapes.emplace_back( result );
        return *result;
    }

    btRigidBody& add( btScalar mass, btCollisionShape& shape, const btTransform& transform );

    /// Takes the body out and deletes it, as applications do.
    void remove( btRigidBody& body );

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

    void step( int count = 1 );

    /// Called before each step.
    std::function<void()> beforeStep;

    btDiscreteDynamicsWorld& world()
    {
        return *m_world;
    }

    btCollisionDispatcher& dispatcher()
    {
        return m_dispatcher;
    }

    /// In the order in which they were added.
    const std::vector<std::unique_ptr<btRigidBody>>& bodies() const
    {
        return m_bodies;
    }

    /// Of all bodies that move.
    btScalar lowest() const;
    btScalar fastest() const;
    int awakeCount() const;

    /// In all manifolds.
    int contactCount() const;

private:
    std::vector<std::shared_ptr<void>> m_kept;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btSequentialImpulseConstraintSolver m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> m_constraints;
    std::vector<std::unique_ptr<btActionInterface>> m_actions;
};

} // namespace test

#endif
