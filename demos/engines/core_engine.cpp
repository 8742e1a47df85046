// SPDX-License-Identifier: Zlib
/// \file core_engine.cpp
/// Makes one call of the C API for consecutive calls of one kind, and finds the pairs with cltBroadphase_Update. The
/// list of all pairs is fetched in the timed section by engine `core-full`, outside of it by engine `core`. Casts
/// Bullet's rays as segments. Skips rays that sweep a box or do not end at the target.
#include "core_engine.h"

#include "demos/oracle/oracle.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace cullet::compare
{

namespace
{

/// The C API computes rays in double and reports touching; Bullet's formula uses float and does not report touching.
constexpr float absoluteRayTolerance = 1e-3f;
constexpr float relativeRayTolerance = 1e-5f;

class CoreEngine : public Engine
{
public:
    /// \param isFull  true: findPairs also fetches the list of all pairs
    CoreEngine( const StreamInfo& info, const cltBroadphaseDef& core, bool isFull )
        : m_isFull( isFull ), m_mostAlive( info.mostAlive ), m_core( createCore( core ) )
    {
    }

    void change( const Batch& batch, const Calls& calls ) override
    {
        m_addsUp = m_addsUp && ( calls.kind == EventKind::create || calls.kind == EventKind::move );
        const cltProxyId* proxies = proxiesOf( batch, calls );
        switch ( calls.kind )
        {
        case EventKind::create:
            create( batch, calls );
            break;
        case EventKind::move:
            requireOk(
                cltBroadphase_MoveProxies( m_core.get(), calls.count(), proxies, batch.boxes.data() + calls.first ) );
            break;
        case EventKind::filter:
            requireOk(
                cltBroadphase_SetFilters( m_core.get(), calls.count(), proxies, batch.filters.data() + calls.first ) );
            break;
        case EventKind::destroy:
            startMapping();
            requireOk( cltBroadphase_DestroyProxies( m_core.get(), calls.count(), proxies ) );
            break;
        default: // resetPool, which the C API does not have
            break;
        }
    }

    void findPairs() override
    {
        requireOk( cltBroadphase_Update( m_core.get(), &m_changes ) );
        if ( m_isFull )
        {
            listPairs();
        }
        m_addsUp = m_addsUp && m_updatesUnasked++ == 0;
    }

    void castRay( const RayCall& ray, Hits& hits ) override
    {
        if ( !ray.isSegment )
        {
            return;
        }
        const double from[3] = { ray.origin.x(), ray.origin.y(), ray.origin.z() };
        const double to[3] = { ray.target.x(), ray.target.y(), ray.target.z() };
        Query query( *this, hits );
        requireOk( cltBroadphase_CastRay( m_core.get(), from, to, addCastHit, &query ) );
    }

    void queryBox( const Batch& batch, std::size_t call, Hits& hits ) override
    {
        Query query( *this, hits );
        requireOk( cltBroadphase_QueryBox( m_core.get(), &batch.boxes[call], addBoxHit, &query ) );
    }

    std::optional<Tolerance> rayTolerance( const RayCall& ray ) const override
    {
        const float tolerance = absoluteRayTolerance + relativeRayTolerance * ray.length;
        return ray.isSegment ? std::optional<Tolerance>( { tolerance, tolerance, relativeRayTolerance } )
                             : std::nullopt;
    }

    Tolerance boxTolerance() const override
    {
        return { 0, 0, 0 };
    }

    PairSet pairs() override
    {
        const auto [pairs, count] = listPairs();
        PairSet result = pairSet( pairs, count );
        std::sort( result.begin(), result.end() );
        return result;
    }

    std::string wrongChanges( const PairSet& expected ) override;

    const cltBroadphase* core() const override
    {
        return m_core.get();
    }

private:
    using Query = std::pair<const CoreEngine&, Hits&>; ///< the context of callbacks

    static bool addBoxHit( cltProxyId proxy, std::uint64_t, void* context )
    {
        const auto& [engine, hits] = *static_cast<Query*>( context );
        hits.push_back( engine.slotOf( proxy ) );
        return true;
    }

    static double addCastHit( cltProxyId proxy, std::uint64_t userData, double, double maxFraction, void* context )
    {
        addBoxHit( proxy, userData, context );
        return maxFraction;
    }

    void create( const Batch& batch, const Calls& calls )
    {
        const std::size_t first = calls.first;
        const bool areNamed = !m_slots.empty();
        m_callProxies.resize( areNamed ? calls.count() : 0 );
        requireOk( cltBroadphase_CreateProxies( m_core.get(), calls.count(), &batch.boxes[first], &batch.filters[first],
                                                nullptr, areNamed ? m_callProxies.data() : nullptr ) );
        for ( std::size_t k = 0; k < m_callProxies.size(); ++k )
        {
            m_slots.resize( std::max<std::size_t>( m_slots.size(), m_callProxies[k] + 1 ) );
            m_slots[m_callProxies[k]] = batch.slots[first + k];
            m_proxies[batch.slots[first + k]] = m_callProxies[k];
        }
    }

    /// Starts to map slots to proxies. Until the first destruction their numbers are equal
    /// (cltBroadphase_CreateProxies).
    void startMapping()
    {
        if ( m_slots.empty() )
        {
            m_slots.resize( m_mostAlive );
            std::iota( m_slots.begin(), m_slots.end(), 0 );
            m_proxies = m_slots;
        }
    }

    const cltProxyId* proxiesOf( const Batch& batch, const Calls& calls )
    {
        const std::uint32_t* slots = batch.slots.data() + calls.first;
        if ( m_slots.empty() || calls.kind == EventKind::create )
        {
            return slots;
        }
        m_callProxies.resize( calls.count() );
        std::transform( slots, slots + calls.count(), m_callProxies.begin(),
                        [this]( std::uint32_t slot ) { return m_proxies[slot]; } );
        return m_callProxies.data();
    }

    std::uint32_t slotOf( cltProxyId proxy ) const
    {
        return m_slots.empty() ? proxy : m_slots[proxy];
    }

    std::pair<const cltPair*, std::size_t> listPairs()
    {
        const cltPair* pairs = nullptr;
        std::size_t count = 0;
        requireOk( cltBroadphase_GetPairs( m_core.get(), &pairs, &count ) );
        return { pairs, count };
    }

    PairSet pairSet( const cltPair* pairs, std::size_t count ) const
    {
        PairSet result( count );
        std::transform( pairs, pairs + count, result.begin(),
                        [this]( const cltPair& pair )
                        { return pairKey( slotOf( pair.proxyA ), slotOf( pair.proxyB ) ); } );
        return result;
    }

    bool m_isFull;
    std::uint32_t m_mostAlive;
    CorePointer m_core;
    std::vector<cltProxyId> m_proxies;     ///< by slot; empty until the first destruction
    std::vector<std::uint32_t> m_slots;    ///< by proxy; empty until the first destruction
    std::vector<cltProxyId> m_callProxies; ///< scratch: the proxies of a group of calls
    cltPairChanges m_changes{};
    ReportedPairs m_reported;
    bool m_addsUp = true;     ///< reported changes add up to all pairs: no destruction, filter edit, missed update yet
    int m_updatesUnasked = 0; ///< updates since the last call of wrongChanges
};

std::string CoreEngine::wrongChanges( const PairSet& expected )
{
    m_updatesUnasked = 0;
    if ( !m_addsUp )
    {
        return {};
    }
    const std::string wrong = m_reported.add( pairSet( m_changes.began, m_changes.beganCount ),
                                              pairSet( m_changes.ended, m_changes.endedCount ) );
    if ( !wrong.empty() )
    {
        return wrong;
    }
    const std::string wrongSum = firstWrongPair( m_reported.pairs(), expected, true );
    return wrongSum.empty() ? wrongSum : "its changes added up: " + wrongSum;
}

} // namespace

std::unique_ptr<Engine> createCoreEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<CoreEngine>( info, core, false );
}

std::unique_ptr<Engine> createFullCoreEngine( const StreamInfo& info, const cltBroadphaseDef& core )
{
    return std::make_unique<CoreEngine>( info, core, true );
}

CorePointer createCore( const cltBroadphaseDef& def )
{
    cltBroadphase* core = nullptr;
    requireOk( cltCreateBroadphase( &def, &core ) );
    return CorePointer( core, cltDestroyBroadphase );
}

cltStats coreStats( const cltBroadphase& core )
{
    cltStats stats;
    requireOk( cltBroadphase_GetStats( &core, &stats ) );
    return stats;
}

cltResearchStats coreResearchStats( const cltBroadphase& core )
{
    cltResearchStats stats;
    requireOk( cltBroadphase_GetResearchStats( &core, &stats ) );
    return stats;
}

void requireOk( cltStatus status )
{
    if ( status != clt_ok )
    {
        throw std::runtime_error( cltStatusMessage( status ) );
    }
}

} // namespace cullet::compare
