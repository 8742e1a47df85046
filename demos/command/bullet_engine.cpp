// SPDX-License-Identifier: Zlib
/// \file bullet_engine.cpp
/// Scenes into Bullet's calls.
#include "bullet_engine.h"

#include "machine.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace cullet::compare
{

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
    return pairsOf( *m_broadphase->getOverlappingPairCache() );
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
    return std::make_unique<BulletEngine>( request.scene, createDeferredDbvt(), ProxyOwner::caller );
}

std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request )
{
    const float* extent = request.scene.extent;
    const btVector3 highest( extent[0], extent[1], extent[2] );
    return std::make_unique<BulletEngine>(
        request.scene, createSweep( btVector3( 0, 0, 0 ), highest, request.scene.boxCount ), ProxyOwner::broadphase );
}

std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request )
{
    return std::make_unique<BulletEngine>( request.scene, createSimple( request.scene.boxCount ),
                                           ProxyOwner::broadphase );
}

} // namespace cullet::compare
