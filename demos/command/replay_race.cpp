// SPDX-License-Identifier: Zlib
/// \file replay_race.cpp
/// As in race.cpp: one process, each stretch of the recording through every engine before the next one, and who goes
/// first rotates.
#include "replay_race.h"

#include "replay_contestant.h"

#include <fmt/format.h>

namespace cullet::compare
{

namespace
{

ReplayRequest requestFor( const recording::Survey& survey, const ReplayOptions& options, int threads )
{
    const std::array<double, 3>& lowest = survey.lowestCenter;
    const std::array<double, 3>& highest = survey.highestCenter;
    return { coreChoice( options, threads ), survey.mostAlive,
             btVector3( float( lowest[0] ), float( lowest[1] ), float( lowest[2] ) ),
             btVector3( float( highest[0] ), float( highest[1] ), float( highest[2] ) ) };
}

class ReplayRace
{
public:
    ReplayRace( const recording::Survey& survey, const ReplayOptions& options, Progress& progress )
        : m_survey( survey ), m_options( options ), m_progress( progress ), m_model( requestFor( survey, options, 0 ) )
    {
        for ( const Entrant& entrant : entrants( options ) )
        {
            m_contestants.push_back( std::make_unique<ReplayContestant>(
                entrant, requestFor( survey, options, entrant.threads ), options.capSeconds ) );
        }
    }

    void run()
    {
        recording::RecordingReader reader( m_options.file );
        ReplayBatch batch;
        while ( readBatch( reader, batch ) )
        {
            playAll( batch );
            if ( m_options.check )
            {
                checkAll( batch );
            }
            if ( batch.endsWithStep )
            {
                ++m_step;
                notePairsBeforeLastStep();
            }
        }
    }

    std::vector<Run> results()
    {
        std::vector<Run> runs;
        for ( const auto& contestant : m_contestants )
        {
            runs.push_back( contestant->result( m_options.check && isHeld( contestant->kind() ) ) );
        }
        return runs;
    }

private:
    void playAll( const ReplayBatch& batch )
    {
        for ( std::size_t turn = 0; turn < m_contestants.size(); ++turn )
        {
            ReplayContestant& contestant = *m_contestants[( turn + m_step ) % m_contestants.size()];
            if ( contestant.running() )
            {
                m_progress.detail( fmt::format( "step {} of {}, {}", m_step, m_survey.steps, contestant.name() ) );
                contestant.play( batch, m_step );
            }
        }
    }

    /// The model follows at every step; only every so many are compared.
    void checkAll( const ReplayBatch& batch )
    {
        const bool isDue = m_step % m_options.checkEvery == 0 || m_step >= m_survey.steps;
        std::size_t query = 0;
        for ( const ReplayCall& call : batch.calls )
        {
            if ( !isQuery( call ) )
            {
                m_model.apply( call );
                continue;
            }
            if ( isDue )
            {
                checkQuery( batch, call, query );
            }
            ++query;
        }
        if ( isDue && batch.endsWithStep )
        {
            checkPairs();
        }
    }

    void checkQuery( const ReplayBatch& batch, const ReplayCall& call, std::size_t query )
    {
        for ( const auto& contestant : m_contestants )
        {
            if ( contestant->running() && isHeld( contestant->kind() ) )
            {
                contestant->checkQuery( batch, call, query, m_model, m_step );
            }
        }
    }

    void checkPairs()
    {
        m_progress.detail( fmt::format( "step {}, checking", m_step ) );
        const ExpectedPairs expected = m_model.pairs();
        for ( const auto& contestant : m_contestants )
        {
            if ( contestant->running() && isHeld( contestant->kind() ) )
            {
                contestant->checkPairs( m_model, expected, m_step );
            }
        }
    }

    /// Bullet's broadphases promise nothing for boxes with a NaN or with bounds the wrong way round.
    bool isHeld( const EngineKind& kind ) const
    {
        return m_survey.oddBoxes == 0 || kind.takesOddBoxes;
    }

    void notePairsBeforeLastStep()
    {
        for ( const auto& contestant : m_contestants )
        {
            if ( m_step == m_survey.steps && contestant->running() )
            {
                contestant->notePairsBefore();
            }
        }
    }

    const recording::Survey& m_survey;
    const ReplayOptions& m_options;
    Progress& m_progress;
    ReplayModel m_model;
    std::vector<std::unique_ptr<ReplayContestant>> m_contestants;
    std::uint64_t m_step = 1; ///< the one that the calls lead to
};

} // namespace

std::vector<Run> replayRace( const recording::Survey& survey, const ReplayOptions& options, Progress& progress )
{
    ReplayRace race( survey, options, progress );
    race.run();
    return race.results();
}

} // namespace cullet::compare
