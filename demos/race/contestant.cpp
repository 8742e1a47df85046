// SPDX-License-Identifier: Zlib
/// \file contestant.cpp
/// Times an engine and keeps it inside its budget. Everything between two stopwatches is the engine's own work.
#include "contestant.h"

#include "demos/report/timing.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

constexpr double trustedMs = 500;             // spent on inserting before it is extrapolated; less would be noise
constexpr std::uint32_t probeBodies = 4000;   // 8e6 pairs: long enough to time, short enough not to notice
constexpr std::uint32_t cheapBodies = 20'000; // 2e8 pairs: about a second or two at worst

template <typename Work>
double millisecondsOf( const Work& work )
{
    double milliseconds = 0;
    {
        const Stopwatch stopwatch( milliseconds );
        work();
    }
    return milliseconds;
}

/// How long a step takes an engine that tests all pairs: measured on fewer bodies, and scaled with the square of their
/// number; 0 when there are so few that trying is cheaper than asking.
double predictStepMs( const EngineKind& kind, const CoreChoice& core, std::uint32_t bodies )
{
    if ( !kind.slowSteps || bodies <= cheapBodies )
    {
        return 0;
    }
    SceneStream stream( { clt_sceneBrownian, probeBodies, 100, 1, CLT_SCENE_SEED, 0 }, {} );
    Batch batch;
    stream.next( batch );
    const Course& course = stream.course();
    const std::unique_ptr<Engine> engine =
        kind.create( { core, course.mostAlive, course.lowestCenter, course.highestCenter } );
    for ( const Calls& calls : batch.calls )
    {
        engine->change( batch, calls );
    }
    const double growth = double( bodies ) / probeBodies;
    return millisecondsOf( [&] { engine->findPairs(); } ) * growth * growth;
}

} // namespace

Contestant::Contestant( const Entrant& entrant, const Course& course, const CoreChoice& core, double capSeconds )
    : m_entrant( entrant ), m_request{ core, course.mostAlive, course.lowestCenter, course.highestCenter },
      m_leftMs( 1e3 * capSeconds )
{
    const double expectedMs = predictStepMs( entrant.kind, core, course.mostAlive );
    if ( !affords( expectedMs ) )
    {
        m_capped = fmt::format( "not started, one step would take about {:.0f} s", 1e-3 * expectedMs );
    }
}

bool Contestant::affords( double milliseconds ) const
{
    return milliseconds <= m_leftMs;
}

bool Contestant::mayGoOn( double milliseconds, std::uint64_t step )
{
    const bool isInserting = step == 0; // then it is lookAhead's affair
    if ( running() && !isInserting && !affords( milliseconds ) )
    {
        m_capped = fmt::format( "stopped after {} steps, {} of them timed", step - 1, m_totalMs.size() );
    }
    return running();
}

void Contestant::play( const Batch& batch, bool isTimed )
{
    m_hits.clear();
    if ( !mayGoOn( m_lastStepMs, batch.step ) )
    {
        return;
    }
    if ( !m_engine )
    {
        m_engine = m_entrant.kind.create( m_request );
    }
    if ( batch.isOfLastStep && m_isStarted && !m_knowsPairsBefore )
    {
        m_pairsBefore = m_engine->pairs();
        m_knowsPairsBefore = true;
    }
    for ( const Calls& calls : batch.calls )
    {
        if ( !mayGoOn( 0, batch.step ) )
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
    const double spentMs = millisecondsOf( [&] { m_engine->change( batch, calls ); } );
    m_stepMs.set += spentMs;
    m_leftMs -= spentMs;
    if ( calls.kind == EventKind::create )
    {
        m_stepMs.insertion += spentMs;
        lookAhead( calls.count(), spentMs );
    }
}

/// Whether inserting the rest will fit into the budget.
void Contestant::lookAhead( std::size_t created, double milliseconds )
{
    m_createdCount += created;
    m_creationMs += milliseconds;
    const std::uint32_t count = m_request.mostAlive;
    const double growth = double( count ) / double( m_createdCount );
    const double wholeMs = m_creationMs * ( m_entrant.kind.slowInsertion ? growth * growth : growth );
    if ( m_creationMs > trustedMs && !affords( wholeMs - m_creationMs ) )
    {
        m_capped = fmt::format( "inserted {} of {} boxes, all would take about {:.0f} s", m_createdCount, count,
                                1e-3 * wholeMs );
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
    m_stepMs.hasQueries = true;
    m_stepMs.query += spentMs;
    m_leftMs -= spentMs;
}

void Contestant::findPairs( bool isTimed )
{
    const double pairsMs = millisecondsOf( [this] { m_engine->findPairs(); } );
    m_leftMs -= pairsMs;
    if ( isTimed )
    {
        noteTimes( pairsMs );
    }
    m_lastStepMs = m_stepMs.set - m_stepMs.insertion + pairsMs;
    m_stepMs = {};
    m_isStarted = true;
}

void Contestant::noteTimes( double pairsMs )
{
    const UpdateMs update = m_engine->updateMs();
    m_setMs.push_back( m_stepMs.set );
    m_pairsMs.push_back( pairsMs );
    m_totalMs.push_back( m_stepMs.set + m_stepMs.query + pairsMs );
    addIfKnown( m_cacheMs, update.cache );
    addIfKnown( m_kernelMs, update.kernels );
    addIfKnown( m_updateMs, update.update );
    if ( m_stepMs.hasQueries )
    {
        m_queryMs.push_back( m_stepMs.query );
    }
}

void Contestant::checkQuery( const Batch& batch, const Calls& calls, std::size_t call, std::size_t query,
                             const Model& model )
{
    if ( calls.kind == EventKind::boxQuery )
    {
        noteWrong( model.wrongBoxHits( batch.boxes[call], m_hits[query], m_engine->boxSlack() ), batch.step );
        return;
    }
    const RayCall& ray = batch.rays[batch.slots[call]];
    if ( ray.isSound && m_engine->casts( ray ) )
    {
        noteWrong( model.wrongRayHits( ray, m_hits[query], m_engine->raySlack( ray ) ), batch.step );
    }
}

void Contestant::checkPairs( const Model& model, const ExpectedPairs& expected, std::uint64_t step )
{
    noteWrong( model.wrongPairs( m_engine->pairs(), expected, m_entrant.kind.exact ), step );
    noteWrong( m_engine->wrongChanges( expected.required ), step );
    m_isChecked = true;
}

/// The first thing found wrong is kept.
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
    run.setMs = medianIfAny( m_setMs );
    run.pairsMs = medianIfAny( m_pairsMs );
    run.cacheMs = medianIfAny( m_cacheMs );
    run.kernelMs = medianIfAny( m_kernelMs );
    run.updateMs = medianIfAny( m_updateMs );
    run.queryMs = medianIfAny( m_queryMs );
    run.totalMs = medianIfAny( m_totalMs );
    run.steps = m_totalMs.size();
    run.checked = m_isChecked && m_wrong.empty();
    run.facts.threads = m_entrant.threads;
    if ( !m_isStarted )
    {
        return run;
    }
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
