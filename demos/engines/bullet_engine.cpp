// SPDX-License-Identifier: Zlib
/// \file bullet_engine.cpp
/// Translates batches into Bullet's calls. Each broadphase uses its default pair cache.
#include "bullet_engine.h"

#include "core_engine.h"
#include "engines.h"

#include "plugin/CulletBroadphase.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <algorithm>
#include <limits>

namespace cullet::compare
{

namespace
{

/// The sweep's bounds are those of the bodies' centers, grown by this margin. It exceeds the size of the largest moving
/// body. Boxes beyond the bounds are clamped to them, so that no pair is lost.
constexpr float sweepMargin = 20;

constexpr float marginRounding = 1e-6f; // relative; adding the margin rounds a float by at most 6e-8 of it

/// The slot plus 1, because btSimpleBroadphase skips proxies with a NULL client.
void* clientOf( std::uint32_t slot )
{
    return reinterpret_cast<void*>( std::uintptr_t( slot ) + 1 );
}

std::uint32_t slotOf( const btBroadphaseProxy* proxy )
{
    return std::uint32_t( reinterpret_cast<std::uintptr_t>( proxy->m_clientObject ) - 1 );
}

template <typename Callback>
class HitCollector : public Callback
{
public:
    explicit HitCollector( Hits& hits ) : m_hits( hits )
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

class BulletEngine : public Engine
{
public:
    BulletEngine( const StreamInfo& info, std::unique_ptr<btBroadphaseInterface> broadphase )
        : m_broadphase( std::move( broadphase ) ), m_proxies( info.mostAlive, nullptr )
    {
    }

    /// Frees the proxies of btDbvtBroadphase, the only broadphase that does not free them itself. destroyProxy would
    /// walk all pairs for each of them.
    ~BulletEngine() override
    {
        if ( dynamic_cast<btDbvtBroadphase*>( m_broadphase.get() ) != nullptr )
        {
            std::for_each( m_proxies.begin(), m_proxies.end(),
                           []( btBroadphaseProxy* proxy ) { btAlignedFree( proxy ); } );
        }
    }

    void change( const Batch& batch, const Calls& calls ) override
    {
        for ( std::size_t call = calls.first; call < calls.last; ++call )
        {
            const std::uint32_t slot = batch.slots[call];
            const auto& [lower, upper] = batch.bulletBoxes[call];
            btBroadphaseProxy*& proxy = m_proxies[slot];
            switch ( calls.kind )
            {
            case EventKind::create:
                proxy = m_broadphase->createProxy( lower, upper, 0, clientOf( slot ), batch.filters[call].group,
                                                   batch.filters[call].mask, nullptr );
                proxy->m_aabbMin = lower; // 3D SAP without a tree for rays leaves them unset until the first setAabb
                proxy->m_aabbMax = upper;
                break;
            case EventKind::move:
                m_broadphase->setAabb( proxy, lower, upper, nullptr );
                break;
            case EventKind::filter: // edits the proxy in place, as recorded programs do
                proxy->m_collisionFilterGroup = batch.filters[call].group;
                proxy->m_collisionFilterMask = batch.filters[call].mask;
                break;
            case EventKind::destroy:
                m_broadphase->destroyProxy( proxy, nullptr );
                proxy = nullptr;
                break;
            default: // resetPool
                m_broadphase->resetPool( nullptr );
                break;
            }
        }
    }

    void findPairs() override
    {
        m_broadphase->calculateOverlappingPairs( nullptr );
    }

    btBroadphaseInterface* bulletBroadphase() const override
    {
        return m_broadphase.get();
    }

    void castRay( const RayCall& ray, Hits& hits ) override
    {
        HitCollector<btBroadphaseRayCallback> callback( hits );
        callback.m_rayDirectionInverse = ray.inverseDirection;
        callback.m_lambda_max = ray.length;
        std::copy( std::begin( ray.signs ), std::end( ray.signs ), callback.m_signs );
        m_broadphase->rayTest( ray.origin, ray.target, callback, ray.swept.lower, ray.swept.upper );
    }

    void queryBox( const Batch& batch, std::size_t call, Hits& hits ) override
    {
        HitCollector<btBroadphaseAabbCallback> callback( hits );
        m_broadphase->aabbTest( batch.bulletBoxes[call].lower, batch.bulletBoxes[call].upper, callback );
    }

    std::optional<Tolerance> rayTolerance( const RayCall& ray ) const override
    {
        return ray.isSound ? std::optional<Tolerance>( boxTolerance() ) : std::nullopt;
    }

    /// Any proxy may be reported. btDbvtBroadphase has fat boxes. The other broadphases pass every proxy to a ray's
    /// callback.
    Tolerance boxTolerance() const override
    {
        return { 0, std::numeric_limits<float>::infinity(), 0 };
    }

    PairSet pairs() override
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

protected:
    std::unique_ptr<btBroadphaseInterface> m_broadphase;

private:
    std::vector<btBroadphaseProxy*> m_proxies; ///< by slot; may be NULL
};

/// CulletBroadphase, with access to its core. Its queries test boxes that are grown by at most gDbvtMargin.
class PluginEngine : public BulletEngine
{
public:
    using BulletEngine::BulletEngine;

    void findPairs() override
    {
        BulletEngine::findPairs();
        requireOk( cullet().getStatus() ); // Bullet's interface does not report errors
    }

    Tolerance boxTolerance() const override
    {
        return { 0, float( gDbvtMargin ), marginRounding };
    }

    std::optional<double> cacheMs() const override
    {
        return cullet().getCacheMs();
    }

    const cltBroadphase* core() const override
    {
        return cullet().getCore();
    }

private:
    const CulletBroadphase& cullet() const
    {
        return static_cast<const CulletBroadphase&>( *m_broadphase );
    }
};

} // namespace

std::unique_ptr<btBroadphaseInterface> createDbvt( const StreamInfo&, const cltBroadphaseDef& )
{
    return std::make_unique<btDbvtBroadphase>();
}

std::unique_ptr<btBroadphaseInterface> createDeferredDbvt( const StreamInfo&, const cltBroadphaseDef& )
{
    auto broadphase = std::make_unique<btDbvtBroadphase>();
    broadphase->m_deferedcollide = true;
    return broadphase;
}

std::unique_ptr<btBroadphaseInterface> createSweep( const StreamInfo& info, const cltBroadphaseDef& )
{
    const btVector3 margin( sweepMargin, sweepMargin, sweepMargin );
    // The sweep's optional tree for rays is left out, as it does not take part in finding pairs.
    const bool noRayTree = true;
    return std::make_unique<bt32BitAxisSweep3>( info.lowestCenter - margin, info.highestCenter + margin, info.mostAlive,
                                                nullptr, noRayTree );
}

std::unique_ptr<btBroadphaseInterface> createSimple( const StreamInfo& info, const cltBroadphaseDef& )
{
    return std::make_unique<btSimpleBroadphase>( int( info.mostAlive ) );
}

std::unique_ptr<btBroadphaseInterface> createCullet( const StreamInfo&, const cltBroadphaseDef& core )
{
    auto broadphase = std::make_unique<CulletBroadphase>( core );
    requireOk( broadphase->getCreationStatus() );
    return broadphase;
}

std::unique_ptr<btBroadphaseInterface> createBroadphase( const EngineKind& kind, const StreamInfo& info,
                                                         cltBroadphaseDef core )
{
    core.algorithm = kind.algorithm;
    return kind.createBroadphase( info, core );
}

std::unique_ptr<Engine> createEngine( const EngineKind& kind, const StreamInfo& info, cltBroadphaseDef core )
{
    core.algorithm = kind.algorithm;
    switch ( kind.family )
    {
    case Family::bullet:
        return std::make_unique<BulletEngine>( info, kind.createBroadphase( info, core ) );
    case Family::plugin:
        return std::make_unique<PluginEngine>( info, kind.createBroadphase( info, core ) );
    default:
        return kind.createEngine( info, core );
    }
}

} // namespace cullet::compare
