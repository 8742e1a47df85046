// SPDX-License-Identifier: Zlib
/// \file stress_options.cpp
/// The options of `cullet stress`, each with the values it takes, and the way back from values to a command line.
#include "stress_options.h"

#include "demos/command/device_option.h"
#include "demos/command/option_checks.h"

#include "LinearMath/btScalar.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <map>

namespace cullet::stress
{

namespace
{

using command::between;
using command::Number;
using command::oneOf;
using command::positive;

constexpr double mostBodies = 1'000'000; // the checks look at every body several times a step
constexpr double mostSteps = 1e12;
constexpr double mostMinutes = 1e6;
constexpr double mostThreads = CLT_MAX_THREADS;
constexpr double highestSeed = 9007199254740992; // 2^53: beyond it a double cannot tell whether the text is in range

constexpr const char* footer = R"(
Each step changes the world as applications do: bodies are created, destroyed, moved, set again
without having moved, given boxes with NaNs, infinities or lower above upper; filters and the pair
cache are edited behind the broadphase's back. Then queries are held against brute force, the pairs
are brought up to date, and their set is held against an oracle of its own, a sweep along one axis.
The first wrong answer ends the run with exit code 1 and the command that comes back to it.
)";

cltAlgorithm algorithmNamed( const std::string& name )
{
    const std::map<std::string, cltAlgorithm> algorithms = { { "auto", clt_algorithmAuto },
                                                             { "wide", clt_algorithmWide },
                                                             { "lbvh", clt_algorithmLbvh },
                                                             { "grid", clt_algorithmGrid },
                                                             { "brute", clt_algorithmBruteForce } };
    return algorithms.at( name );
}

void addRunOptions( CLI::App& command, Settings& settings )
{
    command.add_option( "--bodies", settings.bodies, "Bodies that the world heads for, most of the time" )
        ->check( between( 1, mostBodies, Number::whole ) )
        ->capture_default_str();
    CLI::Option* minutes = command.add_option( "--minutes", settings.minutes, "How long it runs" )
                               ->check( positive( mostMinutes ) )
                               ->capture_default_str();
    command.add_option( "--steps", settings.steps, "Runs this many steps instead, however long they take" )
        ->check( between( 1, mostSteps, Number::whole ) )
        ->excludes( minutes );
    command.add_option( "--seed", settings.seed, "Everything random comes from it" )
        ->check( between( 0, highestSeed, Number::whole ) )
        ->capture_default_str();
    command.add_option( "--check-every", settings.checkEvery, "Steps from one check of the pair set to the next" )
        ->check( between( 1, mostSteps, Number::whole ) )
        ->capture_default_str();
}

} // namespace

const char* ownPrecision()
{
    return sizeof( btScalar ) == sizeof( double ) ? "double" : "float";
}

void addStressOptions( CLI::App& command, StressOptions& options )
{
    addRunOptions( command, options.settings );
    command.add_option( "--cache", options.cache, "own: cullet's pair cache; hashed: one of Bullet's, given to it" )
        ->check( oneOf( { "own", "hashed" } ) )
        ->capture_default_str();
    options.precision = ownPrecision();
    command.add_option( "--precision", options.precision, "Of Bullet: float or double" )
        ->check( oneOf( { "float", "double" } ) )
        ->capture_default_str();
    command.add_option( "--algorithm", options.algorithm, "auto, wide, lbvh, grid or brute" )
        ->check( oneOf( { "auto", "wide", "lbvh", "grid", "brute" } ) )
        ->capture_default_str();
    command::addDeviceOption( command, options.device );
    command.add_option( "--threads", options.threads, "Threads of cullet, 0 for one per processor" )
        ->check( between( 0, mostThreads, Number::whole ) )
        ->capture_default_str();
    command.footer( footer );
}

SubjectDef subjectDef( const StressOptions& options )
{
    return { options.settings.bodies, options.cache == "hashed", algorithmNamed( options.algorithm ), options.threads,
             command::deviceNamed( options.device ) };
}

std::string commandTo( const StressOptions& options, std::uint64_t step )
{
    const Settings& settings = options.settings;
    return fmt::format( "cullet stress --bodies {} --seed {} --steps {} --check-every {} --cache {} --precision {} "
                        "--algorithm {} --device {} --threads {}",
                        settings.bodies, settings.seed, step, settings.checkEvery, options.cache, options.precision,
                        options.algorithm, options.device, options.threads );
}

} // namespace cullet::stress
