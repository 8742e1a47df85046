// SPDX-License-Identifier: Zlib
/// \file core_engine.cpp
/// One cltBroadphase_MoveProxies for all boxes of a step, one cltBroadphase_Update for its pairs. The full list of
/// pairs is part of a step for those who want it, and is fetched for the others between the timed sections only.
#include "core_engine.h"

#include "core_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace cullet::compare
{

namespace
{

struct DestroyBroadphase
{
    void operator()( cltBroadphase* broadphase ) const
    {
        cltDestroyBroadphase( broadphase );
    }
};

PairSet pairSet( const cltPair* pairs, std::size_t count )
{
    PairSet result( count );
    std::transform( pairs, pairs + count, result.begin(),
                    []( const cltPair& pair ) { return pairKey( pair.proxyA, pair.proxyB ); } );
    return result;
}

class CoreEngine : public Engine
{
public:
    explicit CoreEngine( const EngineRequest& request ) : m_scene( request.scene ), m_threads( request.core.threads )
    {
        const cltBroadphaseDef def = coreDef( request.core, clt_algorithmAuto );
        cltBroadphase* broadphase = nullptr;
        requireOk( cltCreateBroadphase( &def, &broadphase ) );
        m_broadphase.reset( broadphase );
    }

    /// Nothing is ever destroyed here, so the proxies get the indexes of their boxes (cltBroadphase_CreateProxies).
    void insert( std::uint32_t first, std::uint32_t last ) override
    {
        requireOk( cltBroadphase_CreateProxies( m_broadphase.get(), last - first, m_scene.boxes + first,
                                                m_scene.filters + first, nullptr, nullptr ) );
    }

    void setBoxes( const Moves& moves ) override
    {
        requireOk(
            cltBroadphase_MoveProxies( m_broadphase.get(), moves.count(), moves.bodies(), moves.boxes().data() ) );
    }

    void findPairs() override
    {
        requireOk( cltBroadphase_Update( m_broadphase.get(), &m_changes ) );
    }

    PairSet pairs() override
    {
        const PairList list = listPairs();
        return pairSet( list.pairs, list.count );
    }

    std::string wrongChanges( const PairSet& expected ) override;

    std::optional<DeviceMs> deviceMs() const override
    {
        return coreDeviceMs( *m_broadphase );
    }

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
    const cltScene& m_scene;
    int m_threads;
    std::unique_ptr<cltBroadphase, DestroyBroadphase> m_broadphase;
    cltPairChanges m_changes{};
    PairSet m_accumulated; ///< all that began and did not end
};

std::string CoreEngine::wrongChanges( const PairSet& expected )
{
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
