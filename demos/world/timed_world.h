// SPDX-License-Identifier: Zlib
/// \file timed_world.h
/// A stock Bullet world that tells where the time of a step went. The stages are timed at the virtual calls that Bullet
/// itself makes, so nothing is rebuilt and nothing is called in another order.
#ifndef CLT_WORLD_TIMED_WORLD_H
#define CLT_WORLD_TIMED_WORLD_H

#include "demos/report/timing.h"

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"

namespace cullet::demo
{

using compare::Stopwatch;

/// Milliseconds of one step.
struct StepTimes
{
    double broadphase = 0;  ///< boxes of all bodies, handed over; pairs brought up to date
    double narrowPhase = 0; ///< contacts of all pairs
    double solver = 0;      ///< islands and contact constraints
    double whole = 0;       ///< all of the step

    /// Motion prediction, integration, deactivation.
    double rest() const
    {
        return whole - broadphase - narrowPhase - solver;
    }
};

class TimedDispatcher : public btCollisionDispatcher
{
public:
    TimedDispatcher( btCollisionConfiguration* configuration, StepTimes* times )
        : btCollisionDispatcher( configuration ), m_times( times )
    {
    }

    void dispatchAllCollisionPairs( btOverlappingPairCache* pairCache, const btDispatcherInfo& info,
                                    btDispatcher* dispatcher ) override
    {
        const Stopwatch stopwatch( m_times->narrowPhase );
        btCollisionDispatcher::dispatchAllCollisionPairs( pairCache, info, dispatcher );
    }

private:
    StepTimes* m_times;
};

class TimedWorld : public btDiscreteDynamicsWorld
{
public:
    /// \param times  where broadphase and solver are counted; outlives the world
    TimedWorld( btDispatcher* dispatcher, btBroadphaseInterface* broadphase, btConstraintSolver* solver,
                btCollisionConfiguration* configuration, StepTimes* times )
        : btDiscreteDynamicsWorld( dispatcher, broadphase, solver, configuration ), m_times( times )
    {
    }

    void updateAabbs() override
    {
        const Stopwatch stopwatch( m_times->broadphase );
        btDiscreteDynamicsWorld::updateAabbs();
    }

    void computeOverlappingPairs() override
    {
        const Stopwatch stopwatch( m_times->broadphase );
        btDiscreteDynamicsWorld::computeOverlappingPairs();
    }

protected:
    void calculateSimulationIslands() override
    {
        const Stopwatch stopwatch( m_times->solver );
        btDiscreteDynamicsWorld::calculateSimulationIslands();
    }

    void solveConstraints( btContactSolverInfo& info ) override
    {
        const Stopwatch stopwatch( m_times->solver );
        btDiscreteDynamicsWorld::solveConstraints( info );
    }

private:
    StepTimes* m_times;
};

} // namespace cullet::demo

#endif
