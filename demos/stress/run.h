// SPDX-License-Identifier: Zlib
/// \file run.h
/// Runs a random operation sequence on a broadphase until the time or the steps are used up, or an answer is wrong.
#ifndef CLT_STRESS_RUN_H
#define CLT_STRESS_RUN_H

#include "BulletCollision/BroadphaseCollision/btBroadphaseInterface.h"
#include "BulletCollision/BroadphaseCollision/btOverlappingPairCache.h"

#include "cullet.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cullet::stress
{

struct Settings
{
    std::size_t bodies = 1000; ///< the number of bodies that most phases of a run approach
    std::uint64_t seed = 1;
    std::uint64_t steps = 0; ///< 0: no limit but `minutes`
    double minutes = 1;
    std::uint64_t checkEvery = 1; ///< steps from one check of the pair set to the next
};

/// The broadphase under test. For a CulletBroadphase, all documented guarantees are checked; for others, only those of
/// btSimpleBroadphase: an exact pair set after calculateOverlappingPairs, and box queries.
struct Subject
{
    std::unique_ptr<btOverlappingPairCache> givenCache; ///< NULL if the broadphase has its own
    std::unique_ptr<btBroadphaseInterface> broadphase;
};

/// A CulletBroadphase with its own cache, or with a given btHashedOverlappingPairCache.
Subject createSubject( const cltBroadphaseDef& core, bool givesCache );

/// The first error of a broadphase. All checks throw it.
struct Fault
{
    std::string what;   ///< such as "wrong pair set"
    std::string detail; ///< such as "missing (12, 99)"
};

[[noreturn]] inline void wrongPairSet( const std::string& detail )
{
    throw Fault{ "wrong pair set", detail };
}

/// Numbers of calls and checks, by their names in the final table.
using Tally = std::map<std::string_view, std::uint64_t>;

struct Outcome
{
    Tally tally;
    std::uint64_t steps; ///< steps made; a fault was found in the last of them
    double seconds;
    std::optional<Fault> fault; ///< std::nullopt if all answers were right
};

/// Stops at the first wrong answer. With the same settings and the same answers, a run repeats the same calls; only the
/// time limit may end it at another step.
/// \param reportProgress  receives a line of progress several times a second
Outcome runStress( const Settings& settings, Subject subject,
                   const std::function<void( const std::string& )>& reportProgress );

} // namespace cullet::stress

#endif
