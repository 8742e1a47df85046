// SPDX-License-Identifier: Zlib
/// \file world.h
/// The demo's world: a column of bodies over a plane, in a stock Bullet world with the broadphase that was asked for.
#ifndef CLT_WORLD_WORLD_H
#define CLT_WORLD_WORLD_H

#include "column.h"
#include "timed_world.h"

#include "BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h"
#include "BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h"

#include <array>
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

/// What one step did.
struct StepRecord
{
    StepTimes times;
    int pairs = 0;     ///< of the broadphase, the plane's with every body among them
    int manifolds = 0; ///< pairs for which the narrow phase keeps a manifold, touching or not
};

/// Pairs whose bodies really touch, and the points at which they do.
struct Contacts
{
    int manifolds = 0;
    int points = 0;
};

/// For progress.
std::string summaryOf( const StepRecord& record );

class World
{
public:
    World( int bodyCount, std::unique_ptr<btBroadphaseInterface> broadphase );
    ~World();

    World( const World& ) = delete;
    World& operator=( const World& ) = delete;

    StepRecord step();

    const Column& column() const
    {
        return m_column;
    }

    int bodyCount() const
    {
        return int( m_bodies.size() );
    }

    BodyKind kindOf( int index ) const
    {
        return m_kinds[std::size_t( index )];
    }

    const btRigidBody& body( int index ) const
    {
        return *m_bodies[std::size_t( index )];
    }

    Contacts countContacts() const;

private:
    void addPlane();
    void addBody( const Placement& placement );

    // In the order of construction; Bullet's parts point at the ones before them.
    Column m_column;
    StepTimes m_times;
    btDefaultCollisionConfiguration m_configuration;
    TimedDispatcher m_dispatcher;
    std::unique_ptr<btBroadphaseInterface> m_broadphase;
    btSequentialImpulseConstraintSolver m_solver;
    TimedWorld m_world;
    std::unique_ptr<btCollisionShape> m_planeShape;
    std::array<std::unique_ptr<btCollisionShape>, bodyKindCount> m_shapes;
    std::unique_ptr<btRigidBody> m_plane;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
    std::vector<BodyKind> m_kinds;
};

} // namespace cullet::demo

#endif
