// SPDX-License-Identifier: Zlib
/// \file bullet_engine.cpp
/// Bullet's own broadphases, each with the pair cache it brings along, and the driving that they share with the plugin.
#include "bullet_engine.h"

#include "machine.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <algorithm>

namespace cullet::compare
{

namespace
{

/// How far beyond the bodies' centers the sweep's bounds reach: more than the largest moving body and the highest
/// start. What lies farther out is treated as if it lay on the bounds, so it still meets all that it should.
constexpr float sweepMargin = 20;

/// The client pointer carries the index. It starts at 1 because btSimpleBroadphase skips proxies whose client is NULL.
void* clientOf( std::uint32_t index )
{
    return reinterpret_cast<void*>( std::uintptr_t( index ) + 1 );
}

std::uint32_t indexOf( const btBroadphaseProxy* proxy )
{
    return std::uint32_t( reinterpret_cast<std::uintptr_t>( proxy->m_clientObject ) - 1 );
}

/// Emptied first because destroying a proxy walks all pairs: n times, if they are still there.
void removeAllPairs( btOverlappingPairCache& cache )
{
    btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    while ( pairs.size() > 0 )
    {
        const btBroadphasePair last = pairs[pairs.size() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, nullptr );
    }
}

} // namespace

BulletEngine::BulletEngine( const cltScene& scene, std::unique_ptr<btBroadphaseInterface> broadphase, ProxyOwner owner )
    : m_scene( scene ), m_broadphase( std::move( broadphase ) ), m_owner( owner )
{
    m_proxies.reserve( scene.boxCount );
}

BulletEngine::~BulletEngine()
{
    if ( m_owner == ProxyOwner::broadphase )
    {
        return;
    }
    removeAllPairs( *m_broadphase->getOverlappingPairCache() );
    for ( btBroadphaseProxy* proxy : m_proxies )
    {
        m_broadphase->destroyProxy( proxy, nullptr );
    }
}

void BulletEngine::insert( std::uint32_t first, std::uint32_t last )
{
    for ( std::uint32_t index = first; index < last; ++index )
    {
        const BulletBox box = bulletBox( m_scene.boxes[index] );
        const cltFilter& filter = m_scene.filters[index];
        m_proxies.push_back( m_broadphase->createProxy( box.lower, box.upper, 0, clientOf( index ), filter.group,
                                                        filter.mask, nullptr ) );
    }
}

void BulletEngine::setBoxes( const Moves& moves )
{
    for ( std::size_t k = 0; k < moves.count(); ++k )
    {
        const BulletBox& box = moves.bulletBoxes()[k];
        m_broadphase->setAabb( m_proxies[moves.bodies()[k]], box.lower, box.upper, nullptr );
    }
}

void BulletEngine::findPairs()
{
    m_broadphase->calculateOverlappingPairs( nullptr );
}

PairSet BulletEngine::pairs()
{
    const btBroadphasePairArray& array = m_broadphase->getOverlappingPairCache()->getOverlappingPairArray();
    PairSet result;
    result.reserve( std::size_t( array.size() ) );
    for ( int k = 0; k < array.size(); ++k )
    {
        result.push_back( pairKey( indexOf( array[k].m_pProxy0 ), indexOf( array[k].m_pProxy1 ) ) );
    }
    std::sort( result.begin(), result.end() );
    return result;
}

EngineFacts BulletEngine::facts() const
{
    EngineFacts facts;
    facts.precision = bulletPrecision();
    return facts;
}

std::unique_ptr<Engine> createDbvtEngine( const EngineRequest& request )
{
    return std::make_unique<BulletEngine>( request.scene, std::make_unique<btDbvtBroadphase>(), ProxyOwner::caller );
}

std::unique_ptr<Engine> createDeferredDbvtEngine( const EngineRequest& request )
{
    auto broadphase = std::make_unique<btDbvtBroadphase>();
    broadphase->m_deferedcollide = true;
    return std::make_unique<BulletEngine>( request.scene, std::move( broadphase ), ProxyOwner::caller );
}

std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request )
{
    const btVector3 margin( sweepMargin, sweepMargin, sweepMargin );
    const float* extent = request.scene.extent;
    // The tree for rays, which the sweep can keep beside itself, is left out: it has no part in finding pairs.
    const bool noRayTree = true;
    return std::make_unique<BulletEngine>(
        request.scene,
        std::make_unique<bt32BitAxisSweep3>( -margin, btVector3( extent[0], extent[1], extent[2] ) + margin,
                                             request.scene.boxCount, nullptr, noRayTree ),
        ProxyOwner::broadphase );
}

std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request )
{
    return std::make_unique<BulletEngine>(
        request.scene, std::make_unique<btSimpleBroadphase>( int( request.scene.boxCount ) ), ProxyOwner::broadphase );
}

} // namespace cullet::compare
