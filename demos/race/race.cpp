// SPDX-License-Identifier: Zlib
/// \file race.cpp
/// The engines run in one process. Each engine makes a step, or a few steps, then the next engine makes the same ones.
/// So a change in the speed of a shared machine affects all engines equally. The first engine has an advantage, as the
/// prepared boxes are in the processor's caches; so another engine is first in each round.
#include "race.h"

#include "contestant.h"

#include <fmt/format.h>

#include <algorithm>

namespace cullet::compare
{

namespace
{

/// Prepares the batches of a round, which the engines play one after the other. Inserting a scene is a separate round.
/// \return the number of batches; 0 at the end of the stream
std::size_t prepareRound( Stream& stream, std::vector<Batch>& round )
{
    std::size_t count = 0;
    while ( count < round.size() && stream.next( round[count] ) && round[count++].step > 0 )
    {
    }
    return count;
}

void play( Contestant& contestant, const Batch& batch, const Course& course, command::Progress& progress )
{
    const std::string name = entrantName( contestant.entrant() );
    progress.detail( batch.step == 0 ? fmt::format( "inserting, {}", name )
                                     : fmt::format( "step {} of {}, {}", batch.step, course.steps, name ) );
    contestant.play( batch, batch.step > course.untimedSteps );
}

/// The contestants to compare with the model. Bullet's broadphases are left out if boxes have NaN or inverted bounds,
/// because their results are then undefined.
std::vector<Contestant*> heldOf( std::vector<Contestant>& contestants, const Course& course )
{
    std::vector<Contestant*> held;
    for ( Contestant& contestant : contestants )
    {
        const bool promisesNothing = course.hasOddBoxes && contestant.entrant().kind.family == Family::bullet;
        if ( contestant.running() && !promisesNothing )
        {
            held.push_back( &contestant );
        }
    }
    return held;
}

/// Applies the batch to the model, and compares contestants with it.
void check( const Batch& batch, Model& model, const std::vector<Contestant*>& held )
{
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
            for ( Contestant* contestant : held )
            {
                contestant->checkQuery( batch, calls, call, query, model );
            }
        }
    }
    const ExpectedPairs expected = batch.endsStep && !held.empty() ? model.pairs() : ExpectedPairs();
    for ( std::size_t k = 0; k < held.size() && batch.endsStep; ++k )
    {
        held[k]->checkPairs( model, expected, batch.step );
    }
}

void setRatiosToDbvt( std::vector<Run>& runs )
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

} // namespace

std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress )
{
    const Course& course = stream.course();
    std::vector<Contestant> contestants;
    for ( const Entrant& entrant : entrants( options ) )
    {
        contestants.emplace_back( entrant, course, options );
    }
    Model model( options.check ? course.mostAlive : 0, ( course.highestCenter - course.lowestCenter ).maxAxis() );
    std::vector<Batch> round( std::size_t( rules.turn ) );
    for ( std::size_t rotation = 0; const std::size_t count = prepareRound( stream, round ); ++rotation )
    {
        for ( std::size_t turn = 0; turn < contestants.size(); ++turn )
        {
            Contestant& contestant = contestants[( rotation + turn ) % contestants.size()];
            for ( std::size_t k = 0; k < count && contestant.running(); ++k )
            {
                play( contestant, round[k], course, progress );
            }
        }
        if ( options.check )
        {
            const bool isDue = round[0].step % rules.checkEvery == 0 || round[0].isOfLastStep;
            progress.detail( fmt::format( "step {}, checking", round[0].step ) );
            check( round[0], model, isDue ? heldOf( contestants, course ) : std::vector<Contestant*>() );
        }
    }
    std::vector<Run> runs;
    for ( Contestant& contestant : contestants )
    {
        runs.push_back( contestant.result() );
    }
    setRatiosToDbvt( runs );
    return runs;
}

} // namespace cullet::compare
