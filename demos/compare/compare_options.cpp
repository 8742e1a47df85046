// SPDX-License-Identifier: Zlib
/// \file compare_options.cpp
/// The options of `cullet compare`, each with its valid values.
#include "compare.h"

#include "demos/command/option_checks.h"

#include <filesystem>

namespace cullet::compare
{

using command::between;
using command::Number;
using command::oneOf;
using command::positive;
using command::refuseRepeats;

namespace
{

constexpr double mostBodies = 20'000'000; // about 10 GiB for the scene, its moves and one engine
constexpr double mostSteps = 1'000'000;
constexpr double mostSeconds = 1e9; // no limit in practice
constexpr double longestTurn = 64;  // the moves of a turn's steps are in memory at once
constexpr double highestSpeed = 1e6;
constexpr double highestSeed = 9007199254740992; // 2^53: up to here a double holds every whole number

std::vector<std::string> comparedScenes()
{
    return command::namesOf( cltSceneName, cltSceneKind( CLT_SCENE_COUNT - 1 ) );
}

std::string footer()
{
    std::string scenes = "Scenes:\n";
    for ( int kind = 0; kind < CLT_SCENE_COUNT; ++kind )
    {
        scenes += fmt::format( "  {:<14} {}\n", cltSceneName( cltSceneKind( kind ) ),
                               cltSceneDescription( cltSceneKind( kind ) ) );
    }
    return scenes + "\n" + engineList( sceneFamilies ) + R"(
Lists are separated by commas. Every combination of scene, size, moving percentage, speed and jumping
percentage is a block of the table. In a block cullet's engines run once for each number of threads.

All engines get the same boxes and make their steps in turns, a different one first each time, so that a
machine that slows down slows all of them. With --turn 1 an engine finds the others' memory in the caches,
as it would within a whole simulation; with longer turns it mostly finds its own.

"set" is the time for setting the boxes that moved, "pairs" for updating the pairs, and "cache" the part of
"pairs" that cullet spent on Bullet's pair cache. On a device "update" is cltBroadphase_Update with transfers
and waits, and "kernel" the time from its first kernel to its last, with the gaps between them. "total" is the
time from the boxes to the pairs. Times are medians over the timed steps, separately for each column, so that
"set" and "pairs" need not add up to "total". "worst" is the longest of the timed steps, and "p99" the
99th percentile, from 100 steps on. Peak memory is the rise of a child process's resident memory
from before the engine is created until it has made a few steps. The children run before anything is timed.
A device that cannot be used is refused before anything runs, with exit code 2.
)";
}

/// Hidden in the help.
void refuseFile( const std::string& name )
{
    throw CLI::ValidationError( fmt::format(
        "'{}' is no option: --scene names scenes; a world in a file is for `cullet demo`, or `cullet record` and "
        "`cullet replay`",
        name ) );
}

void addSceneOptions( CLI::App& command, CompareOptions& options )
{
    std::vector<std::string> names = comparedScenes();
    names.push_back( "all" );
    command.option_defaults()->delimiter( ',' );
    command.add_option( "--scene", options.scenes, "Scenes, see below, or all" )->check( oneOf( names ) );
    command.add_option( "--bodies", options.bodies, "Sizes, for example 1000,10000" )
        ->check( between( 1, mostBodies, Number::whole ) );
    command.add_option( "--moving", options.moving, "Percent of the bodies that move, the same in each step" )
        ->check( between( 0, 100, Number::real ) );
    command
        .add_option( "--speed", options.speeds,
                     "Multiplies a step's length, mostly 0.1 to 0.3 body sizes (not column)" )
        ->check( positive( highestSpeed ) );
    command
        .add_option( "--jumping", options.jumping,
                     "Percent of all bodies that jump anywhere, different ones in each step" )
        ->check( between( 0, 100, Number::real ) );
    command.option_defaults()->delimiter( '\0' );
    command.add_option( "--seed", options.seed, "Seed of the scenes" )
        ->check( between( 0, highestSeed, Number::whole ) );
}

} // namespace

void addCompareOptions( CLI::App& command, CompareOptions& options )
{
    options.engines = { "dbvt", "sap", "cullet", "core" };
    addSceneOptions( command, options );
    addEngineOptions( command, options, sceneFamilies );
    command.add_option( "--steps", options.steps, "Timed steps" )->check( between( 1, mostSteps, Number::whole ) );
    command.add_option( "--warmup", options.warmup, "Untimed steps before them" )
        ->check( between( 0, mostSteps, Number::whole ) );
    command.add_option( "--turn", options.turn, "Steps that an engine makes in a row" )
        ->check( between( 1, longestTurn, Number::whole ) );
    command.add_option( "--seconds", options.seconds, "End a case after this time, with two timed steps at least" )
        ->check( positive( mostSeconds ) )
        ->default_str( "" );
    command.add_flag( "--no-memory", options.noMemory, "Do not measure peak memory" );
    command.add_flag( "--never-slower", options.neverSlower,
                      "Show where cullet was slower than one of Bullet's; exit code 1 if it was" );
    const auto isPicture = []( const std::filesystem::path& path )
    { return path.extension() == ".png" || path.extension() == ".svg"; };
    command.add_option( "--plot", options.plot, "Also draw the times into this PNG or SVG, with gnuplot" )
        ->check( command::require( isPicture, "does not end in .png or .svg" ) );
    command.add_option_function<std::string>( "FILE", refuseFile )->group( "" );
    command.footer( footer() );
}

void completeCompareOptions( CompareOptions& options )
{
    if ( std::find( options.scenes.begin(), options.scenes.end(), "all" ) != options.scenes.end() )
    {
        options.scenes = comparedScenes();
    }
    refuseRepeats( "--scene", options.scenes );
    refuseRepeats( "--bodies", options.bodies );
    refuseRepeats( "--moving", options.moving );
    refuseRepeats( "--speed", options.speeds );
    refuseRepeats( "--jumping", options.jumping );
    if ( options.check && options.turn > 1 )
    {
        throw CLI::ValidationError( "--turn", "must be 1 with --check, which checks every step of every engine" );
    }
    requireEngines( options );
    const auto has = [&]( Family family )
    {
        return std::any_of( options.engines.begin(), options.engines.end(),
                            [family]( const std::string& name ) { return engineKind( name ).family == family; } );
    };
    if ( options.neverSlower && !( has( Family::bullet ) && has( Family::plugin ) ) )
    {
        throw CLI::ValidationError( "--never-slower",
                                    "needs one of Bullet's engines and one of cullet's behind Bullet" );
    }
    std::sort( options.bodies.begin(), options.bodies.end() );
}

std::vector<cltSceneDef> casesOf( const CompareOptions& options )
{
    const std::vector<std::string> names = comparedScenes(); // the option accepts only these names
    std::vector<cltSceneDef> cases;
    for ( const std::string& name : options.scenes )
    {
        const cltSceneKind kind = cltSceneKind( std::find( names.begin(), names.end(), name ) - names.begin() );
        for ( const double speed : options.speeds )
        {
            for ( const double jumping : options.jumping )
            {
                for ( const double moving : options.moving )
                {
                    for ( const std::uint32_t bodies : options.bodies )
                    {
                        cases.push_back( { kind, bodies, moving, float( speed ), options.seed, jumping } );
                    }
                }
            }
        }
    }
    return cases;
}

} // namespace cullet::compare
