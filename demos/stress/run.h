// SPDX-License-Identifier: Zlib
/// \file run.h
/// The whole run: step after step until time or steps are up, or something is wrong.
#ifndef CLT_STRESS_RUN_H
#define CLT_STRESS_RUN_H

#include "subject.h"
#include "tally.h"

#include <optional>
#include <string>

namespace cullet::stress
{

struct Settings
{
    std::size_t bodies = 1000;
    std::uint64_t seed = 1;
    std::uint64_t steps = 0; ///< 0: until the minutes are up
    double minutes = 1;
    std::uint64_t checkEvery = 1; ///< steps from one check of the pair set to the next
};

struct Failure
{
    std::uint64_t step;
    std::string what;   ///< such as "wrong pair set"
    std::string detail; ///< such as "missing (12, 99)"
};

struct Outcome
{
    Tally tally;
    double seconds = 0;
    std::optional<Failure> failure;
    Log log; ///< of the broadphase
};

/// What is going on, told after each step.
struct Moment
{
    std::uint64_t step;
    const char* phase;
    std::size_t bodies;
    const Tally& tally;
    double seconds;
};

/// Stops at the first wrong answer. The same settings and a broadphase that answers the same make the same run, up to
/// where the time ends it.
Outcome runStress( const Settings& settings, Subject subject, const std::function<void( const Moment& )>& tell );

} // namespace cullet::stress

#endif
