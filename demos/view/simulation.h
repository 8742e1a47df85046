// SPDX-License-Identifier: Zlib
/// \file simulation.h
/// A source, its exact pairs, the pairs that ended lately, and the times of its last steps.
#ifndef CLT_VIEW_SIMULATION_H
#define CLT_VIEW_SIMULATION_H

#include "source.h"

#include <deque>

namespace cullet::view
{

constexpr std::size_t rememberedSteps = 240;

/// Steps for which a pair that ended is still shown.
constexpr unsigned fadeSteps = 20;

struct EndedPair
{
    cltPair pair;
    unsigned age; ///< in steps
};

/// What the viewer remembers of a contestant.
struct Record
{
    /// Milliseconds by part, of the last steps; the latest is last, and the simulation's first is left out.
    std::deque<std::vector<double>> times;
    std::size_t pairCount = 0;    ///< after the last step
    std::size_t extraCount = 0;   ///< reported pairs of boxes that do not overlap
    std::size_t missingCount = 0; ///< exact pairs that the broadphase did not report
};

/// Of the remembered steps, each the sum of its parts. The mean compares broadphases, because some do most of their
/// work in few steps.
struct Figures
{
    double broadphaseMean, broadphaseMedian, broadphaseWorst; ///< milliseconds
    double stepMean, stepMedian, stepWorst;
};

class Simulation
{
public:
    /// \throws std::runtime_error as makeSource
    explicit Simulation( const SourceRequest& request );

    /// \return false at the end of a recording
    bool step();

    const SourceRequest& request() const
    {
        return m_request;
    }

    Source& source() const
    {
        return *m_source;
    }

    const Record& record( std::size_t contestant ) const
    {
        return m_records[contestant];
    }

    /// Empty before the second step.
    std::optional<Figures> figures( std::size_t contestant ) const;

    /// Of the first contestant.
    const Bodies& bodies() const
    {
        return m_bodies;
    }

    /// The exact pairs of the first contestant's boxes.
    const ExactPairs& exact() const
    {
        return m_exact[0];
    }

    const std::vector<EndedPair>& endedPairs() const
    {
        return m_ended;
    }

    /// Makes the broadphase of exact() anew, with another algorithm, unless it has this one.
    void useAlgorithm( cltAlgorithm algorithm );

    std::size_t stepCount() const
    {
        return m_stepCount;
    }

    /// Whether the pairs of each contestant are compared with the exact ones after each step. This is not part of the
    /// times, but slows the viewer if there are many bodies.
    bool checks = true;

private:
    void note( std::size_t contestant );
    void check( std::size_t contestant );
    void ageEndedPairs();

    SourceRequest m_request;
    std::unique_ptr<Source> m_source;
    std::vector<ExactPairs> m_exact;              ///< by contestant
    cltAlgorithm m_algorithm = clt_algorithmAuto; ///< of m_exact[0]
    std::vector<Record> m_records;                ///< by contestant
    Bodies m_bodies;
    Bodies m_others; ///< of another contestant; kept for its memory
    std::vector<EndedPair> m_ended;
    std::size_t m_stepCount = 0;
};

} // namespace cullet::view

#endif
