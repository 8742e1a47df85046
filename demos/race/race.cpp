// SPDX-License-Identifier: Zlib
/// \file race.cpp
/// The engines live in one process and take each step, or each few steps, one after the other, so that a machine whose
/// speed drifts, as shared machines do, slows all of them alike. Who goes first rotates, because the first finds the
/// caches full of the boxes just prepared.
#include "race.h"

#include "contestant.h"

#include <fmt/format.h>

namespace cullet::compare
{

namespace
{

class Race
{
public:
    Race( Stream& stream, const EngineOptions& options, const RaceRules& rules, command::Progress& progress )
        : m_stream( stream ), m_course( stream.course() ), m_rules( rules ), m_progress( progress ),
          m_model( rules.isChecked ? m_course.mostAlive : 0,
                   ( m_course.highestCenter - m_course.lowestCenter ).maxAxis() ),
          m_round( std::size_t( rules.turn ) )
    {
        for ( const Entrant& entrant : entrants( options ) )
        {
            m_contestants.push_back( std::make_unique<Contestant>(
                entrant, m_course, coreChoice( options, entrant.threads ), options.capSeconds ) );
        }
    }

    void run()
    {
        for ( std::size_t round = 0; const std::size_t count = prepareRound(); ++round )
        {
            for ( std::size_t turn = 0; turn < m_contestants.size(); ++turn )
            {
                play( *m_contestants[( round + turn ) % m_contestants.size()], count );
            }
            if ( m_rules.isChecked )
            {
                check( m_round.front() );
            }
        }
    }

    std::vector<Run> results()
    {
        std::vector<Run> runs;
        for ( const auto& contestant : m_contestants )
        {
            runs.push_back( contestant->result() );
        }
        return runs;
    }

private:
    /// Batches that every engine plays before it is the next one's turn; inserting a scene is a round of its own.
    /// \return how many; 0 behind the end
    std::size_t prepareRound()
    {
        std::size_t count = 0;
        while ( count < m_round.size() && m_stream.next( m_round[count] ) && m_round[count++].step > 0 )
        {
        }
        return count;
    }

    void play( Contestant& contestant, std::size_t count )
    {
        for ( std::size_t k = 0; k < count && contestant.running(); ++k )
        {
            const Batch& batch = m_round[k];
            m_progress.detail(
                batch.step == 0 ? fmt::format( "inserting, {}", contestant.name() )
                                : fmt::format( "step {} of {}, {}", batch.step, m_course.steps, contestant.name() ) );
            contestant.play( batch, batch.step > m_course.untimedSteps );
        }
    }

    /// The oracle follows at every step; only every so many are compared.
    void check( const Batch& batch )
    {
        const bool isDue = batch.step % m_rules.checkEvery == 0 || batch.isOfLastStep;
        std::size_t query = 0;
        for ( const Calls& calls : batch.calls )
        {
            if ( !calls.areQueries() )
            {
                m_model.apply( batch, calls );
                continue;
            }
            for ( std::size_t call = calls.first; call < calls.last; ++call, ++query )
            {
                forEachHeld( isDue, [&]( Contestant& contestant )
                             { contestant.checkQuery( batch, calls, call, query, m_model ); } );
            }
        }
        if ( isDue && batch.endsStep )
        {
            m_progress.detail( fmt::format( "step {}, checking", batch.step ) );
            const ExpectedPairs expected = m_model.pairs();
            forEachHeld( true,
                         [&]( Contestant& contestant ) { contestant.checkPairs( m_model, expected, batch.step ); } );
        }
    }

    /// Bullet's broadphases promise nothing for boxes with a NaN or with bounds the wrong way round.
    template <typename Check>
    void forEachHeld( bool isDue, const Check& check )
    {
        for ( const auto& contestant : m_contestants )
        {
            const bool isHeld = !m_course.hasOddBoxes || contestant->kind().family != Family::bullet;
            if ( isDue && isHeld && contestant->running() )
            {
                check( *contestant );
            }
        }
    }

    Stream& m_stream;
    const Course& m_course;
    RaceRules m_rules;
    command::Progress& m_progress;
    Model m_model;
    std::vector<std::unique_ptr<Contestant>> m_contestants;
    std::vector<Batch> m_round;
};

} // namespace

std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress )
{
    Race race( stream, options, rules, progress );
    race.run();
    return race.results();
}

} // namespace cullet::compare
