// SPDX-License-Identifier: Zlib
/// \file race.cpp
/// The engines live in one process and take each step of the scene one after the other, so that a machine whose speed
/// drifts, as shared machines do, slows all of them alike. Who goes first rotates from step to step, because the first
/// finds the caches full of the boxes just prepared.
#include "race.h"

#include "contestant.h"
#include "oracle.h"
#include "scene_pointer.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace cullet::compare
{

namespace
{

using Clock = std::chrono::steady_clock;
using Contestants = std::vector<std::unique_ptr<Contestant>>;

Contestants createContestants( const cltScene& scene, const CompareOptions& options )
{
    Contestants contestants;
    for ( const Entrant& entrant : entrants( options ) )
    {
        contestants.push_back( std::make_unique<Contestant>(
            entrant.kind, EngineRequest{ scene, coreChoice( options, entrant.threads ) }, options.capSeconds ) );
    }
    return contestants;
}

void checkIfAsked( const cltScene& scene, const Contestants& contestants, const CompareOptions& options,
                   Progress& progress )
{
    if ( !options.check )
    {
        return;
    }
    progress.detail( fmt::format( "step {}, checking", scene.step ) );
    const PairSet expected = oraclePairs( scene );
    for ( const auto& contestant : contestants )
    {
        if ( contestant->running() )
        {
            contestant->check( expected, int( scene.step ) );
        }
    }
}

void stepAll( const cltScene& scene, const Moves& moves, const Contestants& contestants, const CompareOptions& options,
              Progress& progress )
{
    const int step = int( scene.step );
    for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
    {
        Contestant& contestant = *contestants[( turn + scene.step ) % contestants.size()];
        if ( contestant.running() )
        {
            progress.detail(
                fmt::format( "step {} of {}, {}", step, options.warmup + options.steps, contestant.name() ) );
            contestant.step( moves, step, step > options.warmup );
        }
    }
}

void notePairsBeforeLastStep( const Contestants& contestants )
{
    for ( const auto& contestant : contestants )
    {
        if ( contestant->running() )
        {
            contestant->notePairsBefore();
        }
    }
}

/// All steps are made, or the time is up and one timed step is there already: the next is the second.
bool isNextLast( int stepsMade, Clock::time_point begin, const CompareOptions& options )
{
    const bool isTimeUp = Clock::now() - begin >= std::chrono::duration<double>( options.seconds );
    return stepsMade + 1 == options.warmup + options.steps || ( isTimeUp && stepsMade > options.warmup );
}

} // namespace

std::vector<Run> race( const cltSceneDef& def, const CompareOptions& options, Progress& progress )
{
    const ScenePointer scene = createScene( def );
    Moves moves( *scene );
    const Contestants contestants = createContestants( *scene, options );
    for ( const auto& contestant : contestants )
    {
        progress.detail( fmt::format( "inserting, {}", contestant->name() ) );
        contestant->start();
    }
    const Clock::time_point begin = Clock::now();
    checkIfAsked( *scene, contestants, options, progress );
    for ( bool isLast = false; !isLast; )
    {
        isLast = isNextLast( int( scene->step ), begin, options );
        if ( isLast )
        {
            notePairsBeforeLastStep( contestants );
        }
        cltScene_Step( scene.get() );
        moves.update();
        stepAll( *scene, moves, contestants, options, progress );
        checkIfAsked( *scene, contestants, options, progress );
    }
    std::vector<Run> runs;
    for ( const auto& contestant : contestants )
    {
        runs.push_back( contestant->result( options.check ) );
    }
    return runs;
}

} // namespace cullet::compare
