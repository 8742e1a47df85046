// SPDX-License-Identifier: Zlib
/// \file CulletStopwatch.h
/// Times a program's calls to cullet, and the same calls to the broadphase of Bullet that the program chose. Each call
/// is timed separately, and the time for reading the clock is subtracted. The two broadphases evict each other from the
/// processor's caches, so the figures are accurate to about ten percent. Both use the program's filter callback.
#ifndef CULLET_STOPWATCH_H
#define CULLET_STOPWATCH_H

#include "CulletForwarder.h"
#include "CulletReport.h"
#include "CulletTwin.h"

#include <chrono>
#include <mutex>

class CulletStopwatch : public CulletForwarder
{
public:
    CulletStopwatch( btBroadphaseInterface& inner, const CulletBullet& bullet, const CulletArguments& arguments )
        : CulletForwarder( inner ), m_cache( inner.getOverlappingPairCache() ), m_twin( bullet, arguments )
    {
        const std::lock_guard<std::mutex> guard( lock() );
        ++CulletReport::own()->m_broadphases;
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        const ProgramCall programCall;
        useFilterCallback();
        btBroadphaseProxy* proxy = 0;
        btBroadphaseProxy* twin = 0;
        timeBoth(
            CulletReport::call_create,
            [&] { proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher ); },
            [&] { twin = m_twin.create( proxy, userPtr, group, mask ); } );
        const bool isAlive = proxy->m_uniqueId != 0; // else a callback has destroyed it
        isAlive ? m_twin.remember( proxy, twin ) : m_twin.destroy( twin );
        ++m_proxyCount;
        const std::lock_guard<std::mutex> guard( lock() );
        CulletReport::own()->m_mostProxies = std::max( CulletReport::own()->m_mostProxies, m_proxyCount );
        return proxy;
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        const ProgramCall programCall;
        btBroadphaseProxy* twin = m_twin.forget( proxy );
        timeBoth(
            CulletReport::call_create, [&] { m_inner.destroyProxy( proxy, dispatcher ); },
            [&] { m_twin.destroy( twin ); } );
        --m_proxyCount;
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        const ProgramCall programCall;
        btBroadphaseProxy* twin = m_twin.of( proxy );
        timeBoth(
            CulletReport::call_set, [&] { m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher ); },
            [&] { m_twin.set( twin, aabbMin, aabbMax ); } );
    }

    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        ++CulletReport::own()->m_untimedQueries;
        m_inner.rayTest( from, to, callback, aabbMin, aabbMax );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        ++CulletReport::own()->m_untimedQueries;
        m_inner.aabbTest( aabbMin, aabbMax, callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        const ProgramCall programCall;
        useFilterCallback();
        timeBoth(
            CulletReport::call_calculate, [&] { m_inner.calculateOverlappingPairs( dispatcher ); },
            [&] { m_twin.get().calculateOverlappingPairs( 0 ); } );
        const int count = m_cache->getNumOverlappingPairs();
        const std::lock_guard<std::mutex> guard( lock() );
        CulletReport::own()->m_mostPairs = std::max( CulletReport::own()->m_mostPairs, count );
    }

    /// This call makes cullet search for the pairs of new proxies, so it is timed.
    btOverlappingPairCache* getOverlappingPairCache() override
    {
        const ProgramCall programCall;
        timeBoth(
            CulletReport::call_create, [&] { m_inner.getOverlappingPairCache(); }, [] {} );
        return m_cache;
    }

private:
    /// Lets worlds of several threads add to the report of the process.
    static std::mutex& lock()
    {
        static std::mutex all;
        return all;
    }

    /// Measures how long a call of the program takes in all, both broadphases and the measuring.
    class ProgramCall
    {
    public:
        ~ProgramCall()
        {
            const std::lock_guard<std::mutex> guard( lock() );
            CulletReport::own()->m_end = now();
            CulletReport::own()->m_inCalls += CulletReport::own()->m_end - m_begin;
        }

    private:
        const double m_begin = now();
    };

    static double now()
    {
        return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
    }

    /// The time that two readings of the clock take: the minimum of many measurements, so that the subtracted time is
    /// never too large.
    static double clockCost()
    {
        static const double cost = []
        {
            double least = 1e9;
            for ( int i = 0; i < 1000; ++i )
            {
                const double begin = now();
                least = std::min( least, now() - begin );
            }
            return least;
        }();
        return cost;
    }

    template <typename Cullet, typename Bullet>
    static void timeBoth( CulletReport::Call call, Cullet cullet, Bullet bullet )
    {
        const double begin = now();
        cullet();
        const double between = now();
        bullet();
        const double end = now();
        const std::lock_guard<std::mutex> guard( lock() );
        CulletReport& report = *CulletReport::own();
        ++report.m_calls[call];
        report.m_cullet[call] += std::max( between - begin - clockCost(), 0.0 );
        report.m_bullet[call] += std::max( end - between - clockCost(), 0.0 );
    }

    /// Gives Bullet's broadphase (CulletTwin.h) the program's filter callback, which may change at any time.
    void useFilterCallback()
    {
        m_twin.getCache().setOverlapFilterCallback( m_cache->getOverlapFilterCallback() );
    }

    btOverlappingPairCache* m_cache; ///< read once, because getOverlappingPairCache makes cullet search for pairs
    CulletTwin m_twin;
    int m_proxyCount = 0;
};

#endif
