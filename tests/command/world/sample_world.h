// SPDX-License-Identifier: Zlib
/// \file sample_world.h
/// A world as a program has it, with a body of every kind of shape and a constraint of every kind, and its file. It
/// uses Bullet alone, in the precision that it is compiled for.
#ifndef CLT_TESTS_SAMPLE_WORLD_H
#define CLT_TESTS_SAMPLE_WORLD_H

#include "btBulletDynamicsCommon.h"

#include <memory>
#include <string>
#include <vector>

class SampleWorld
{
public:
    /// Shapes and constraints in rows along x, and a heap of `boxCount` boxes, on a plane.
    explicit SampleWorld( int boxCount );
    ~SampleWorld();

    btDiscreteDynamicsWorld& bullet()
    {
        return *m_world;
    }

    /// Writes a .bullet file.
    void write( const std::string& path );

private:
    template <typename Thing, typename... Arguments>
    Thing* make( Arguments&&... arguments )
    {
        auto thing = std::make_shared<Thing>( std::forward<Arguments>( arguments )... );
        m_owned.push_back( thing );
        return thing.get();
    }

    btRigidBody* add( btScalar mass, btCollisionShape* shape, const btVector3& place );
    void addStatic();
    void addShapes();
    void addMeshes();
    void addStates();
    void addConstraints();

    std::vector<std::shared_ptr<void>> m_owned;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
};

#endif
