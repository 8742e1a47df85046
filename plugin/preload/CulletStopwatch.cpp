// SPDX-License-Identifier: Zlib
/// \file CulletStopwatch.cpp
/// One set of totals per process. A lock lets worlds of several threads add to it.

#include "CulletStopwatch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdio.h>

namespace
{
enum Call
{
    call_create, ///< and destroy
    call_set,
    call_calculate,
    callCount
};

struct Totals
{
    std::mutex m_lock;
    int m_broadphases = 0;
    int m_mostProxies = 0;
    int m_mostPairs = 0;
    uint64_t m_calls[callCount] = {};
    double m_cullet[callCount] = {}; ///< ns, as the next
    double m_bullet[callCount] = {};
    std::atomic<uint64_t> m_queries{ 0 };
    double m_clock = 0; ///< the time that two readings of the clock take
};

Totals totals;

double now()
{
    return std::chrono::duration<double, std::nano>( std::chrono::steady_clock::now().time_since_epoch() ).count();
}

/// The minimum of many measurements, so that the subtracted time is never too large.
double clockCost()
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
void timeBoth( Call call, Cullet cullet, Bullet bullet )
{
    const double begin = now();
    cullet();
    const double between = now();
    bullet();
    const double end = now();
    const std::lock_guard<std::mutex> lock( totals.m_lock );
    ++totals.m_calls[call];
    totals.m_cullet[call] += std::max( between - begin - totals.m_clock, 0.0 );
    totals.m_bullet[call] += std::max( end - between - totals.m_clock, 0.0 );
}

double sumMs( const double ( &times )[callCount] )
{
    return ( times[call_create] + times[call_set] + times[call_calculate] ) * 1e-6;
}

void sayTimes( const CulletBullet& bullet, const char* name, const double ( &times )[callCount] )
{
    char text[300];
    snprintf( text, sizeof( text ),
              "stats: %-6s %10.3f ms: setAabb %.3f, calculateOverlappingPairs %.3f, createProxy and destroyProxy %.3f",
              name, sumMs( times ), times[call_set] * 1e-6, times[call_calculate] * 1e-6, times[call_create] * 1e-6 );
    bullet.say( text );
}
} // namespace

CulletStopwatch::CulletStopwatch( btBroadphaseInterface& inner, const CulletBullet& bullet,
                                  const CulletArguments& arguments )
    : CulletForwarder( inner ), m_cache( inner.getOverlappingPairCache() ), m_twin( bullet, arguments )
{
    const double cost = clockCost();
    const std::lock_guard<std::mutex> lock( totals.m_lock );
    ++totals.m_broadphases;
    totals.m_clock = cost;
}

btBroadphaseProxy* CulletStopwatch::createProxy( const btVector3& aabbMin, const btVector3& aabbMax, int shapeType,
                                                 void* userPtr, int group, int mask, btDispatcher* dispatcher )
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
    const std::lock_guard<std::mutex> lock( totals.m_lock );
    totals.m_mostProxies = std::max( totals.m_mostProxies, m_proxyCount );
    return proxy;
}

void CulletStopwatch::destroyProxy( btBroadphaseProxy* proxy, btDispatcher* dispatcher )
{
    btBroadphaseProxy* twin = m_twin.forget( proxy );
    timeBoth(
        call_create, [&] { m_inner.destroyProxy( proxy, dispatcher ); }, [&] { m_twin.destroy( twin ); } );
    --m_proxyCount;
}

void CulletStopwatch::setAabb( btBroadphaseProxy* proxy, const btVector3& aabbMin, const btVector3& aabbMax,
                               btDispatcher* dispatcher )
{
    btBroadphaseProxy* twin = m_twin.of( proxy );
    timeBoth(
        call_set, [&] { m_inner.setAabb( proxy, aabbMin, aabbMax, dispatcher ); },
        [&] { m_twin.set( twin, aabbMin, aabbMax ); } );
}

void CulletStopwatch::rayTest( const btVector3& from, const btVector3& to, btBroadphaseRayCallback& callback,
                               const btVector3& aabbMin, const btVector3& aabbMax )
{
    ++totals.m_queries;
    m_inner.rayTest( from, to, callback, aabbMin, aabbMax );
}

void CulletStopwatch::aabbTest( const btVector3& aabbMin, const btVector3& aabbMax, btBroadphaseAabbCallback& callback )
{
    ++totals.m_queries;
    m_inner.aabbTest( aabbMin, aabbMax, callback );
}

void CulletStopwatch::calculateOverlappingPairs( btDispatcher* dispatcher )
{
    useFilterCallback();
    timeBoth(
        call_calculate, [&] { m_inner.calculateOverlappingPairs( dispatcher ); }, [&] { m_twin.calculate(); } );
    const int count = m_cache->getNumOverlappingPairs();
    const std::lock_guard<std::mutex> lock( totals.m_lock );
    totals.m_mostPairs = std::max( totals.m_mostPairs, count );
}

/// This call makes cullet search for the pairs of new proxies, so it is timed.
btOverlappingPairCache* CulletStopwatch::getOverlappingPairCache()
{
    timeBoth(
        call_create, [&] { m_inner.getOverlappingPairCache(); }, [] {} );
    return m_cache;
}

/// The program may install another one at any time.
void CulletStopwatch::useFilterCallback()
{
    m_twin.getCache().setOverlapFilterCallback( m_cache->getOverlapFilterCallback() );
}

void CulletStopwatch::sayTotals( const CulletBullet& bullet )
{
    const std::lock_guard<std::mutex> lock( totals.m_lock );
    char text[300];
    snprintf( text, sizeof( text ),
              "stats: %d broadphases, %llu steps, at most %d bodies and %d pairs, %llu boxes set, %llu queries",
              totals.m_broadphases, (unsigned long long)totals.m_calls[call_calculate], totals.m_mostProxies,
              totals.m_mostPairs, (unsigned long long)totals.m_calls[call_set],
              (unsigned long long)totals.m_queries.load() );
    bullet.say( text );
    sayTimes( bullet, "cullet", totals.m_cullet );
    sayTimes( bullet, "Bullet", totals.m_bullet );
    snprintf( text, sizeof( text ), "stats: Bullet's own would have taken %.2f times as long",
              sumMs( totals.m_bullet ) / std::max( sumMs( totals.m_cullet ), 1e-9 ) );
    bullet.say( text );
}
