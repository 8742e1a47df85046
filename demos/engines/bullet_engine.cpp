// SPDX-License-Identifier: Zlib
/// \file bullet_engine.cpp
/// Batches into Bullet's calls, and each of Bullet's broadphases with the pair cache it brings along.
#include "bullet_engine.h"

#include "demos/report/machine.h"

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

/// The slot plus 1, because btSimpleBroadphase skips proxies whose client is NULL.
void* clientOf( std::uint32_t slot )
{
    return reinterpret_cast<void*>( std::uintptr_t( slot ) + 1 );
}

std::uint32_t slotOf( const btBroadphaseProxy* proxy )
{
    return std::uint32_t( reinterpret_cast<std::uintptr_t>( proxy->m_clientObject ) - 1 );
}

template <typename Callback>
class Collect : public Callback
{
public:
    explicit Collect( Hits& hits ) : m_hits( hits )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        m_hits.push_back( slotOf( proxy ) );
        return true;
    }

private:
    Hits& m_hits;
};

} // namespace

BulletEngine::BulletEngine( const EngineRequest& request, std::unique_ptr<btBroadphaseInterface> broadphase,
                            ProxyOwner owner )
    : m_broadphase( std::move( broadphase ) ), m_owner( owner ), m_proxies( request.mostAlive, nullptr )
{
}

BulletEngine::~BulletEngine()
{
    if ( m_owner == ProxyOwner::broadphase )
    {
        return;
    }
    // All pairs go first: destroying a proxy walks all that are still there.
    btOverlappingPairCache& cache = *m_broadphase->getOverlappingPairCache();
    const btBroadphasePairArray& pairs = cache.getOverlappingPairArray();
    while ( pairs.size() > 0 )
    {
        const btBroadphasePair last = pairs[pairs.size() - 1];
        cache.removeOverlappingPair( last.m_pProxy0, last.m_pProxy1, nullptr );
    }
    for ( btBroadphaseProxy* proxy : m_proxies )
    {
        if ( proxy != nullptr )
        {
            m_broadphase->destroyProxy( proxy, nullptr );
        }
    }
}

void BulletEngine::change( const Batch& batch, const Calls& calls )
{
    for ( std::size_t call = calls.first; call < calls.last; ++call )
    {
        switch ( calls.kind )
        {
        case EventKind::create:
            create( batch, call );
            break;
        case EventKind::move:
            m_broadphase->setAabb( m_proxies[batch.slots[call]], batch.bulletBoxes[call].lower,
                                   batch.bulletBoxes[call].upper, nullptr );
            break;
        case EventKind::filter:
            setFilter( batch, call );
            break;
        case EventKind::destroy:
            destroy( batch.slots[call] );
            break;
        default: // resetPool
            m_broadphase->resetPool( nullptr );
            break;
        }
    }
}

void BulletEngine::create( const Batch& batch, std::size_t call )
{
    const std::uint32_t slot = batch.slots[call];
    const BulletBox& box = batch.bulletBoxes[call];
    const cltFilter& filter = batch.filters[call];
    m_proxies[slot] =
        m_broadphase->createProxy( box.lower, box.upper, 0, clientOf( slot ), filter.group, filter.mask, nullptr );
}

/// In place, as the recorded program did it.
void BulletEngine::setFilter( const Batch& batch, std::size_t call )
{
    btBroadphaseProxy& proxy = *m_proxies[batch.slots[call]];
    proxy.m_collisionFilterGroup = batch.filters[call].group;
    proxy.m_collisionFilterMask = batch.filters[call].mask;
}

void BulletEngine::destroy( std::uint32_t slot )
{
    m_broadphase->destroyProxy( m_proxies[slot], nullptr );
    m_proxies[slot] = nullptr;
}

void BulletEngine::findPairs()
{
    m_broadphase->calculateOverlappingPairs( nullptr );
}

void BulletEngine::castRay( const RayCall& ray, Hits& hits )
{
    Collect<btBroadphaseRayCallback> callback( hits );
    callback.m_rayDirectionInverse = ray.inverseDirection;
    callback.m_lambda_max = ray.length;
    std::copy( std::begin( ray.signs ), std::end( ray.signs ), callback.m_signs );
    m_broadphase->rayTest( ray.origin, ray.target, callback, ray.swept.lower, ray.swept.upper );
}

void BulletEngine::queryBox( const Batch& batch, std::size_t call, Hits& hits )
{
    Collect<btBroadphaseAabbCallback> callback( hits );
    m_broadphase->aabbTest( batch.bulletBoxes[call].lower, batch.bulletBoxes[call].upper, callback );
}

bool BulletEngine::casts( const RayCall& ray ) const
{
    return ray.isSound;
}

Slack BulletEngine::raySlack( const RayCall& ) const
{
    return boxSlack();
}

/// Fat boxes, or none at all: btSimpleBroadphase and the sweep hand every proxy to a ray's callback.
Slack BulletEngine::boxSlack() const
{
    return noneMissing;
}

PairSet BulletEngine::pairs()
{
    const btBroadphasePairArray& array = m_broadphase->getOverlappingPairCache()->getOverlappingPairArray();
    PairSet result;
    result.reserve( std::size_t( array.size() ) );
    for ( int k = 0; k < array.size(); ++k )
    {
        result.push_back( pairKey( slotOf( array[k].m_pProxy0 ), slotOf( array[k].m_pProxy1 ) ) );
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
    return std::make_unique<BulletEngine>( request, std::make_unique<btDbvtBroadphase>(), ProxyOwner::caller );
}

std::unique_ptr<Engine> createDeferredDbvtEngine( const EngineRequest& request )
{
    auto broadphase = std::make_unique<btDbvtBroadphase>();
    broadphase->m_deferedcollide = true;
    return std::make_unique<BulletEngine>( request, std::move( broadphase ), ProxyOwner::caller );
}

std::unique_ptr<Engine> createSweepEngine( const EngineRequest& request )
{
    const btVector3 margin( sweepMargin, sweepMargin, sweepMargin );
    // The tree for rays, which the sweep can keep beside itself, is left out: it has no part in finding pairs.
    const bool noRayTree = true;
    auto broadphase = std::make_unique<bt32BitAxisSweep3>(
        request.lowestCenter - margin, request.highestCenter + margin, request.mostAlive, nullptr, noRayTree );
    return std::make_unique<BulletEngine>( request, std::move( broadphase ), ProxyOwner::broadphase );
}

std::unique_ptr<Engine> createSimpleEngine( const EngineRequest& request )
{
    return std::make_unique<BulletEngine>( request, std::make_unique<btSimpleBroadphase>( int( request.mostAlive ) ),
                                           ProxyOwner::broadphase );
}

} // namespace cullet::compare
