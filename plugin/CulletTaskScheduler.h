// SPDX-License-Identifier: Zlib
/// \file CulletTaskScheduler.h
/// Runs cullet's loops on the threads that Bullet already has, for programs that want no second thread pool:
///
///     cltBroadphaseDef def = cltDefaultBroadphaseDef();
///     def.hooks.parallelFor = culletParallelFor;
///     def.hooks.userContext = btGetTaskScheduler();   // must outlive the broadphase; all hooks get it
///     btBroadphaseInterface* broadphase = new CulletBroadphase( def );
#ifndef CULLET_TASK_SCHEDULER_H
#define CULLET_TASK_SCHEDULER_H

#include "LinearMath/btThreads.h"

#include "cullet.h"

/// Bullet's schedulers split a range anywhere, but a task needs ranges that begin at multiples of the grain. So the
/// aligned ranges are numbered, and the scheduler splits the range of these numbers.
class CulletRanges : public btIParallelForBody
{
public:
    CulletRanges( cltTask* task, uint32_t count, uint32_t grain, void* context )
        : m_task( task ), m_count( count ), m_grain( grain ), m_context( context )
    {
    }

    void forLoop( int first, int last ) const override
    {
        for ( int range = first; range < last; ++range )
        {
            const uint32_t begin = uint32_t( range ) * m_grain;
            const uint32_t length = m_count - begin < m_grain ? m_count - begin : m_grain;
            m_task( begin, begin + length, m_context );
        }
    }

private:
    cltTask* m_task;
    uint32_t m_count;
    uint32_t m_grain;
    void* m_context;
};

/// A cltParallelForFcn.
/// \param userContext  a btITaskScheduler; its parallelFor is called on the thread that called cullet
inline void culletParallelFor( cltTask* task, uint32_t count, uint32_t grain, void* taskContext, void* userContext )
{
    if ( count > 0 )
    {
        const CulletRanges ranges( task, count, grain, taskContext );
        static_cast<btITaskScheduler*>( userContext )->parallelFor( 0, int( ( count - 1 ) / grain + 1 ), 1, ranges );
    }
}

#endif
