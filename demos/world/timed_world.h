// SPDX-License-Identifier: Zlib
/// \file timed_world.h
/// A stock Bullet world that tells where the time of a step went. The stages are timed at the virtual calls that Bullet
/// itself makes, so nothing is rebuilt and nothing is called in another order.
#ifndef CLT_WORLD_TIMED_WORLD_H
#define CLT_WORLD_TIMED_WORLD_H

#include "BulletCollision/CollisionDispatch/btCollisionDispatcher.h"
#include "BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h"

namespace cullet::demo
{

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
    /// \param times  where the narrow phase is counted; outlives the dispatcher
    TimedDispatcher( btCollisionConfiguration* configuration, StepTimes* times );

    void dispatchAllCollisionPairs( btOverlappingPairCache* pairCache, const btDispatcherInfo& dispatchInfo,
                                    btDispatcher* dispatcher ) override;

private:
    StepTimes* m_times;
};

class TimedWorld : public btDiscreteDynamicsWorld
{
public:
    /// \param times  where broadphase and solver are counted; outlives the world
    TimedWorld( btDispatcher* dispatcher, btBroadphaseInterface* broadphase, btConstraintSolver* solver,
                btCollisionConfiguration* configuration, StepTimes* times );

    void updateAabbs() override;
    void computeOverlappingPairs() override;

protected:
    void calculateSimulationIslands() override;
    void solveConstraints( btContactSolverInfo& solverInfo ) override;

private:
    StepTimes* m_times;
};

} // namespace cullet::demo

#endif
