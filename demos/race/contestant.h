// SPDX-License-Identifier: Zlib
/// \file contestant.h
/// One engine on its way through a stream of calls: its times, its budget, what was found wrong with it.
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
    /// \param course  outlives the contestant
    /// \param options  among them what the engine may spend. A step cannot be interrupted, so it is asked beforehand
    ///                 whether the next one will fit
    Contestant( const Entrant& entrant, const Course& course, const EngineOptions& options );

    /// Makes the calls, and finds the pairs if the batch ends a step; until the budget is spent.
    /// \param isTimed  whether the times count
    void play( const Batch& batch, bool isTimed );

    /// Holds what the last batch's query reported against the model. To be called while running().
    /// \param query   counted from the batch's first
    /// \param model  as it was at that query
    void checkQuery( const Batch& batch, const Calls& calls, std::size_t call, std::size_t query, const Model& model );

    /// Holds the last findPairs against the model.
    void checkPairs( const Model& model, const ExpectedPairs& expected, std::uint64_t step );

    /// Fills in everything that an engine knows of itself.
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
    bool affords( double milliseconds ) const
    {
        return milliseconds <= m_leftMs;
    }

    bool mayGoOn( double milliseconds );
    void makeChanges( const Batch& batch, const Calls& calls );
    void makeQueries( const Batch& batch, const Calls& calls );
    void findPairs( bool isTimed );
    void noteWrong( const std::string& wrong, std::uint64_t step );

    Entrant m_entrant;
    const Course& m_course;
    cltBroadphaseDef m_core;
    double m_leftMs; ///< of the budget
    std::unique_ptr<Engine> m_engine;
    std::uint64_t m_createdCount = 0;
    double m_creationMs = 0;
    double m_setMs = 0;                              ///< of this step so far
    double m_insertionMs = 0;                        ///< of m_setMs
    std::optional<double> m_queryMs;                 ///< of this step so far
    double m_lastStepMs = 0;                         ///< without insertions
    bool m_isStarted = false;                        ///< pairs were found once
    std::array<std::vector<double>, timeKinds> m_ms; ///< of all timed steps
    std::vector<Hits> m_hits;                        ///< of the last batch, one for each query
    std::optional<PairSet> m_pairsBefore;            ///< the last step
    bool m_isChecked = false;                        ///< once at least
    std::string m_capped;
    std::string m_wrong;
};

} // namespace cullet::compare

#endif
