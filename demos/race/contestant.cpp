// SPDX-License-Identifier: Zlib
/// \file contestant.cpp
/// Times an engine and stops it when its budget is spent. Stopwatches run during the engine's own work only.
#include "contestant.h"

#include "demos/engines/core_engine.h"
#include "demos/report/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cullet::compare
{

namespace
{

constexpr double trustedMs = 500;             // insertion time from which the total is extrapolated; less is noise
constexpr std::uint32_t probeBodies = 4000;   // 8e6 pairs: long enough to measure, and a small part of a race
constexpr std::uint32_t cheapBodies = 20'000; // 2e8 pairs: one or two seconds at most

/// Predicts a step's time for an engine that tests all pairs: measures fewer bodies and scales with the square of their
/// number.
double predictStepMs( const Entrant& entrant, EngineOptions options, std::uint32_t bodies )
{
    options.capSeconds = HUGE_VAL;
    SceneStream stream( { clt_sceneBrownian, probeBodies, 100, 1, CLT_SCENE_SEED, 0 }, {} );
    Batch batch;
    stream.next( batch );
    Contestant probe( entrant, stream.course(), options );
    probe.play( batch, true );
    const double growth = double( bodies ) / probeBodies;
    return *probe.result().ms[pairsMs] * growth * growth;
}

} // namespace

Contestant::Contestant( const Entrant& entrant, const Course& course, const EngineOptions& options )
    : m_entrant( entrant ), m_course( course ), m_core( coreDef( options, entrant.threads ) ),
      m_leftMs( 1e3 * options.capSeconds )
{
    const bool needsProbe =
        entrant.kind.slowSteps && course.mostAlive > cheapBodies; // for fewer bodies, a real step is cheaper
    const double expectedMs = needsProbe ? predictStepMs( entrant, options, course.mostAlive ) : 0;
    if ( !fitsBudget( expectedMs ) )
    {
        m_capped = fmt::format( "not started, one step would take about {:.0f} s", 1e-3 * expectedMs );
    }
}

bool Contestant::continuesWithin( double milliseconds )
{
    if ( running() && !fitsBudget( milliseconds ) )
    {
        m_capped = fmt::format( "stopped after {} timed steps", m_ms[totalMs].size() );
    }
    return running();
}

void Contestant::play( const Batch& batch, bool isTimed )
{
    m_hits.clear();
    if ( !continuesWithin( m_lastStepMs ) )
    {
        return;
    }
    if ( !m_engine )
    {
        m_engine = m_entrant.kind.create( m_course, m_core );
    }
    if ( batch.isOfLastStep && m_isStarted && !m_previousPairs )
    {
        m_previousPairs = m_engine->pairs();
    }
    for ( const Calls& calls : batch.calls )
    {
        if ( !continuesWithin( 0 ) )
        {
            return;
        }
        calls.areQueries() ? makeQueries( batch, calls ) : makeChanges( batch, calls );
    }
    if ( batch.endsStep && running() )
    {
        findPairs( isTimed );
    }
}

void Contestant::makeChanges( const Batch& batch, const Calls& calls )
{
    double spentMs = 0;
    {
        const Stopwatch stopwatch( spentMs );
        m_engine->change( batch, calls );
    }
    m_setMs += spentMs;
    m_leftMs -= spentMs;
    if ( calls.kind != EventKind::create )
    {
        return;
    }
    m_insertionMs += spentMs;
    m_createdCount += calls.count();
    m_creationMs += spentMs;
    const double growth = double( m_course.mostAlive ) / double( m_createdCount );
    const double wholeMs = m_creationMs * ( m_entrant.kind.slowInsertion ? growth * growth : growth );
    if ( m_creationMs > trustedMs && !fitsBudget( wholeMs - m_creationMs ) )
    {
        m_capped = fmt::format( "inserted {} of {} boxes, all would take about {:.0f} s", m_createdCount,
                                m_course.mostAlive, 1e-3 * wholeMs );
    }
}

void Contestant::makeQueries( const Batch& batch, const Calls& calls )
{
    double spentMs = 0;
    for ( std::size_t call = calls.first; call < calls.last; ++call )
    {
        Hits& hits = m_hits.emplace_back();
        const Stopwatch stopwatch( spentMs );
        if ( calls.kind == EventKind::ray )
        {
            m_engine->castRay( batch.rays[batch.slots[call]], hits );
        }
        else
        {
            m_engine->queryBox( batch, call, hits );
        }
    }
    m_queryMs = m_queryMs.value_or( 0 ) + spentMs;
    m_leftMs -= spentMs;
}

void Contestant::findPairs( bool isTimed )
{
    double spentMs = 0;
    {
        const Stopwatch stopwatch( spentMs );
        m_engine->findPairs();
    }
    m_leftMs -= spentMs;
    m_lastStepMs = m_setMs - m_insertionMs + spentMs;
    Times ms = partsMs( *m_engine );
    ms[setMs] = m_setMs;
    ms[pairsMs] = spentMs;
    ms[queryMs] = m_queryMs;
    ms[totalMs] = m_setMs + spentMs + m_queryMs.value_or( 0 );
    for ( std::size_t kind = 0; kind < timeKinds && isTimed; ++kind )
    {
        if ( ms[kind] )
        {
            m_ms[kind].push_back( *ms[kind] );
        }
    }
    m_setMs = m_insertionMs = 0;
    m_queryMs.reset();
    m_isStarted = true;
}

void Contestant::checkQuery( const Batch& batch, const Calls& calls, std::size_t call, std::size_t query,
                             const Model& model )
{
    const std::optional<Tolerance> tolerance = calls.kind == EventKind::ray
                                                   ? m_engine->rayTolerance( batch.rays[batch.slots[call]] )
                                                   : m_engine->boxTolerance();
    if ( tolerance )
    {
        noteWrong( model.wrongHits( batch, calls, call, m_hits[query], *tolerance ), batch.step );
    }
}

void Contestant::checkPairs( const Model& model, const ExpectedPairs& expected, std::uint64_t step )
{
    noteWrong( model.wrongPairs( m_engine->pairs(), expected, m_entrant.kind.exact ), step );
    noteWrong( m_engine->wrongChanges( expected.required ), step );
    m_isChecked = true;
}

/// Keeps the first error.
void Contestant::noteWrong( const std::string& wrong, std::uint64_t step )
{
    if ( m_wrong.empty() && !wrong.empty() )
    {
        m_wrong = fmt::format( "step {}: {}", step, wrong );
    }
}

Run Contestant::result()
{
    Run run;
    run.engine = m_entrant.kind.name;
    run.capped = m_capped;
    run.wrong = m_wrong;
    std::transform( m_ms.begin(), m_ms.end(), run.ms.begin(), medianIfAny );
    run.steps = m_ms[totalMs].size();
    run.checked = m_isChecked && m_wrong.empty();
    run.facts.threads = m_entrant.threads;
    if ( !m_isStarted )
    {
        return run;
    }
    run.facts = factsOf( *m_engine, m_entrant.threads );
    const PairSet pairs = m_engine->pairs();
    run.pairs = pairs.size();
    if ( m_previousPairs && running() && m_entrant.kind.family != Family::peer )
    {
        run.began = difference( pairs, *m_previousPairs ).size();
        run.ended = difference( *m_previousPairs, pairs ).size();
    }
    return run;
}

} // namespace cullet::compare
