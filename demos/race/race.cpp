// SPDX-License-Identifier: Zlib
/// \file race.cpp
/// The engines run in one process. Each engine makes a step, or a few steps, then the next engine makes the same ones.
/// So a change in the speed of a shared machine affects all engines equally. The first engine has an advantage, as the
/// prepared boxes are in the processor's caches; so another engine is first in each round. Stopwatches run during an
/// engine's own work only.
#include "race.h"

#include "demos/engines/core_engine.h"
#include "demos/report/machine.h"
#include "demos/report/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

namespace cullet::compare
{

namespace
{

constexpr double trustedMs = 500;             // shortest insertion time from which the total is extrapolated
constexpr std::uint32_t probeBodies = 4000;   // 8e6 pairs: long enough to measure, and a small part of a race
constexpr std::uint32_t cheapBodies = 20'000; // 2e8 pairs: one or two seconds at most

/// Predicts the time of a step for an engine that tests all pairs: measures a step with fewer bodies, and scales its
/// time with the square of the number of bodies.
double predictStepMs( const Entrant& entrant, EngineOptions options, std::uint32_t bodies )
{
    options.capSeconds = HUGE_VAL;
    SceneStream stream( { clt_sceneBrownian, probeBodies, 100, 1, CLT_SCENE_SEED, 0 }, {} );
    Batch batch;
    stream.next( batch );
    Contestant probe( entrant, stream.info(), options );
    probe.play( batch, true );
    const double growth = double( bodies ) / probeBodies;
    return *probe.result().ms[pairsMs] * growth * growth;
}

} // namespace

// ------------------------------------------------------------------------------------------------------ one contestant

Contestant::Contestant( const Entrant& entrant, const StreamInfo& info, const EngineOptions& options )
    : m_entrant( entrant ), m_info( info ), m_core( coreDef( options, entrant.threads ) ),
      m_leftMs( 1e3 * options.capSeconds )
{
    m_run.engine = entrant.kind.name;
    m_run.threads = entrant.threads;
    if ( ( entrant.kind.traits & slowSteps ) != 0 && info.mostAlive > cheapBodies ) // else a whole step is cheap
    {
        const double expectedMs = predictStepMs( entrant, options, info.mostAlive );
        const std::string reason = fmt::format( "not started, one step would take about {:.0f} s", 1e-3 * expectedMs );
        m_run.capped = expectedMs > m_leftMs ? reason : "";
    }
}

bool Contestant::continuesWithin( double milliseconds )
{
    if ( running() && milliseconds > m_leftMs )
    {
        m_run.capped = fmt::format( "stopped after {} timed steps", m_ms[totalMs].size() );
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
        m_engine = createEngine( m_entrant.kind, m_info, m_core );
    }
    if ( batch.isOfLastStep && m_isStarted && !m_previousPairs )
    {
        m_previousPairs = m_engine->pairs();
    }
    if ( batch.step > m_info.steps && m_isStarted && !m_lastPairs )
    {
        m_lastPairs = m_engine->pairs(); // a program that was recorded removes all bodies at its end
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
    const double spentMs = millisecondsOf( [&] { m_engine->change( batch, calls ); } );
    m_step[setMs] = m_step[setMs].value_or( 0 ) + spentMs;
    m_leftMs -= spentMs;
    if ( calls.kind != EventKind::create )
    {
        return;
    }
    m_insertionMs += spentMs;
    m_createdCount += calls.count();
    m_creationMs += spentMs;
    const double growth = double( m_info.mostAlive ) / double( m_createdCount );
    const double wholeMs = m_creationMs * ( ( m_entrant.kind.traits & slowInsertion ) != 0 ? growth * growth : growth );
    if ( m_creationMs > trustedMs && wholeMs - m_creationMs > m_leftMs )
    {
        m_run.capped = fmt::format( "inserted {} of {} boxes, all would take about {:.0f} s", m_createdCount,
                                    m_info.mostAlive, 1e-3 * wholeMs );
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
    m_step[queryMs] = m_step[queryMs].value_or( 0 ) + spentMs;
    m_leftMs -= spentMs;
}

void Contestant::findPairs( bool isTimed )
{
    const double spentMs = millisecondsOf( [&] { m_engine->findPairs(); } );
    m_leftMs -= spentMs;
    m_step[setMs] = m_step[setMs].value_or( 0 );
    m_lastStepMs = *m_step[setMs] - m_insertionMs + spentMs;
    m_step[pairsMs] = spentMs;
    m_step[cacheMs] = m_engine->cacheMs();
    m_step[totalMs] = *m_step[setMs] + spentMs + m_step[queryMs].value_or( 0 );
    const cltBroadphase* core = m_engine->core();
    if ( core != nullptr && coreStats( *core ).device != clt_deviceCpu )
    {
        const float kernels = coreResearchStats( *core ).kernelMs;
        m_step[updateMs] = double( coreStats( *core ).totalMs );
        m_step[kernelMs] = kernels > 0 ? std::optional<double>( kernels ) : std::nullopt;
    }
    for ( std::size_t kind = 0; kind < timeKinds && isTimed; ++kind )
    {
        if ( m_step[kind] )
        {
            m_ms[kind].push_back( *m_step[kind] );
        }
    }
    m_step = {};
    m_insertionMs = 0;
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
    const bool isExact = ( m_entrant.kind.traits & fatBoxes ) == 0;
    noteWrong( model.wrongPairs( m_engine->pairs(), expected, isExact ), step );
    noteWrong( m_engine->wrongChanges( expected.required ), step );
    m_run.checked = true;
}

/// Stores an error unless an earlier one is stored.
void Contestant::noteWrong( const std::string& wrong, std::uint64_t step )
{
    if ( m_run.wrong.empty() && !wrong.empty() )
    {
        m_run.wrong = fmt::format( "step {}: {}", step, wrong );
    }
}

Run Contestant::result()
{
    Run run = m_run;
    run.checked = run.checked && run.wrong.empty();
    run.steps = m_ms[totalMs].size();
    std::transform( m_ms.begin(), m_ms.end(), run.ms.begin(), medianIfAny );
    if ( run.steps >= 100 ) // else it is the longest step
    {
        run.p99Ms = quantileIfAny( m_ms[totalMs], 0.99 );
    }
    run.worstMs = quantileIfAny( m_ms[totalMs], 1 );
    run.minMs = quantileIfAny( m_ms[totalMs], 0 );
    if ( run.steps > 0 )
    {
        run.spreadMs = *quantileIfAny( m_ms[totalMs], 0.75 ) - *quantileIfAny( m_ms[totalMs], 0.25 );
    }
    if ( !m_isStarted )
    {
        return run;
    }
    run.precision = bulletPrecision(); // the core always gets floats
    run.threads = run.threads > 0 ? run.threads : int( std::thread::hardware_concurrency() );
    if ( m_engine->core() != nullptr )
    {
        const cltStats stats = coreStats( *m_engine->core() );
        run.algorithm = cltAlgorithmName( stats.algorithm );
        run.simd = stats.algorithm == clt_algorithmWide ? cltSimdName( stats.simd ) : "";
        run.device = cltDeviceName( stats.device );
        run.deviceFailures = stats.deviceFailureCount;
    }
    const PairSet pairs = m_lastPairs ? *m_lastPairs : m_engine->pairs();
    run.pairs = pairs.size();
    const bool hasChanges = m_entrant.kind.family != Family::peer || ( m_entrant.kind.traits & changesToo ) != 0;
    if ( m_previousPairs && running() && hasChanges )
    {
        run.began = difference( pairs, *m_previousPairs ).size();
        run.ended = difference( *m_previousPairs, pairs ).size();
    }
    return run;
}

// ------------------------------------------------------------------------------------------------------------ the race

/// Prepares the batches of a round, which the engines play one after the other. Inserting a scene is a separate round.
/// \return the number of batches; 0 at the end of the stream
static std::size_t prepareRound( Stream& stream, std::vector<Batch>& round )
{
    std::size_t count = 0;
    while ( count < round.size() && stream.next( round[count] ) && round[count++].step > 0 )
    {
    }
    return count;
}

/// Applies the batch to the model, and if a check is due, compares contestants with it.
static void check( const Batch& batch, Model& model, std::vector<Contestant>& contestants, bool isDue )
{
    std::vector<Contestant*> checkedContestants;
    for ( Contestant& contestant : contestants )
    {
        if ( isDue && contestant.canBeChecked() )
        {
            checkedContestants.push_back( &contestant );
        }
    }
    std::size_t query = 0;
    for ( const Calls& calls : batch.calls )
    {
        if ( !calls.areQueries() )
        {
            model.apply( batch, calls );
            continue;
        }
        for ( std::size_t call = calls.first; call < calls.last; ++call, ++query )
        {
            for ( Contestant* contestant : checkedContestants )
            {
                contestant->checkQuery( batch, calls, call, query, model );
            }
        }
    }
    if ( batch.endsStep && !checkedContestants.empty() )
    {
        const ExpectedPairs expected = model.pairs();
        for ( Contestant* contestant : checkedContestants )
        {
            contestant->checkPairs( model, expected, batch.step );
        }
    }
}

static void setRatiosToDbvt( std::vector<Run>& runs )
{
    const auto dbvt = std::find_if( runs.begin(), runs.end(), []( const Run& run ) { return run.engine == "dbvt"; } );
    for ( Run& run : runs )
    {
        if ( dbvt != runs.end() && dbvt->ms[totalMs] && run.ms[totalMs] && *run.ms[totalMs] > 0 )
        {
            run.ratioToDbvt = *dbvt->ms[totalMs] / *run.ms[totalMs];
        }
    }
}

std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress )
{
    const StreamInfo& info = stream.info();
    std::vector<Contestant> contestants;
    for ( const Entrant& entrant : entrants( options ) )
    {
        contestants.emplace_back( entrant, info, options );
    }
    Model model( options.check ? info.mostAlive : 0, ( info.highestCenter - info.lowestCenter ).maxAxis() );
    std::vector<Batch> round( std::size_t( rules.turn ) );
    for ( std::size_t rotation = 0; const std::size_t count = prepareRound( stream, round ); ++rotation )
    {
        for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
        {
            Contestant& contestant = contestants[( rotation + turn ) % contestants.size()];
            for ( std::size_t k = 0; k < count && contestant.running(); ++k )
            {
                const std::uint64_t step = round[k].step;
                progress.detail( ( step == 0 ? "inserting" : fmt::format( "step {} of {}", step, info.steps ) ) + ", " +
                                 contestant.entrant().name() );
                contestant.play( round[k], step > info.untimedSteps );
            }
        }
        if ( options.check )
        {
            progress.detail( fmt::format( "step {}, checking", round[0].step ) );
            check( round[0], model, contestants, round[0].step % rules.checkEvery == 0 || round[0].isOfLastStep );
        }
    }
    std::vector<Run> runs;
    std::transform( contestants.begin(), contestants.end(), std::back_inserter( runs ),
                    []( Contestant& contestant ) { return contestant.result(); } );
    setRatiosToDbvt( runs );
    return runs;
}

} // namespace cullet::compare
