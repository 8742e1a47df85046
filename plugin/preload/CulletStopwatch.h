// SPDX-License-Identifier: Zlib
/// \file CulletStopwatch.h
/// Times a program's calls to cullet, and the same calls to the broadphase of Bullet that the program chose. Each call
/// is timed separately, and the time for reading the clock is subtracted. The two broadphases evict each other from the
/// processor's caches, so the figures are accurate to about ten percent. Both use the program's filter callback.
#ifndef CULLET_STOPWATCH_H
#define CULLET_STOPWATCH_H

#include "CulletForwarder.h"
#include "CulletTwin.h"

#include <atomic>
#include <chrono>
#include <mutex>

class CulletStopwatch : public CulletForwarder
{
public:
    CulletStopwatch( btBroadphaseInterface& inner, const CulletBullet& bullet, const CulletArguments& arguments )
        : CulletForwarder( inner ), m_cache( inner.getOverlappingPairCache() ), m_twin( bullet, arguments )
    {
        const double cost = clockCost();
        const std::lock_guard<std::mutex> lock( totals().m_lock );
        ++totals().m_broadphases;
        totals().m_clock = cost;
    }

    btBroadphaseProxy* createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType, void* userPtr,
                                    int group, int mask, btDispatcher* dispatcher ) override
    {
        useFilterCallback();
        btBroadphaseProxy* proxy = 0;
        btBroadphaseProxy* twin = 0;
        timeBoth(
            call_create,
            [&] { proxy = m_inner.createProxy( aabbMin, aabbMax, shapeType, userPtr, group, mask, dispatcher ); },
            [&] { twin = m_twin.create( proxy, userPtr, group, mask ); } );
        m_twin.remember( proxy, twin );
        ++m_proxyCount;
        const std::lock_guard<std::mutex> lock( totals().m_lock );
        totals().m_mostProxies = std::max( totals().m_mostProxies, m_proxyCount );
        return proxy;
    }

    void destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher ) override
    {
        btBroadphaseProxy* twin = m_twin.forget( proxy );
        timeBoth(
            call_create, [&] { m_inner.destroyProxy( proxy, dispatcher ); }, [&] { m_twin.destroy( twin ); } );
        --m_proxyCount;
    }

    void setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                  btDispatcher* dispatcher ) override
    {
        btBroadphaseProxy* twin = m_twin.of( proxy );
        timeBoth(
            call_set, [&] { m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher ); },
            [&] { m_twin.set( twin, aabbMin, aabbMax ); } );
    }

    void rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                  const btVector3& aabbMin, const btVector3& aabbMax ) override
    {
        ++totals().m_queries;
        m_inner.rayTest( from, to, callback, aabbMin, aabbMax );
    }

    void aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback ) override
    {
        ++totals().m_queries;
        m_inner.aabbTest( aabbMin, aabbMax, callback );
    }

    void calculateOverlappingPairs( btDispatcher* dispatcher ) override
    {
        useFilterCallback();
        timeBoth(
            call_calculate, [&] { m_inner.calculateOverlappingPairs( dispatcher ); },
            [&] { m_twin.get().calculateOverlappingPairs( 0 ); } );
        const int count = m_cache->getNumOverlappingPairs();
        const std::lock_guard<std::mutex> lock( totals().m_lock );
        totals().m_mostPairs = std::max( totals().m_mostPairs, count );
    }

    /// This call makes cullet search for the pairs of new proxies, so it is timed.
    btOverlappingPairCache* getOverlappingPairCache() override
    {
        timeBoth(
            call_create, [&] { m_inner.getOverlappingPairCache(); }, [] {} );
        return m_cache;
    }

    /// Prints the totals of all broadphases of the process.
    static void sayTotals( const CulletBullet& bullet )
    {
        typedef unsigned long long Count;
        const Totals& all = totals();
        bullet.say( "stats: %d broadphases, %llu steps, at most %d bodies and %d pairs, %llu boxes set, %llu queries",
                    all.m_broadphases, Count( all.m_calls[call_calculate] ), all.m_mostProxies, all.m_mostPairs,
                    Count( all.m_calls[call_set] ), Count( all.m_queries.load() ) );
        sayTimes( bullet, "cullet", all.m_cullet );
        sayTimes( bullet, "Bullet", all.m_bullet );
        bullet.say( "stats: Bullet's own would have taken %.2f times as long",
                    sumMs( all.m_bullet ) / std::max( sumMs( all.m_cullet ), 1e-9 ) );
    }

private:
    enum Call
    {
        call_create, ///< createProxy, destroyProxy and getOverlappingPairCache
        call_set,
        call_calculate,
        callCount
    };

    /// One set of totals per process. A lock lets worlds of several threads add to it.
    struct Totals
    {
        std::mutex m_lock;
        int m_broadphases = 0;
        int m_mostProxies = 0;
        int m_mostPairs = 0;
        uint64_t m_calls[callCount] = {};
        double m_cullet[callCount] = {}; ///< ns, like the next member
        double m_bullet[callCount] = {};
        std::atomic<uint64_t> m_queries{ 0 };
        double m_clock = 0; ///< the time that two readings of the clock take
    };

    static Totals& totals()
    {
        static Totals* all = new Totals; // never destroyed, because programs may destroy worlds very late
        return *all;
    }

    static double now()
    {
        return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
    }

    /// The minimum of many measurements, so that the subtracted time is never too large.
    static double clockCost()
    {
        double least = 1e9;
        for ( int i = 0; i < 1000; ++i )
        {
            const double begin = now();
            least = std::min( least, now() - begin );
        }
        return least;
    }

    template <typename Cullet, typename Bullet>
    static void timeBoth( Call call, Cullet cullet, Bullet bullet )
    {
        const double begin = now();
        cullet();
        const double between = now();
        bullet();
        const double end = now();
        Totals& all = totals();
        const std::lock_guard<std::mutex> lock( all.m_lock );
        ++all.m_calls[call];
        all.m_cullet[call] += std::max( between - begin - all.m_clock, 0.0 );
        all.m_bullet[call] += std::max( end - between - all.m_clock, 0.0 );
    }

    static double sumMs( const double ( &times )[callCount] )
    {
        return ( times[call_create] + times[call_set] + times[call_calculate] ) * 1e-6;
    }

    static void sayTimes( const CulletBullet& bullet, const char* name, const double ( &times )[callCount] )
    {
        bullet.say( "stats: %-6s %10.3f ms: setAabb %.3f, calculateOverlappingPairs %.3f, createProxy and destroyProxy "
                    "%.3f",
                    name, sumMs( times ), times[call_set] * 1e-6, times[call_calculate] * 1e-6,
                    times[call_create] * 1e-6 );
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
