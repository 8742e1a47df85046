// SPDX-License-Identifier: Zlib
/// \file core_replay.cpp
/// Recorded calls into cullet.h. A ray of Bullet's is a segment here; those that sweep a box, and those whose direction
/// and length do not fit their end, are left out. An edited filter takes effect at once, as the C API has it.
#include "core_replay.h"

#include "core_facts.h"

#include <algorithm>

namespace cullet::compare
{

namespace
{

using recording::EventKind;

/// The C API casts in double and counts touching, Bullet's formula in float and does not.
constexpr float rayTolerance = 1e-3f;
constexpr float relativeRayTolerance = 1e-5f;

struct DestroyBroadphase
{
    void operator()( cltBroadphase* broadphase ) const
    {
        cltDestroyBroadphase( broadphase );
    }
};

using Hits = std::vector<std::uint32_t>;

class CoreReplay : public ReplayEngine
{
public:
    explicit CoreReplay( const ReplayRequest& request )
        : m_threads( request.core.threads ), m_proxies( request.mostAlive, CLT_NULL_PROXY )
    {
        const cltBroadphaseDef def = coreDef( request.core, clt_algorithmAuto );
        cltBroadphase* broadphase = nullptr;
        requireOk( cltCreateBroadphase( &def, &broadphase ) );
        m_broadphase.reset( broadphase );
    }

    void change( const ReplayCall& call ) override
    {
        switch ( call.kind )
        {
        case EventKind::create:
            requireOk( cltBroadphase_CreateProxy( m_broadphase.get(), &call.box, &call.filter, call.slot,
                                                  &m_proxies[call.slot] ) );
            break;
        case EventKind::move:
            requireOk( cltBroadphase_MoveProxy( m_broadphase.get(), m_proxies[call.slot], &call.box ) );
            break;
        case EventKind::filter:
            requireOk( cltBroadphase_SetFilter( m_broadphase.get(), m_proxies[call.slot], &call.filter ) );
            break;
        case EventKind::destroy:
            requireOk( cltBroadphase_DestroyProxy( m_broadphase.get(), m_proxies[call.slot] ) );
            break;
        default: // resetPool: there is no such thing here
            break;
        }
    }

    void findPairs() override
    {
        requireOk( cltBroadphase_Update( m_broadphase.get(), nullptr ) );
    }

    void castRay( const ReplayRay& ray, Hits& hits ) override
    {
        if ( !casts( ray ) )
        {
            return;
        }
        const double from[3] = { ray.origin.x(), ray.origin.y(), ray.origin.z() };
        const double to[3] = { ray.target.x(), ray.target.y(), ray.target.z() };
        requireOk( cltBroadphase_CastRay( m_broadphase.get(), from, to, addCastHit, &hits ) );
    }

    void queryBox( const ReplayCall& call, Hits& hits ) override
    {
        requireOk( cltBroadphase_QueryBox( m_broadphase.get(), &call.box, addBoxHit, &hits ) );
    }

    bool casts( const ReplayRay& ray ) const override
    {
        return ray.isSegment;
    }

    Slack raySlack( const ReplayRay& ray ) const override
    {
        const float tolerance = rayTolerance + relativeRayTolerance * ray.length;
        return { tolerance, tolerance, relativeRayTolerance };
    }

    Slack boxSlack() const override
    {
        return exactly;
    }

    PairSet pairs() override;

    EngineFacts facts() const override
    {
        return coreFacts( *m_broadphase, m_threads, "float" );
    }

protected:
    /// Lives until the next step.
    struct PairList
    {
        const cltPair* pairs;
        std::size_t count;
    };

    PairList listPairs()
    {
        PairList list{};
        requireOk( cltBroadphase_GetPairs( m_broadphase.get(), &list.pairs, &list.count ) );
        return list;
    }

private:
    static bool addBoxHit( cltProxyId, std::uint64_t slot, void* hits )
    {
        static_cast<Hits*>( hits )->push_back( std::uint32_t( slot ) );
        return true;
    }

    static double addCastHit( cltProxyId, std::uint64_t slot, double, double maxFraction, void* hits )
    {
        static_cast<Hits*>( hits )->push_back( std::uint32_t( slot ) );
        return maxFraction;
    }

    std::uint32_t slotOf( cltProxyId proxy ) const
    {
        std::uint64_t slot = 0;
        requireOk( cltBroadphase_GetUserData( m_broadphase.get(), proxy, &slot ) );
        return std::uint32_t( slot );
    }

    int m_threads;
    std::unique_ptr<cltBroadphase, DestroyBroadphase> m_broadphase;
    std::vector<cltProxyId> m_proxies; ///< by slot
};

PairSet CoreReplay::pairs()
{
    const PairList list = listPairs();
    PairSet result( list.count );
    std::transform( list.pairs, list.pairs + list.count, result.begin(),
                    [this]( const cltPair& pair ) { return pairKey( slotOf( pair.proxyA ), slotOf( pair.proxyB ) ); } );
    std::sort( result.begin(), result.end() );
    return result;
}

class FullCoreReplay : public CoreReplay
{
public:
    using CoreReplay::CoreReplay;

    void findPairs() override
    {
        CoreReplay::findPairs();
        listPairs();
    }
};

} // namespace

std::unique_ptr<ReplayEngine> createCoreReplay( const ReplayRequest& request )
{
    return std::make_unique<CoreReplay>( request );
}

std::unique_ptr<ReplayEngine> createFullCoreReplay( const ReplayRequest& request )
{
    return std::make_unique<FullCoreReplay>( request );
}

} // namespace cullet::compare
