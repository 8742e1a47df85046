// SPDX-License-Identifier: Zlib
/// \file world.h
/// A stock Bullet world over the broadphase that was asked for, with a clock in it. What is in the world, the functions
/// of kinds.h say.
#ifndef CLT_WORLD_WORLD_H
#define CLT_WORLD_WORLD_H

#include "part_clock.h"

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "BulletSoftBody/btSoftRigidDynamicsWorld.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

class CulletSoftBodySolver;

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
    PartTimes wall{};
    PartTimes processor{}; ///< of all threads
    int pairs = 0;         ///< handed to the narrow phase, a plane's with every body among them
    int manifolds = 0;     ///< pairs for which the narrow phase keeps a manifold, touching or not

    /// For progress.
    std::string summary() const;
};

class World
{
public:
    /// \param isSoft  takes soft bodies
    explicit World( std::unique_ptr<btBroadphaseInterface> broadphase, bool isSoft = false );
    ~World();

    /// Keeps it until the world is gone.
    template <typename Thing>
    Thing& own( std::unique_ptr<Thing> thing )
    {
        Thing& result = *thing;
        m_owned.emplace_back( std::move( thing ) );
        return result;
    }

    /// \param mass       0: it stands still for ever
    /// \param shape      outlives the world: see own
    /// \param userIndex  which filters may ask for while the body comes
    btRigidBody& addBody( btScalar mass, btCollisionShape& shape, const btTransform& transform, int userIndex = -1 );

    /// Of a world that takes soft bodies.
    void addSoftBody( std::unique_ptr<btSoftBody> body );

    StepRecord step();

    /// Without those that stand still, in the order in which they came.
    const std::vector<btRigidBody*>& bodies() const
    {
        return m_bodies;
    }

    btDiscreteDynamicsWorld& bullet()
    {
        return *m_world;
    }

    /// NULL unless this world takes soft bodies.
    btSoftRigidDynamicsWorld* soft() const
    {
        return dynamic_cast<btSoftRigidDynamicsWorld*>( m_world.get() );
    }

    /// NULL where Bullet's own solves what soft bodies do.
    CulletSoftBodySolver* softSolver() const
    {
        return m_softSolver.get();
    }

private:
    // In the order of construction; Bullet's parts point at the ones before them.
    PartClock m_clock;
    StepRecord m_record;
    std::vector<std::shared_ptr<void>> m_owned;
    std::vector<btRigidBody*> m_bodies;
    std::unique_ptr<btDefaultCollisionConfiguration> m_configuration;
    btCollisionDispatcher m_dispatcher;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    std::unique_ptr<CulletSoftBodySolver> m_softSolver;
    std::unique_ptr<btDiscreteDynamicsWorld> m_world;
};

} // namespace cullet::demo

#endif
