// SPDX-License-Identifier: Zlib
/// \file contestant.cpp
/// Times an engine and keeps it inside its budget. Everything between two stopwatches is the engine's own work.
#include "contestant.h"

#include "median.h"
#include "prediction.h"

#include "demos/world/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

using demo::Stopwatch;

constexpr std::uint32_t insertionPart = 1024; // boxes between two looks at the clock
constexpr double trustedInsertionMs = 500;    // before that an extrapolation would be noise

} // namespace

Contestant::Contestant( const EngineKind& kind, const EngineRequest& request, double capSeconds )
    : m_kind( kind ), m_request( request ), m_budget( capSeconds )
{
}

bool Contestant::start()
{
    if ( m_kind.slowSteps )
    {
        const double expectedMs = predictFirstStepMs( m_kind, m_request );
        if ( !m_budget.affords( expectedMs ) )
        {
            m_capped = fmt::format( "not started, one step would take about {:.0f} s", 1e-3 * expectedMs );
            return false;
        }
    }
    m_engine = m_kind.create( m_request );
    if ( !insertAll() )
    {
        return false;
    }
    findFirstPairs();
    m_started = true;
    return true;
}

bool Contestant::insertAll()
{
    const std::uint32_t count = m_request.scene.boxCount;
    double spentMs = 0;
    for ( std::uint32_t first = 0; first < count; first += insertionPart )
    {
        const std::uint32_t last = std::min( count, first + insertionPart );
        double partMs = 0;
        {
            const Stopwatch stopwatch( partMs );
            m_engine->insert( first, last );
        }
        spentMs += partMs;
        m_budget.spend( partMs );
        const double growth = double( count ) / double( last );
        const double wholeMs = spentMs * ( m_kind.slowInsertion ? growth * growth : growth );
        if ( spentMs > trustedInsertionMs && !m_budget.affords( wholeMs - spentMs ) )
        {
            m_capped =
                fmt::format( "inserted {} of {} boxes, all would take about {:.0f} s", last, count, 1e-3 * wholeMs );
            return false;
        }
    }
    return true;
}

void Contestant::findFirstPairs()
{
    {
        const Stopwatch stopwatch( m_lastStepMs );
        m_engine->findPairs();
    }
    m_budget.spend( m_lastStepMs );
}

bool Contestant::step( const Moves& moves, int step, bool timed )
{
    if ( !m_budget.affords( m_lastStepMs ) )
    {
        m_capped = fmt::format( "stopped after {} steps, {} of them timed", step - 1, m_totalMs.size() );
        return false;
    }
    double setMs = 0, pairsMs = 0;
    {
        const Stopwatch stopwatch( setMs );
        m_engine->setBoxes( moves );
    }
    {
        const Stopwatch stopwatch( pairsMs );
        m_engine->findPairs();
    }
    m_lastStepMs = setMs + pairsMs;
    m_budget.spend( m_lastStepMs );
    if ( timed )
    {
        m_setMs.push_back( setMs );
        m_pairsMs.push_back( pairsMs );
        m_totalMs.push_back( m_lastStepMs );
        addIfKnown( m_cacheMs, m_engine->cacheMs() );
        noteDeviceMs();
    }
    return true;
}

void Contestant::noteDeviceMs()
{
    if ( const std::optional<DeviceMs> ms = m_engine->deviceMs() )
    {
        addIfKnown( m_kernelMs, ms->kernels );
        m_updateMs.push_back( ms->update );
    }
}

void Contestant::check( const PairSet& expected, int step )
{
    std::string wrong = firstWrongPair( m_engine->pairs(), expected, m_kind.exact );
    if ( wrong.empty() )
    {
        wrong = m_engine->wrongChanges( expected );
    }
    if ( m_wrong.empty() && !wrong.empty() )
    {
        m_wrong = fmt::format( "step {}: {}", step, wrong );
    }
}

void Contestant::notePairsBefore()
{
    m_pairsBefore = m_engine->pairs();
    m_knowsPairsBefore = true;
}

Run Contestant::result( bool checked )
{
    Run run;
    run.engine = m_kind.name;
    run.capped = m_capped;
    run.wrong = m_wrong;
    run.setMs = medianIfAny( m_setMs );
    run.pairsMs = medianIfAny( m_pairsMs );
    run.cacheMs = medianIfAny( m_cacheMs );
    run.kernelMs = medianIfAny( m_kernelMs );
    run.updateMs = medianIfAny( m_updateMs );
    run.totalMs = medianIfAny( m_totalMs );
    run.steps = m_totalMs.size();
    run.facts.threads = m_request.core.threads;
    if ( !m_started )
    {
        return run;
    }
    run.checked = checked && m_wrong.empty();
    run.facts = m_engine->facts();
    const PairSet pairs = m_engine->pairs();
    run.pairs = pairs.size();
    if ( m_knowsPairsBefore && running() )
    {
        run.began = difference( pairs, m_pairsBefore ).size();
        run.ended = difference( m_pairsBefore, pairs ).size();
    }
    return run;
}

} // namespace cullet::compare
