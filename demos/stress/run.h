// SPDX-License-Identifier: Zlib
/// \file run.h
/// A run: a random life is led in a broadphase, step after step until time or steps are up, or something is wrong.
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
    std::size_t bodies = 1000; ///< that the world heads for, most of the time
    std::uint64_t seed = 1;
    std::uint64_t steps = 0; ///< 0: until the minutes are up
    double minutes = 1;
    std::uint64_t checkEvery = 1; ///< steps from one check of the pair set to the next
};

/// The broadphase under test. A CulletBroadphase is held to all that it promises; any other to what holds for
/// btSimpleBroadphase: an exact pair set after calculateOverlappingPairs, and box queries.
struct Subject
{
    std::unique_ptr<btOverlappingPairCache> givenCache; ///< NULL if the broadphase has its own
    std::unique_ptr<btBroadphaseInterface> broadphase;
};

/// CulletBroadphase, with its own cache or with a btHashedOverlappingPairCache that it is given.
Subject createSubject( const cltBroadphaseDef& core, bool givesCache );

/// The first thing that a broadphase did wrong. Thrown by all that checks.
struct Fault
{
    std::string what;   ///< such as "wrong pair set"
    std::string detail; ///< such as "missing (12, 99)"
};

[[noreturn]] inline void wrongPairSet( const std::string& detail )
{
    throw Fault{ "wrong pair set", detail };
}

/// How often what was done and checked, by its name in the table at the end.
using Tally = std::map<std::string_view, std::uint64_t>;

struct Outcome
{
    Tally tally;
    std::uint64_t steps; ///< the last of them is the one that a fault was found in
    double seconds;
    std::optional<Fault> fault; ///< none: nothing was wrong
};

/// Stops at the first wrong answer. The same settings and a broadphase that answers the same make the same run, up to
/// where the time ends it.
/// \param say  gets a line about what is going on, some times a second
Outcome runStress( const Settings& settings, Subject subject, const std::function<void( const std::string& )>& say );

} // namespace cullet::stress

#endif
