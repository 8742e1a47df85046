// SPDX-License-Identifier: Zlib
/// \file bullet_replay.cpp
/// Recorded calls into Bullet's.
#include "bullet_replay.h"

#include "machine.h"

#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"

namespace cullet::compare
{

namespace
{

using recording::EventKind;

template <typename Callback>
class Collect : public Callback
{
public:
    explicit Collect( std::vector<std::uint32_t>& hits ) : m_hits( hits )
    {
    }

    bool process( const btBroadphaseProxy* proxy ) override
    {
        m_hits.push_back( indexOf( proxy ) );
        return true;
    }

private:
    std::vector<std::uint32_t>& m_hits;
};

} // namespace

BulletReplay::BulletReplay( const ReplayRequest& request, std::unique_ptr<btBroadphaseInterface> broadphase,
                            ProxyOwner owner )
    : m_broadphase( std::move( broadphase ) ), m_owner( owner ), m_proxies( request.mostAlive, nullptr )
{
}

BulletReplay::~BulletReplay()
{
    if ( m_owner == ProxyOwner::broadphase )
    {
        return;
    }
    removeAllPairs( *m_broadphase->getOverlappingPairCache() );
    for ( btBroadphaseProxy* proxy : m_proxies )
    {
        if ( proxy != nullptr )
        {
            m_broadphase->destroyProxy( proxy, nullptr );
        }
    }
}

void BulletReplay::change( const ReplayCall& call )
{
    if ( call.kind == EventKind::resetPool )
    {
        m_broadphase->resetPool( nullptr );
        return;
    }
    btBroadphaseProxy*& proxy = m_proxies[call.slot];
    const BulletBox& box = call.bulletBox;
    switch ( call.kind )
    {
    case EventKind::create:
        proxy = m_broadphase->createProxy( box.lower, box.upper, 0, clientOf( call.slot ), call.filter.group,
                                           call.filter.mask, nullptr );
        break;
    case EventKind::move:
        m_broadphase->setAabb( proxy, box.lower, box.upper, nullptr );
        break;
    case EventKind::filter: // in place, as the recorded program did it
        proxy->m_collisionFilterGroup = call.filter.group;
        proxy->m_collisionFilterMask = call.filter.mask;
        break;
    default: // destroy
        m_broadphase->destroyProxy( proxy, nullptr );
        proxy = nullptr;
        break;
    }
}

void BulletReplay::findPairs()
{
    m_broadphase->calculateOverlappingPairs( nullptr );
}

void BulletReplay::castRay( const ReplayRay& ray, std::vector<std::uint32_t>& hits )
{
    Collect<btBroadphaseRayCallback> callback( hits );
    callback.m_rayDirectionInverse = ray.inverseDirection;
    callback.m_lambda_max = ray.length;
    for ( int axis = 0; axis < 3; ++axis )
    {
        callback.m_signs[axis] = ray.signs[axis];
    }
    m_broadphase->rayTest( ray.origin, ray.target, callback, ray.swept.lower, ray.swept.upper );
}

void BulletReplay::queryBox( const ReplayCall& call, std::vector<std::uint32_t>& hits )
{
    Collect<btBroadphaseAabbCallback> callback( hits );
    m_broadphase->aabbTest( call.bulletBox.lower, call.bulletBox.upper, callback );
}

bool BulletReplay::casts( const ReplayRay& ray ) const
{
    return ray.isSound;
}

/// Fat boxes, or none at all: btSimpleBroadphase and the sweep hand every proxy to a ray's callback.
Slack BulletReplay::raySlack( const ReplayRay& ) const
{
    return noneMissing;
}

Slack BulletReplay::boxSlack() const
{
    return noneMissing;
}

PairSet BulletReplay::pairs()
{
    return pairsOf( *m_broadphase->getOverlappingPairCache() );
}

EngineFacts BulletReplay::facts() const
{
    EngineFacts facts;
    facts.precision = bulletPrecision();
    return facts;
}

std::unique_ptr<ReplayEngine> createDbvtReplay( const ReplayRequest& request )
{
    return std::make_unique<BulletReplay>( request, std::make_unique<btDbvtBroadphase>(), ProxyOwner::caller );
}

std::unique_ptr<ReplayEngine> createDeferredDbvtReplay( const ReplayRequest& request )
{
    return std::make_unique<BulletReplay>( request, createDeferredDbvt(), ProxyOwner::caller );
}

std::unique_ptr<ReplayEngine> createSweepReplay( const ReplayRequest& request )
{
    return std::make_unique<BulletReplay>(
        request, createSweep( request.lowestCenter, request.highestCenter, request.mostAlive ),
        ProxyOwner::broadphase );
}

std::unique_ptr<ReplayEngine> createSimpleReplay( const ReplayRequest& request )
{
    return std::make_unique<BulletReplay>( request, createSimple( request.mostAlive ), ProxyOwner::broadphase );
}

} // namespace cullet::compare
