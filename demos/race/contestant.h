// SPDX-License-Identifier: Zlib
/// \file contestant.h
/// One engine in a race: its times, its budget and its errors.
#ifndef CLT_RACE_CONTESTANT_H
#define CLT_RACE_CONTESTANT_H

#include "model.h"
#include "stream.h"

#include "demos/engines/engine_options.h"
#include "demos/report/report.h"

namespace cullet::compare
{

class Contestant
{
public:
    /// \param course   must outlive the contestant
    /// \param options  contain the time budget. A step cannot be interrupted, so its time is predicted. If it exceeds
    ///                 the budget, the step is not made
    Contestant( const Entrant& entrant, const Course& course, const EngineOptions& options );

    /// Makes the calls, and finds the pairs if the batch ends a step. Stops when the budget is spent.
    /// \param isTimed  true: the times are recorded
    void play( const Batch& batch, bool isTimed );

    /// Compares the result of a query of the last batch with the model. Call it only while running().
    /// \param query  its index among the queries of the batch
    /// \param model  in its state at that query
    void checkQuery( const Batch& batch, const Calls& calls, std::size_t call, std::size_t query, const Model& model );

    /// Compares the pairs of the last findPairs with the model.
    void checkPairs( const Model& model, const ExpectedPairs& expected, std::uint64_t step );

    /// The run, without the fields that only the caller knows.
    Run result();

    bool running() const
    {
        return m_capped.empty();
    }

    const Entrant& entrant() const
    {
        return m_entrant;
    }

private:
    bool fitsBudget( double milliseconds ) const
    {
        return milliseconds <= m_leftMs;
    }

    bool continuesWithin( double milliseconds );
    void makeChanges( const Batch& batch, const Calls& calls );
    void makeQueries( const Batch& batch, const Calls& calls );
    void findPairs( bool isTimed );
    void noteWrong( const std::string& wrong, std::uint64_t step );

    Entrant m_entrant;
    const Course& m_course;
    cltBroadphaseDef m_core;
    double m_leftMs; ///< remaining budget
    std::unique_ptr<Engine> m_engine;
    std::uint64_t m_createdCount = 0;
    double m_creationMs = 0;
    double m_setMs = 0;                              ///< of this step so far
    double m_insertionMs = 0;                        ///< the part of m_setMs that created proxies
    std::optional<double> m_queryMs;                 ///< of this step so far
    double m_lastStepMs = 0;                         ///< without insertions
    bool m_isStarted = false;                        ///< pairs were found at least once
    std::array<std::vector<double>, timeKinds> m_ms; ///< of all timed steps
    std::vector<Hits> m_hits;                        ///< by query of the last batch
    std::optional<PairSet> m_previousPairs;          ///< before the last step
    bool m_isChecked = false;                        ///< at least once
    std::string m_capped;
    std::string m_wrong;
};

} // namespace cullet::compare

#endif
