// SPDX-License-Identifier: Zlib
/// \file contestant.h
/// One engine on its way through a stream of calls: its times, its budget, what was found wrong with it.
#ifndef CLT_RACE_CONTESTANT_H
#define CLT_RACE_CONTESTANT_H

#include "model.h"
#include "stream.h"

#include "demos/engines/engine_options.h"
#include "demos/report/run.h"

namespace cullet::compare
{

class Contestant
{
public:
    /// \param capSeconds  what the engine may spend. A step cannot be interrupted, so it is asked beforehand whether
    ///                    the next one will fit
    Contestant( const Entrant& entrant, const Course& course, const CoreChoice& core, double capSeconds );

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

    const EngineKind& kind() const
    {
        return m_entrant.kind;
    }

    std::string name() const
    {
        return entrantName( m_entrant );
    }

private:
    /// Of one step.
    struct StepMs
    {
        double set = 0;
        double insertion = 0; ///< of `set`
        double query = 0;
        bool hasQueries = false;
    };

    bool affords( double milliseconds ) const;
    bool mayGoOn( double milliseconds, std::uint64_t step );
    void makeChanges( const Batch& batch, const Calls& calls );
    void lookAhead( std::size_t created, double milliseconds );
    void makeQueries( const Batch& batch, const Calls& calls );
    void findPairs( bool isTimed );
    void noteTimes( double pairsMs );
    void noteWrong( const std::string& wrong, std::uint64_t step );

    Entrant m_entrant;
    EngineRequest m_request;
    double m_leftMs; ///< of the budget
    std::unique_ptr<Engine> m_engine;
    std::uint64_t m_createdCount = 0;
    double m_creationMs = 0;
    StepMs m_stepMs;
    double m_lastStepMs = 0; ///< without insertions
    std::vector<double> m_setMs, m_pairsMs, m_cacheMs, m_kernelMs, m_updateMs, m_queryMs, m_totalMs;
    std::vector<Hits> m_hits; ///< of the last batch, one for each query
    PairSet m_pairsBefore;
    bool m_knowsPairsBefore = false;
    bool m_isStarted = false; ///< pairs were found once
    bool m_isChecked = false; ///< once at least
    std::string m_capped;
    std::string m_wrong;
};

} // namespace cullet::compare

#endif
