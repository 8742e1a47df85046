// SPDX-License-Identifier: Zlib
/// \file world.h
/// A Bullet world over a given broadphase, which measures the parts of its steps. The functions of kinds.h fill it.
#ifndef CLT_WORLD_WORLD_H
#define CLT_WORLD_WORLD_H

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"
#include "BulletSoftBody/btSoftRigidDynamicsWorld.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class CulletBroadphase;
class CulletSoftBodySolver;

namespace cullet::demo
{

/// Seconds of one step: a frame of a display. Each step is simulated in two substeps, because bodies of the highest
/// columns fall by a slab's thickness in one sixtieth of a second.
constexpr btScalar stepSeconds = btScalar( 1.0 ) / btScalar( 60.0 );
constexpr int substepsPerStep = 2;

/// Metres per second squared, downwards.
constexpr btScalar gravity = btScalar( 9.81 );

/// The parts of a step, and the whole.
enum Part : std::size_t
{
    boxesPart,       ///< computing all boxes and setting them in the broadphase
    broadphasePart,  ///< updating the pairs
    narrowPhasePart, ///< contacts of all pairs
    islandsPart,     ///< groups of bodies that touch, which can sleep together
    solverPart,      ///< contact and joint constraints
    actionsPart,     ///< character controllers, vehicles and their rays
    restPart,        ///< motion prediction, integration, deactivation
    wholeStep,       ///< the sum of all parts
    partCount
};

/// The names of the parts in tables.
constexpr std::array<const char*, partCount> partNames = { "boxes",  "broadphase", "narrow phase", "islands",
                                                           "solver", "actions",    "rest",         "step" };

/// Milliseconds by part.
using PartTimes = std::array<double, partCount>;

/// The times and counts of one step.
struct StepRecord
{
    PartTimes wall{};
    PartTimes processor{}; ///< of all threads
    int pairs = 0;         ///< given to the narrow phase, including those of the plane with every body
    int manifolds = 0;     ///< pairs for which the narrow phase keeps a manifold, touching or not
    int touching = 0;      ///< pairs with contacts

    /// A line for progress output.
    std::string summary() const;
};

/// Measures the parts of a step. At any time the clock is in exactly one part, so that the parts add up to the step.
class PartClock
{
public:
    /// Counts the time from here on as `part`. Each call reads the wall and processor clocks, which takes a microsecond
    /// or two; a substep makes about fifteen calls. \return the previous part
    Part enter( Part part );

    /// Runs `work` and counts its time as `part`, then returns to the current part.
    template <typename Work>
    void measure( Part part, Work&& work )
    {
        const Part outer = enter( part );
        work();
        enter( outer );
    }

    StepRecord record; ///< of the current step

private:
    Part m_part = restPart;
    double m_wallAt = 0;
    double m_processorAt = 0;
};

/// The groups of a body, and the groups with which it may pair.
struct PairFilter
{
    int group;
    int mask;
};

class World
{
public:
    /// \param isSoft  whether the world takes soft bodies
    explicit World( std::unique_ptr<btBroadphaseInterface> broadphase, bool isSoft = false );
    ~World();

    /// Keeps an object until the world is destroyed.
    template <typename Thing>
    Thing& own( std::unique_ptr<Thing> thing )
    {
        Thing& result = *thing;
        m_owned.emplace_back( std::move( thing ) );
        return result;
    }

    template <typename Thing, typename... Arguments>
    Thing& make( Arguments&&... arguments )
    {
        return own( std::make_unique<Thing>( std::forward<Arguments>( arguments )... ) );
    }

    /// \param mass       0: static
    /// \param shape      must outlive the world: see own
    /// \param userIndex  set before the body is added, so that filters can read it
    /// \param filter     nullopt: Bullet's groups for static or for moving bodies
    btRigidBody& addBody( btScalar mass, btCollisionShape& shape, const btTransform& transform, int userIndex = -1,
                          const std::optional<PairFilter>& filter = std::nullopt );

    btRigidBody& addBody( const btRigidBody::btRigidBodyConstructionInfo& setup, int userIndex,
                          const std::optional<PairFilter>& filter );

    /// Throws std::runtime_error if cullet ran out of memory or lost its device. Cullet itself would continue.
    StepRecord step();

    /// The bodies that are not static, in the order in which they were added.
    const std::vector<btRigidBody*>& bodies() const
    {
        return m_bodies;
    }

    /// Against gravity; y if there is none.
    btVector3 up() const;

    btDiscreteDynamicsWorld& bullet()
    {
        return *m_world;
    }

    /// NULL unless this world takes soft bodies.
    btSoftRigidDynamicsWorld* soft() const
    {
        return dynamic_cast<btSoftRigidDynamicsWorld*>( m_world.get() );
    }

    /// NULL if Bullet's own solver handles soft bodies.
    CulletSoftBodySolver* softSolver() const
    {
        return m_softSolver.get();
    }

    /// NULL if the world has another broadphase.
    CulletBroadphase* cullet() const;

private:
    // In the order of construction, because Bullet's objects point at earlier objects.
    PartClock m_clock;
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
