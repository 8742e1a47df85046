// SPDX-License-Identifier: Zlib
/// \file timed_world.cpp
/// Each override is the stock stage inside a stopwatch.
#include "timed_world.h"

#include "demos/report/stopwatch.h"

namespace cullet::demo
{

TimedDispatcher::TimedDispatcher( btCollisionConfiguration* configuration, StepTimes* times )
    : btCollisionDispatcher( configuration ), m_times( times )
{
}

void TimedDispatcher::dispatchAllCollisionPairs( btOverlappingPairCache* pairCache,
                                                 const btDispatcherInfo& dispatchInfo, btDispatcher* dispatcher )
{
    const compare::Stopwatch stopwatch( m_times->narrowPhase );
    btCollisionDispatcher::dispatchAllCollisionPairs( pairCache, dispatchInfo, dispatcher );
}

TimedWorld::TimedWorld( btDispatcher* dispatcher, btBroadphaseInterface* broadphase, btConstraintSolver* solver,
                        btCollisionConfiguration* configuration, StepTimes* times )
    : btDiscreteDynamicsWorld( dispatcher, broadphase, solver, configuration ), m_times( times )
{
}

void TimedWorld::updateAabbs()
{
    const compare::Stopwatch stopwatch( m_times->broadphase );
    btDiscreteDynamicsWorld::updateAabbs();
}

void TimedWorld::computeOverlappingPairs()
{
    const compare::Stopwatch stopwatch( m_times->broadphase );
    btDiscreteDynamicsWorld::computeOverlappingPairs();
}

void TimedWorld::calculateSimulationIslands()
{
    const compare::Stopwatch stopwatch( m_times->solver );
    btDiscreteDynamicsWorld::calculateSimulationIslands();
}

void TimedWorld::solveConstraints( btContactSolverInfo& solverInfo )
{
    const compare::Stopwatch stopwatch( m_times->solver );
    btDiscreteDynamicsWorld::solveConstraints( solverInfo );
}

} // namespace cullet::demo
