// SPDX-License-Identifier: Zlib
/// \file replay_contestant.h
/// One engine on its way through a recording: its times, its budget, what was found wrong with it.
#ifndef CLT_COMMAND_REPLAY_CONTESTANT_H
#define CLT_COMMAND_REPLAY_CONTESTANT_H

#include "budget.h"
#include "engine_options.h"
#include "replay_model.h"
#include "run.h"

namespace cullet::compare
{

class ReplayContestant
{
public:
    ReplayContestant( const Entrant& entrant, const ReplayRequest& request, double capSeconds );

    /// Makes the calls, and finds the pairs if the batch ends with a step; until the budget is spent.
    /// \param step  the step that the calls lead to, counted from 1
    void play( const ReplayBatch& batch, std::uint64_t step );

    /// What the k-th query of the last batch reported. To be called while running().
    /// \param model  as it was at that query
    void checkQuery( const ReplayBatch& batch, const ReplayCall& call, std::size_t query, const ReplayModel& model,
                     std::uint64_t step );

    void checkPairs( const ReplayModel& model, const ExpectedPairs& expected, std::uint64_t step );

    /// Remembers the pairs as they are before the last step, so that its changes can be told.
    void notePairsBefore();

    /// Fills in everything that an engine knows of itself.
    Run result( bool checked );

    bool running() const
    {
        return m_capped.empty();
    }

    const EngineKind& kind() const
    {
        return m_entrant.kind;
    }

    std::string name() const
    {
        return entrantName( m_entrant );
    }

private:
    using Calls = std::vector<ReplayCall>::const_iterator;

    bool affords( double milliseconds, std::uint64_t step );
    void makeChanges( Calls first, Calls last );
    void makeQueries( const ReplayBatch& batch, Calls first, Calls last );
    void findPairs( std::uint64_t step );
    void note( const std::string& wrong, std::uint64_t step );

    Entrant m_entrant;
    std::unique_ptr<ReplayEngine> m_engine;
    Budget m_budget;
    double m_stepSetMs = 0; ///< since the last step
    double m_stepQueryMs = 0;
    bool m_stepHasQueries = false;
    double m_lastPairsMs = 0;
    std::vector<double> m_setMs;
    std::vector<double> m_queryMs;
    std::vector<double> m_pairsMs;
    std::vector<double> m_cacheMs;
    std::vector<double> m_totalMs;
    std::vector<std::vector<std::uint32_t>> m_hits; ///< of the last batch, one for each query
    PairSet m_pairsBefore;
    bool m_knowsPairsBefore = false;
    std::string m_capped;
    std::string m_wrong;
};

} // namespace cullet::compare

#endif
