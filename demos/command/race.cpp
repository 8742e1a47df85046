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

#include <memory>

namespace cullet::compare
{

namespace
{

using Contestants = std::vector<std::unique_ptr<Contestant>>;

Contestants createContestants( const cltScene& scene, const CompareOptions& options )
{
    const cltDevice device = deviceNamed( options.device );
    Contestants contestants;
    for ( const Entrant& entrant : entrants( options ) )
    {
        contestants.push_back( std::make_unique<Contestant>( entrant, scene, device, options.capSeconds ) );
    }
    return contestants;
}

void checkAll( const cltScene& scene, const Contestants& contestants, Progress& progress )
{
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
    const int stepCount = options.warmup + options.steps;
    for ( int step = 0; step <= stepCount; ++step )
    {
        if ( step > 0 )
        {
            cltScene_Step( scene.get() );
            moves.update();
            stepAll( *scene, moves, contestants, options, progress );
        }
        if ( options.check )
        {
            checkAll( *scene, contestants, progress );
        }
        if ( step == stepCount - 1 )
        {
            notePairsBeforeLastStep( contestants );
        }
    }
    std::vector<Run> runs;
    for ( const auto& contestant : contestants )
    {
        runs.push_back( contestant->result( options.check ) );
    }
    return runs;
}

} // namespace cullet::compare
