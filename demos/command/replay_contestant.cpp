// SPDX-License-Identifier: Zlib
/// \file replay_contestant.cpp
/// Times calls in runs of the same kind, changes or queries. Everything between two stopwatches is the engine's own work
/// and the loop that drives it.
#include "replay_contestant.h"

#include "median.h"

#include "demos/world/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

using demo::Stopwatch;

constexpr std::ptrdiff_t callsAtATime = 1024; // between two looks at the budget
constexpr std::uint32_t cheapBodies = 20'000; // 2e8 pairs, and for an engine that tests them all …
constexpr double cheapStepMs = 2000;          // … this long at worst

double slowStepMs( std::uint32_t bodies )
{
    const double growth = double( bodies ) / cheapBodies;
    return bodies <= cheapBodies ? 0 : cheapStepMs * growth * growth;
}

} // namespace

ReplayContestant::ReplayContestant( const Entrant& entrant, const ReplayRequest& request, double capSeconds )
    : m_entrant( entrant ), m_budget( capSeconds )
{
    const double expectedMs = entrant.kind.slowSteps ? slowStepMs( request.mostAlive ) : 0;
    if ( !m_budget.affords( expectedMs ) )
    {
        m_capped = fmt::format( "not started, one step may take {:.0f} s", 1e-3 * expectedMs );
        return;
    }
    m_engine = entrant.kind.createReplay( request );
}

bool ReplayContestant::affords( double milliseconds, std::uint64_t step )
{
    if ( running() && !m_budget.affords( milliseconds ) )
    {
        m_capped = fmt::format( "stopped in step {}, {} steps timed", step, m_totalMs.size() );
    }
    return running();
}

void ReplayContestant::play( const ReplayBatch& batch, std::uint64_t step )
{
    m_hits.clear();
    Calls first = batch.calls.begin();
    while ( first != batch.calls.end() )
    {
        if ( !affords( 0, step ) )
        {
            return;
        }
        const Calls end = first + std::min( callsAtATime, batch.calls.end() - first );
        const bool queries = isQuery( *first );
        const Calls last =
            std::find_if( first, end, [=]( const ReplayCall& call ) { return isQuery( call ) != queries; } );
        if ( queries )
        {
            makeQueries( batch, first, last );
        }
        else
        {
            makeChanges( first, last );
        }
        first = last;
    }
    if ( batch.endsWithStep )
    {
        findPairs( step );
    }
}

void ReplayContestant::makeChanges( Calls first, Calls last )
{
    double spentMs = 0;
    {
        const Stopwatch stopwatch( spentMs );
        std::for_each( first, last, [this]( const ReplayCall& call ) { m_engine->change( call ); } );
    }
    m_stepSetMs += spentMs;
    m_budget.spend( spentMs );
}

void ReplayContestant::makeQueries( const ReplayBatch& batch, Calls first, Calls last )
{
    double spentMs = 0;
    for ( ; first != last; ++first )
    {
        std::vector<std::uint32_t>& hits = m_hits.emplace_back();
        const Stopwatch stopwatch( spentMs );
        if ( first->kind == recording::EventKind::ray )
        {
            m_engine->castRay( batch.rays[first->ray], hits );
        }
        else
        {
            m_engine->queryBox( *first, hits );
        }
    }
    m_stepHasQueries = true;
    m_stepQueryMs += spentMs;
    m_budget.spend( spentMs );
}

void ReplayContestant::findPairs( std::uint64_t step )
{
    if ( !affords( m_lastPairsMs, step ) )
    {
        return;
    }
    m_lastPairsMs = 0;
    {
        const Stopwatch stopwatch( m_lastPairsMs );
        m_engine->findPairs();
    }
    m_budget.spend( m_lastPairsMs );
    m_setMs.push_back( m_stepSetMs );
    if ( m_stepHasQueries )
    {
        m_queryMs.push_back( m_stepQueryMs );
    }
    m_pairsMs.push_back( m_lastPairsMs );
    addIfKnown( m_cacheMs, m_engine->cacheMs() );
    m_totalMs.push_back( m_stepSetMs + m_stepQueryMs + m_lastPairsMs );
    m_stepSetMs = 0;
    m_stepQueryMs = 0;
    m_stepHasQueries = false;
}

void ReplayContestant::checkQuery( const ReplayBatch& batch, const ReplayCall& call, std::size_t query,
                                   const ReplayModel& model, std::uint64_t step )
{
    if ( call.kind == recording::EventKind::boxQuery )
    {
        note( model.wrongBoxHits( call, m_hits[query], m_engine->boxSlack() ), step );
        return;
    }
    const ReplayRay& ray = batch.rays[call.ray];
    if ( ray.isSound && m_engine->casts( ray ) )
    {
        note( model.wrongRayHits( ray, m_hits[query], m_engine->raySlack( ray ) ), step );
    }
}

void ReplayContestant::checkPairs( const ReplayModel& model, const ExpectedPairs& expected, std::uint64_t step )
{
    note( model.wrongPairs( m_engine->pairs(), expected, m_entrant.kind.exact ), step );
}

/// The first thing found wrong is kept.
void ReplayContestant::note( const std::string& wrong, std::uint64_t step )
{
    if ( m_wrong.empty() && !wrong.empty() )
    {
        m_wrong = fmt::format( "step {}: {}", step, wrong );
    }
}

void ReplayContestant::notePairsBefore()
{
    m_pairsBefore = m_engine->pairs();
    m_knowsPairsBefore = true;
}

Run ReplayContestant::result( bool checked )
{
    Run run;
    run.engine = m_entrant.kind.name;
    run.capped = m_capped;
    run.wrong = m_wrong;
    run.setMs = medianIfAny( m_setMs );
    run.queryMs = medianIfAny( m_queryMs );
    run.pairsMs = medianIfAny( m_pairsMs );
    run.cacheMs = medianIfAny( m_cacheMs );
    run.totalMs = medianIfAny( m_totalMs );
    run.steps = m_totalMs.size();
    run.facts.threads = m_entrant.threads;
    if ( !m_engine )
    {
        return run;
    }
    run.checked = checked && m_wrong.empty() && !m_totalMs.empty();
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
