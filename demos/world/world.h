// SPDX-License-Identifier: Zlib
/// \file world.h
/// The demo's world: a column of bodies over a plane, in a stock Bullet world with the broadphase that was asked for.
#ifndef CLT_WORLD_WORLD_H
#define CLT_WORLD_WORLD_H

#include "column.h"

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletCollision/CollisionShapes/btStaticPlaneShape.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"

#include <memory>
#include <string>
#include <vector>

namespace cullet::demo
{

/// Seconds of one step, the rate of a display. Each is simulated in two halves: at the speeds of the highest columns a
/// body falls through a slab's thickness in one sixtieth of a second.
constexpr btScalar stepSeconds = btScalar( 1.0 ) / btScalar( 60.0 );
constexpr int substepsPerStep = 2;

/// Metres per second squared, downwards.
constexpr btScalar gravity = btScalar( 9.81 );

/// What one step did, and the milliseconds that it took.
struct StepRecord
{
    double broadphaseMs = 0;  ///< boxes of all bodies, handed over; pairs brought up to date
    double narrowPhaseMs = 0; ///< contacts of all pairs
    double solverMs = 0;      ///< islands and contact constraints
    double restMs = 0;        ///< motion prediction, integration, deactivation
    double wholeMs = 0;       ///< all of the step
    int pairs = 0;            ///< of the broadphase, the plane's with every body among them
    int manifolds = 0;        ///< pairs for which the narrow phase keeps a manifold, touching or not

    /// For progress.
    std::string summary() const;
};

class World
{
public:
    World( int bodyCount, std::unique_ptr<btBroadphaseInterface> broadphase );
    ~World();

    StepRecord step();

    const Column& column() const
    {
        return m_column;
    }

    /// The plane is none of them.
    const std::vector<std::unique_ptr<btRigidBody>>& bodies() const
    {
        return m_bodies;
    }

    btCollisionWorld& bullet()
    {
        return *m_world;
    }

private:
    std::unique_ptr<btRigidBody> addBody( btScalar mass, btCollisionShape& shape, const Placement& placement );

    // In the order of construction; Bullet's parts point at the ones before them.
    Column m_column;
    StepRecord m_record;
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    btStaticPlaneShape m_planeShape;
    std::vector<std::unique_ptr<btCollisionShape>> m_shapes; ///< one for each kind
    std::unique_ptr<btRigidBody> m_plane;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
};

/// As it is now.
Placement placementOf( const btRigidBody& body );

} // namespace cullet::demo

#endif
