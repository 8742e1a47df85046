// SPDX-License-Identifier: Zlib
/// \file core_engine.cpp
/// One cltBroadphase_MoveProxies for boxes set in a row, one cltBroadphase_Update for the pairs. The full list of pairs
/// is part of an update for those who want it, and is fetched for the others between the timed sections only. A ray of
/// Bullet's is a segment here; those that sweep a box, and those whose direction and length do not fit their end, are
/// left out.
#include "core_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace cullet::compare
{

namespace
{

/// The C API casts in double and counts touching, Bullet's formula in float and does not.
constexpr float rayTolerance = 1e-3f;
constexpr float relativeRayTolerance = 1e-5f;

class CoreEngine : public Engine
{
public:
    explicit CoreEngine( const EngineRequest& request )
        : m_threads( request.core.threads ), m_core( createCore( coreDef( request.core, clt_algorithmAuto ) ) )
    {
    }

    /// While nothing has been destroyed the proxies are numbered as the slots are (cltBroadphase_CreateProxies).
    void change( const Batch& batch, const Calls& calls ) override
    {
        m_addsUp = m_addsUp && ( calls.kind == EventKind::create || calls.kind == EventKind::move );
        if ( calls.kind == EventKind::destroy )
        {
            nameProxies();
        }
        const std::size_t first = calls.first;
        if ( m_slots.empty() && calls.kind == EventKind::create )
        {
            requireOk( cltBroadphase_CreateProxies( m_core.get(), calls.count(), &batch.boxes[first],
                                                    &batch.filters[first], nullptr, nullptr ) );
            m_createdCount += std::uint32_t( calls.count() );
        }
        else if ( m_slots.empty() && calls.kind == EventKind::move )
        {
            requireOk( cltBroadphase_MoveProxies( m_core.get(), calls.count(), batch.slots.data() + first,
                                                  batch.boxes.data() + first ) );
        }
        else
        {
            changeOneByOne( batch, calls );
        }
    }

    void findPairs() override
    {
        requireOk( cltBroadphase_Update( m_core.get(), &m_changes ) );
        m_addsUp = m_addsUp && m_updatesUnasked++ == 0;
    }

    void castRay( const RayCall& ray, Hits& hits ) override
    {
        if ( !casts( ray ) )
        {
            return;
        }
        const double from[3] = { ray.origin.x(), ray.origin.y(), ray.origin.z() };
        const double to[3] = { ray.target.x(), ray.target.y(), ray.target.z() };
        Query query = { *this, hits };
        requireOk( cltBroadphase_CastRay( m_core.get(), from, to, addCastHit, &query ) );
    }

    void queryBox( const Batch& batch, std::size_t call, Hits& hits ) override
    {
        Query query = { *this, hits };
        requireOk( cltBroadphase_QueryBox( m_core.get(), &batch.boxes[call], addBoxHit, &query ) );
    }

    bool casts( const RayCall& ray ) const override
    {
        return ray.isSegment;
    }

    Slack raySlack( const RayCall& ray ) const override
    {
        const float tolerance = rayTolerance + relativeRayTolerance * ray.length;
        return { tolerance, tolerance, relativeRayTolerance };
    }

    Slack boxSlack() const override
    {
        return exactly;
    }

    PairSet pairs() override
    {
        const PairList list = listPairs();
        PairSet result = pairSet( list.pairs, list.count );
        std::sort( result.begin(), result.end() );
        return result;
    }

    std::string wrongChanges( const PairSet& expected ) override;

    UpdateMs updateMs() const override
    {
        return coreUpdateMs( *m_core );
    }

    EngineFacts facts() const override
    {
        return coreFacts( *m_core, m_threads, "float" );
    }

protected:
    /// Lives until the next update.
    struct PairList
    {
        const cltPair* pairs;
        std::size_t count;
    };

    PairList listPairs()
    {
        PairList list{};
        requireOk( cltBroadphase_GetPairs( m_core.get(), &list.pairs, &list.count ) );
        return list;
    }

private:
    struct Query
    {
        const CoreEngine& engine;
        Hits& hits;
    };

    static bool addBoxHit( cltProxyId proxy, std::uint64_t, void* context )
    {
        const Query& query = *static_cast<Query*>( context );
        query.hits.push_back( query.engine.slotOf( proxy ) );
        return true;
    }

    static double addCastHit( cltProxyId proxy, std::uint64_t userData, double, double maxFraction, void* context )
    {
        addBoxHit( proxy, userData, context );
        return maxFraction;
    }

    void changeOneByOne( const Batch& batch, const Calls& calls )
    {
        for ( std::size_t call = calls.first; call < calls.last; ++call )
        {
            const std::uint32_t slot = batch.slots[call];
            switch ( calls.kind )
            {
            case EventKind::create:
                create( batch, call );
                break;
            case EventKind::move:
                requireOk( cltBroadphase_MoveProxy( m_core.get(), m_proxies[slot], &batch.boxes[call] ) );
                break;
            case EventKind::filter:
                requireOk( cltBroadphase_SetFilter( m_core.get(), proxyOf( slot ), &batch.filters[call] ) );
                break;
            case EventKind::destroy:
                requireOk( cltBroadphase_DestroyProxy( m_core.get(), m_proxies[slot] ) );
                break;
            default: // resetPool: there is no such thing here
                break;
            }
        }
    }

    void create( const Batch& batch, std::size_t call )
    {
        const std::uint32_t slot = batch.slots[call];
        cltProxyId proxy = CLT_NULL_PROXY;
        requireOk( cltBroadphase_CreateProxy( m_core.get(), &batch.boxes[call], &batch.filters[call], 0, &proxy ) );
        m_proxies.resize( std::max<std::size_t>( m_proxies.size(), slot + 1 ), CLT_NULL_PROXY );
        m_slots.resize( std::max<std::size_t>( m_slots.size(), proxy + 1 ) );
        m_proxies[slot] = proxy;
        m_slots[proxy] = slot;
    }

    /// From the first destroyed proxy on their numbers have to be kept.
    void nameProxies()
    {
        if ( m_slots.empty() )
        {
            m_proxies.resize( m_createdCount );
            std::iota( m_proxies.begin(), m_proxies.end(), 0 );
            m_slots = m_proxies;
        }
    }

    cltProxyId proxyOf( std::uint32_t slot ) const
    {
        return m_proxies.empty() ? slot : m_proxies[slot];
    }

    std::uint32_t slotOf( cltProxyId proxy ) const
    {
        return m_slots.empty() ? proxy : m_slots[proxy];
    }

    PairSet pairSet( const cltPair* pairs, std::size_t count ) const
    {
        PairSet result( count );
        std::transform( pairs, pairs + count, result.begin(),
                        [this]( const cltPair& pair )
                        { return pairKey( slotOf( pair.proxyA ), slotOf( pair.proxyB ) ); } );
        return result;
    }

    int m_threads;
    CorePointer m_core;
    std::uint32_t m_createdCount = 0;
    std::vector<cltProxyId> m_proxies;  ///< by slot; empty while nothing has been destroyed
    std::vector<std::uint32_t> m_slots; ///< by proxy; the same
    cltPairChanges m_changes{};
    PairSet m_accumulated; ///< all that began and did not end
    bool m_addsUp = true;  ///< nothing was destroyed or filtered, which changes say nothing of, nor any change missed
    int m_updatesUnasked = 0; ///< updates since wrongChanges
};

std::string CoreEngine::wrongChanges( const PairSet& expected )
{
    m_updatesUnasked = 0;
    if ( !m_addsUp )
    {
        return {};
    }
    const PairSet began = pairSet( m_changes.began, m_changes.beganCount );
    const PairSet ended = pairSet( m_changes.ended, m_changes.endedCount );
    if ( !std::is_sorted( began.begin(), began.end() ) || !std::is_sorted( ended.begin(), ended.end() ) )
    {
        return "reports its changes out of order";
    }
    const PairSet endedUnknown = difference( ended, m_accumulated );
    const PairSet kept = difference( m_accumulated, ended );
    const PairSet beganTwice = difference( began, difference( began, m_accumulated ) );
    m_accumulated.clear();
    std::merge( kept.begin(), kept.end(), began.begin(), began.end(), std::back_inserter( m_accumulated ) );
    if ( !endedUnknown.empty() )
    {
        return fmt::format( "ended {}, which was no pair", pairName( endedUnknown.front() ) );
    }
    if ( !beganTwice.empty() )
    {
        return fmt::format( "began {}, which was a pair already", pairName( beganTwice.front() ) );
    }
    const std::string wrong = firstWrongPair( m_accumulated, expected, true );
    return wrong.empty() ? wrong : "its changes added up: " + wrong;
}

class FullCoreEngine : public CoreEngine
{
public:
    using CoreEngine::CoreEngine;

    void findPairs() override
    {
        CoreEngine::findPairs();
        listPairs();
    }
};

} // namespace

std::unique_ptr<Engine> createCoreEngine( const EngineRequest& request )
{
    return std::make_unique<CoreEngine>( request );
}

std::unique_ptr<Engine> createFullCoreEngine( const EngineRequest& request )
{
    return std::make_unique<FullCoreEngine>( request );
}

} // namespace cullet::compare
