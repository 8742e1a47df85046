// SPDX-License-Identifier: Zlib
/// \file contestant.h
/// One engine on its way through a scene: its times, its budget, what was found wrong with it.
#ifndef CLT_COMMAND_CONTESTANT_H
#define CLT_COMMAND_CONTESTANT_H

#include "budget.h"
#include "engine_options.h"
#include "run.h"

namespace cullet::compare
{

class Contestant
{
public:
    /// \param kind  outlives the contestant
    Contestant( const EngineKind& kind, const EngineRequest& request, double capSeconds );

    /// Creates all proxies and finds their first pairs; false when the budget does not suffice.
    bool start();

    /// Sets the boxes and finds the pairs; false when the budget does not suffice.
    /// \param step      for what is said when it does not
    /// \param timed     whether the times count
    bool step( const Moves& moves, int step, bool timed );

    /// Holds the last findPairs against the oracle. The first thing found wrong is kept.
    void check( const PairSet& expected, int step );

    /// Remembers the pairs as they are before the last step, so that its changes can be told.
    void notePairsBefore();

    /// Fills in everything that an engine knows of itself.
    Run result( bool checked );

    bool running() const
    {
        return m_capped.empty();
    }

    std::string name() const
    {
        return entrantName( { m_kind, m_request.core.threads } );
    }

private:
    bool insertAll();
    void findFirstPairs();
    void noteDeviceMs();

    const EngineKind& m_kind;
    EngineRequest m_request;
    Budget m_budget;
    std::unique_ptr<Engine> m_engine;
    std::vector<double> m_setMs;
    std::vector<double> m_pairsMs;
    std::vector<double> m_cacheMs;
    std::vector<double> m_kernelMs;
    std::vector<double> m_updateMs;
    std::vector<double> m_totalMs;
    double m_lastStepMs = 0;
    PairSet m_pairsBefore;
    bool m_started = false;
    bool m_knowsPairsBefore = false;
    std::string m_capped;
    std::string m_wrong;
};

} // namespace cullet::compare

#endif
