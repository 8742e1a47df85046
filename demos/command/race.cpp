// SPDX-License-Identifier: Zlib
/// \file race.cpp
/// The engines live in one process and take each step of the scene, or each few steps, one after the other, so that a
/// machine whose speed drifts, as shared machines do, slows all of them alike. Who goes first rotates, because the first
/// finds the caches full of the boxes just prepared.
#include "race.h"

#include "contestant.h"
#include "oracle.h"
#include "scene_pointer.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Steps of the scene that every engine makes before it is the next one's turn.
struct Round
{
    std::vector<Moves> moves; ///< one for each step
    int firstStep;
    bool isLast;
};

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

/// The round ends with the last step, or sooner if the time is up and one timed step is there already: two is the least.
Round nextRound( cltScene& scene, Clock::time_point begin, const CompareOptions& options )
{
    const int stepsMade = int( scene.step );
    const int stepsLeft = options.warmup + options.steps - stepsMade;
    const int count = std::min( options.turn, stepsLeft );
    const bool isTimeUp = Clock::now() - begin >= std::chrono::duration<double>( options.seconds );
    Round round = { {}, stepsMade + 1, count == stepsLeft || ( isTimeUp && stepsMade > options.warmup ) };
    for ( int i = 0; i < count; ++i )
    {
        cltScene_Step( &scene );
        round.moves.emplace_back( scene );
    }
    return round;
}

void makeSteps( const Round& round, Contestant& contestant, const CompareOptions& options, Progress& progress )
{
    for ( std::size_t i = 0; i < round.moves.size() && contestant.running(); ++i )
    {
        const int step = round.firstStep + int( i );
        progress.detail( fmt::format( "step {} of {}, {}", step, options.warmup + options.steps, contestant.name() ) );
        if ( round.isLast && i + 1 == round.moves.size() )
        {
            contestant.notePairsBefore();
        }
        contestant.step( round.moves[i], step, step > options.warmup );
    }
}

} // namespace

std::vector<Run> race( const cltSceneDef& def, const CompareOptions& options, Progress& progress )
{
    const ScenePointer scene = createScene( def );
    const Contestants contestants = createContestants( *scene, options );
    for ( const auto& contestant : contestants )
    {
        progress.detail( fmt::format( "inserting, {}", contestant->name() ) );
        contestant->start();
    }
    const Clock::time_point begin = Clock::now();
    checkIfAsked( *scene, contestants, options, progress );
    std::size_t first = 0;
    for ( bool isLast = false; !isLast; ++first )
    {
        const Round round = nextRound( *scene, begin, options );
        isLast = round.isLast;
        for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
        {
            makeSteps( round, *contestants[( first + turn ) % contestants.size()], options, progress );
        }
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
