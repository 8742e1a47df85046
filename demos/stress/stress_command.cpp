// SPDX-License-Identifier: Zlib
/// \file stress_command.cpp
/// `cullet stress`: its options, the command line that repeats a run, the run in this program or in the program with
/// the other precision of Bullet, and the final table.
#include "run.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/command/option_checks.h"
#include "demos/command/progress.h"
#include "demos/report/numbers.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

namespace
{

using namespace cullet::command;
using namespace cullet::stress;
using cullet::compare::grouped;
using Log = std::vector<std::string>; ///< the lines that cullet logged, for example that a device failed

constexpr double mostBodies = 1'000'000; // the checks look at every body several times a step
constexpr double mostSteps = 1e12;
constexpr double mostMinutes = 1e6;
constexpr double highestSeed = 9007199254740992; // 2^53: larger numbers may be rounded when the option is checked
constexpr const char* ownPrecision = sizeof( btScalar ) == sizeof( double ) ? "double" : "float";

constexpr const char* stressFooter = R"(
Each step changes the world as applications do: bodies are created, destroyed, moved, set again
without having moved, given boxes with NaNs, infinities or lower above upper; filters and the pair
cache are edited behind the broadphase's back. Then queries are held against brute force, the pairs
are brought up to date, and their set is held against an oracle of its own, a sweep along one axis.
The first wrong answer ends the run with exit code 1 and the command that comes back to it.
)";

struct StressOptions
{
    Settings settings;
    std::string cache = "own";
    std::string precision = ownPrecision;
    std::string algorithm = "auto";
    std::string device = "auto";
    int threads = 0;
};

void addOptions( CLI::App& command, StressOptions& options )
{
    const auto add = [&command]( const char* name, auto& value, const CLI::Validator& check, const char* description )
    { return command.add_option( name, value, description )->check( check ); };
    Settings& settings = options.settings;
    add( "--bodies", settings.bodies, between( 1, mostBodies, Number::whole ),
         "Bodies that the world heads for, most of the time" );
    CLI::Option* minutes = add( "--minutes", settings.minutes, positive( mostMinutes ), "How long it runs" );
    add( "--steps", settings.steps, between( 1, mostSteps, Number::whole ),
         "Runs this many steps instead, however long they take" )
        ->excludes( minutes );
    add( "--seed", settings.seed, between( 0, highestSeed, Number::whole ), "Everything random comes from it" );
    add( "--check-every", settings.checkEvery, between( 1, mostSteps, Number::whole ),
         "Steps from one check of the pair set to the next" );
    add( "--cache", options.cache, oneOf( { "own", "hashed" } ),
         "own: cullet's pair cache; hashed: one of Bullet's, given to it" );
    add( "--precision", options.precision, oneOf( { "float", "double" } ), "Of Bullet: float or double" );
    add( "--algorithm", options.algorithm, oneOf( namesOf( cltAlgorithmName, clt_algorithmFrontier ) ),
         "auto, bruteForce, grid, lbvh, wide or frontier" );
    addDeviceOption( command, options.device );
    add( "--threads", options.threads, between( 0, CLT_MAX_THREADS, Number::whole ),
         "Threads of cullet, 0 for one per processor" );
    command.footer( stressFooter );
}

cltBroadphaseDef coreDef( const StressOptions& options, Log* log )
{
    cltBroadphaseDef core = cltDefaultBroadphaseDef();
    core.device = deviceNamed( options.device );
    core.algorithm = valueNamed( options.algorithm, cltAlgorithmName, clt_algorithmFrontier );
    core.threadCount = options.threads;
    core.hooks.log = []( cltStatus, const char* message, void* lines )
    { static_cast<Log*>( lines )->push_back( message ); };
    core.hooks.userContext = log;
    return core;
}

/// Becomes the program that has Bullet in this precision. No program has both, as their symbols have the same names.
[[noreturn]] void becomeProgramFor( const std::string& precision )
{
    execProgram( precision == "double" ? "cullet-float64" : "cullet", "it is built if Bullet has that precision" );
}

std::string heading( const StressOptions& options )
{
    const std::string device = options.device == "auto" ? "" : ", " + options.device;
    return fmt::format( "{} bodies, seed {}, {} cache, {}, {}{}", options.settings.bodies, options.settings.seed,
                        options.cache, options.precision, options.algorithm, device );
}

/// The command that repeats this run from the first step to `step`.
std::string repeatCommand( const StressOptions& options, std::uint64_t step )
{
    const Settings& settings = options.settings;
    return fmt::format( "cullet stress --bodies {} --seed {} --steps {} --check-every {} --cache {} --precision {} "
                        "--algorithm {} --device {} --threads {}",
                        settings.bodies, settings.seed, step, settings.checkEvery, options.cache, options.precision,
                        options.algorithm, options.device, options.threads );
}

void report( const std::string& heading, const Outcome& outcome, const Log& log )
{
    fmt::print( "{}\n{} steps in {:.1f} s: {}\n", heading, grouped( outcome.steps ), outcome.seconds,
                outcome.fault ? "WRONG" : "nothing wrong" );
    for ( const auto& [name, count] : outcome.tally )
    {
        fmt::print( "  {:<44}{:>16}\n", name, grouped( count ) );
    }
    fmt::print( "{}", log.empty() ? "" : "logged\n" );
    for ( const std::string& line : log )
    {
        fmt::print( "  {}\n", line );
    }
    std::fflush( stdout );
}

Outcome runWithProgress( const StressOptions& options, Log* log )
{
    Progress progress;
    progress.stage( heading( options ) );
    return runStress( options.settings, createSubject( coreDef( options, log ), options.cache == "hashed" ),
                      [&]( const std::string& line ) { progress.detail( line ); } );
}

void stress( const StressOptions& options )
{
    if ( options.precision != ownPrecision )
    {
        becomeProgramFor( options.precision );
    }
    requireDevice( options.device );
    Log log;
    const Outcome outcome = runWithProgress( options, &log );
    report( heading( options ), outcome, log );
    if ( outcome.fault )
    {
        fmt::print( stderr, "cullet: {}: seed {} step {}: {}; run again with: {}\n", outcome.fault->what,
                    options.settings.seed, outcome.steps, outcome.fault->detail,
                    repeatCommand( options, outcome.steps ) );
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addStressCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "stress", "A long run of everything, checked against an oracle" );
    const auto options = std::make_shared<StressOptions>();
    addOptions( *command, *options );
    command->callback( [options] { stress( *options ); } );
}
