// SPDX-License-Identifier: Zlib
/// \file phases.h
/// The life of a world in phases of a few steps: each stresses something else, and what one leaves behind, the next one
/// meets.
#ifndef CLT_STRESS_PHASES_H
#define CLT_STRESS_PHASES_H

#include <cstdint>

namespace cullet::stress
{

/// Shares are of the living bodies and in each step, unless another meaning is given.
struct Phase
{
    const char* name;
    int longest;       ///< steps
    double population; ///< share of the bodies asked for towards which the phase creates or destroys
    double turnover;   ///< at most this share of the bodies asked for a step
    double churn;      ///< destroyed, and as many created
    double drift;      ///< moved a little
    double jump;       ///< moved anywhere
    double repeat;     ///< set to the box they have
    double odd;        ///< given an odd box
    double edits;      ///< of which group and mask are edited in place
    bool swapsFilter;
    bool editsCache;
    bool crowds;  ///< some hundred gather in one place
    bool hasWide; ///< planes and the like come and go
};

struct PhaseAt
{
    const Phase* phase;
    std::uint64_t index; ///< of this phase among those of the run
};

/// Goes through the phases step by step, always the same way for the same seed.
class Schedule
{
public:
    explicit Schedule( std::uint64_t seed );

    /// The phase of the next step. The first steps fill the world.
    PhaseAt next();

private:
    std::uint64_t m_seed;
    PhaseAt m_current;
    std::size_t m_stepsLeft;
};

} // namespace cullet::stress

#endif
