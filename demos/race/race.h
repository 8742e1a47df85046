// SPDX-License-Identifier: Zlib
/// \file race.h
/// Runs all engines through one stream of calls, in turns.
#ifndef CLT_RACE_RACE_H
#define CLT_RACE_RACE_H

#include "model.h"
#include "stream.h"

#include "demos/command/progress.h"
#include "demos/engines/engines.h"
#include "demos/report/report.h"

namespace cullet::compare
{

struct RaceRules
{
    int turn = 1;                 ///< steps that an engine makes in a row; must be 1 with --check
    std::uint64_t checkEvery = 1; ///< checks each step with a number that is a multiple of this one, and the last step
};

/// \return a result for each entrant, in the order of entrants(), without the fields that only the caller knows
std::vector<Run> race( Stream& stream, const EngineOptions& options, const RaceRules& rules,
                       command::Progress& progress );

/// One engine in a race: its times, its budget and its errors.
class Contestant
{
public:
    /// \param info   must outlive the contestant
    /// \param options  contain the time budget. A step cannot be interrupted, so its time is predicted. If that exceeds
    ///                 the budget, the step is not made
    Contestant( const Entrant& entrant, const StreamInfo& info, const EngineOptions& options );

    /// Makes the calls, and finds the pairs if the batch ends a step. Stops when the budget is spent.
    /// \param isTimed  true: the times are recorded
    void play( const Batch& batch, bool isTimed );

    bool running() const
    {
        return m_run.capped.empty();
    }

    /// Whether results can be compared with the model. Those of Bullet's broadphases are undefined if boxes have NaN or
    /// inverted bounds.
    bool canBeChecked() const
    {
        return running() && !( m_info.hasOddBoxes && m_entrant.kind.family == Family::bullet );
    }

    /// Compares the result of a query of the last batch with the model.
    /// \param query  the index of the query among those of the batch
    /// \param model  in its state at the time of the query
    void checkQuery( const Batch& batch, const Calls& calls, std::size_t call, std::size_t query, const Model& model );

    /// Compares the pairs of the last findPairs with the model.
    void checkPairs( const Model& model, const ExpectedPairs& expected, std::uint64_t step );

    Run result();

    const Entrant& entrant() const
    {
        return m_entrant;
    }

private:
    bool continuesWithin( double milliseconds );
    void makeChanges( const Batch& batch, const Calls& calls );
    void makeQueries( const Batch& batch, const Calls& calls );
    void findPairs( bool isTimed );
    void noteWrong( const std::string& wrong, std::uint64_t step );

    Entrant m_entrant;
    const StreamInfo& m_info;
    cltBroadphaseDef m_core;
    double m_leftMs; ///< remaining budget
    std::unique_ptr<Engine> m_engine;
    std::uint64_t m_createdCount = 0;
    double m_creationMs = 0;
    Times m_step{};                                  ///< of this step so far
    double m_insertionMs = 0;                        ///< the part of setMs of this step that created proxies
    double m_lastStepMs = 0;                         ///< time of the last step without insertions
    std::array<std::vector<double>, timeKinds> m_ms; ///< of all timed steps
    std::vector<Hits> m_hits;                        ///< by query of the last batch
    bool m_isStarted = false;                        ///< findPairs was called at least once
    std::optional<PairSet> m_previousPairs;          ///< the pairs before the last step
    std::optional<PairSet> m_lastPairs;              ///< the pairs of the last step, if calls follow it
    Run m_run;                                       ///< the result so far
};

} // namespace cullet::compare

#endif
