// SPDX-License-Identifier: Zlib
/// \file bullet_engine.cpp
/// Translates batches into Bullet's calls. Each broadphase uses its default pair cache.
#include "bullet_engine.h"

#include "core_engine.h"

#include "BulletCollision/BroadphaseCollision/btAxisSweep3.h"
#include "BulletCollision/BroadphaseCollision/btDbvtBroadphase.h"
#include "BulletCollision/BroadphaseCollision/btSimpleBroadphase.h"

#include <algorithm>
#include <limits>

namespace cullet::compare
{

namespace
{

/// Margin of the sweep's bounds around the bodies' centers: more than the size of the largest moving body and the
/// highest start. Boxes beyond the bounds are clamped to them, so that no pair is lost.
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

class BulletEngine : public Engine
{
public:
    BulletEngine( const Course& course, const std::shared_ptr<btBroadphaseInterface>& broadphase )
        : m_broadphase( broadphase ), m_proxies( course.mostAlive, nullptr )
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
            switch ( calls.kind )
            {
            case EventKind::create:
                m_proxies[slot] = create( batch, call );
                break;
            case EventKind::move:
                m_broadphase->setAabb( m_proxies[slot], batch.bulletBoxes[call].lower, batch.bulletBoxes[call].upper,
                                       nullptr );
                break;
            case EventKind::filter: // edits the proxy in place, as recorded programs do
                m_proxies[slot]->m_collisionFilterGroup = batch.filters[call].group;
                m_proxies[slot]->m_collisionFilterMask = batch.filters[call].mask;
                break;
            case EventKind::destroy:
                m_broadphase->destroyProxy( m_proxies[slot], nullptr );
                m_proxies[slot] = nullptr;
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

    void castRay( const RayCall& ray, Hits& hits ) override
    {
        Collect<btBroadphaseRayCallback> callback( hits );
        callback.m_rayDirectionInverse = ray.inverseDirection;
        callback.m_lambda_max = ray.length;
        std::copy( std::begin( ray.signs ), std::end( ray.signs ), callback.m_signs );
        m_broadphase->rayTest( ray.origin, ray.target, callback, ray.swept.lower, ray.swept.upper );
    }

    void queryBox( const Batch& batch, std::size_t call, Hits& hits ) override
    {
        Collect<btBroadphaseAabbCallback> callback( hits );
        m_broadphase->aabbTest( batch.bulletBoxes[call].lower, batch.bulletBoxes[call].upper, callback );
    }

    std::optional<Tolerance> rayTolerance( const RayCall& ray ) const override
    {
        return ray.isSound ? std::optional<Tolerance>( boxTolerance() ) : std::nullopt;
    }

    /// Any proxy may be reported. btDbvtBroadphase has fat boxes, and the two others pass every proxy to a ray's
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

private:
    btBroadphaseProxy* create( const Batch& batch, std::size_t call )
    {
        const BulletBox& box = batch.bulletBoxes[call];
        const cltFilter& filter = batch.filters[call];
        return m_broadphase->createProxy( box.lower, box.upper, 0, clientOf( batch.slots[call] ), filter.group,
                                          filter.mask, nullptr );
    }

    std::shared_ptr<btBroadphaseInterface> m_broadphase;
    std::vector<btBroadphaseProxy*> m_proxies; ///< by slot; may be NULL
};

/// CulletBroadphase: knows its core, and its queries may exceed the boxes by the margin only.
class PluginEngine : public BulletEngine
{
public:
    PluginEngine( const Course& course, const std::shared_ptr<CulletBroadphase>& cullet )
        : BulletEngine( course, cullet ), m_cullet( cullet )
    {
    }

    void findPairs() override
    {
        BulletEngine::findPairs();
        requireOk( m_cullet->getStatus() ); // Bullet's interface has no place for errors
    }

    Tolerance boxTolerance() const override
    {
        return { 0, float( gDbvtMargin ), marginRounding };
    }

    std::optional<double> cacheMs() const override
    {
        return m_cullet->getCacheMs();
    }

    const cltBroadphase* core() const override
    {
        return m_cullet->getCore();
    }

private:
    std::shared_ptr<CulletBroadphase> m_cullet;
};

} // namespace

std::unique_ptr<Engine> createDbvtEngine( const Course& course, const cltBroadphaseDef& )
{
    return std::make_unique<BulletEngine>( course, std::make_shared<btDbvtBroadphase>() );
}

std::unique_ptr<Engine> createDeferredDbvtEngine( const Course& course, const cltBroadphaseDef& )
{
    const auto broadphase = std::make_shared<btDbvtBroadphase>();
    broadphase->m_deferedcollide = true;
    return std::make_unique<BulletEngine>( course, broadphase );
}

std::unique_ptr<Engine> createSweepEngine( const Course& course, const cltBroadphaseDef& )
{
    const btVector3 margin( sweepMargin, sweepMargin, sweepMargin );
    // The sweep's optional tree for rays is left out, as it does not take part in finding pairs.
    const bool noRayTree = true;
    return std::make_unique<BulletEngine>(
        course, std::make_shared<bt32BitAxisSweep3>( course.lowestCenter - margin, course.highestCenter + margin,
                                                     course.mostAlive, nullptr, noRayTree ) );
}

std::unique_ptr<Engine> createSimpleEngine( const Course& course, const cltBroadphaseDef& )
{
    return std::make_unique<BulletEngine>( course, std::make_shared<btSimpleBroadphase>( int( course.mostAlive ) ) );
}

std::unique_ptr<CulletBroadphase> createCullet( const cltBroadphaseDef& core )
{
    auto broadphase = std::make_unique<CulletBroadphase>( core );
    requireOk( broadphase->getCreationStatus() );
    return broadphase;
}

std::unique_ptr<Engine> createPluginEngine( const Course& course, const cltBroadphaseDef& core )
{
    return std::make_unique<PluginEngine>( course, createCullet( core ) );
}

} // namespace cullet::compare
