// SPDX-License-Identifier: Zlib
/// \file bench_command.cpp
/// `cullet bench`: the comparisons of our tables, made by the runner of `cullet compare`, as one CSV. results/README.md
/// describes its form. Change the form's number there, here and in tables.py if a column or a row changes its meaning.
#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/compare/compare.h"
#include "demos/report/records.h"

#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace cullet::bench
{

namespace
{

using namespace compare;

constexpr int form = 1;
const std::vector<std::string> columns = { "scene",    "bodies",    "moving",   "speed",         "jumping",
                                           "engine",   "algorithm", "simd",     "device",        "threads",
                                           "steps",    "total_ms",  "min_ms",   "spread_ms",     "set_ms",
                                           "pairs_ms", "pairs",     "peak_mib", "ratio_to_dbvt", "capped" };
constexpr double mostBodies = 1'000'000;
constexpr int steps = 16; // scene `column` comes to rest after about forty
constexpr int warmup = 2;
constexpr int turn = 4;            // the median step finds the engine's own memory in the caches
constexpr double caseSeconds = 10; // a large case ends early, with three timed steps at least

struct BenchOptions
{
    std::vector<std::uint32_t> bodies = { 1000, 10000, 100000, 1000000 };
    std::string out; ///< empty: stdout
};

struct Part
{
    std::string name; ///< for progress output
    CompareOptions options;
};

/// All engines but those that only compare cullet's algorithms, and the sweep, which takes minutes for 100,000 boxes.
std::vector<std::string> comparedEngines()
{
    std::vector<std::string> names = { "dbvt", "dbvt-deferred", "cullet", "core", "core-full" };
    const std::vector<std::string> peers = engineNames( { Family::peer } );
    names.insert( names.end(), peers.begin(), peers.end() );
    return names;
}

/// Scenes of other programs have sizes of their own, but at most three times the largest of the options. Deferred
/// btDbvt is left out, as it takes a third of the time.
CompareOptions program( const char* scene, std::uint32_t bodies, const std::vector<double>& speeds,
                        CompareOptions options )
{
    options.scenes = { scene };
    options.speeds = speeds;
    options.bodies = { std::min( bodies, 3 * options.bodies.back() ) };
    options.engines.erase( std::find( options.engines.begin(), options.engines.end(), "dbvt-deferred" ) );
    return options;
}

/// \param bodies  ascending
std::vector<Part> partsOf( const std::vector<std::uint32_t>& bodies )
{
    CompareOptions usual;
    usual.bodies = bodies;
    usual.engines = comparedEngines();
    usual.steps = steps;
    usual.warmup = warmup;
    usual.turn = turn;
    usual.seconds = caseSeconds;
    usual.capSeconds = 900; // enough for btDbvt with a million bodies
    usual.noMemory = true;

    // The first, because it measures memory too: see runInChild. In slow motion the first steps stay within btDbvt's
    // fat boxes, which is not typical, so the warmup is longer.
    CompareOptions slow = usual;
    slow.speeds = { 0.1 };
    slow.warmup = 16;
    slow.noMemory = false;

    CompareOptions all = usual;
    all.scenes = { "brownian", "clustered" };
    all.threads = std::thread::hardware_concurrency() > 1 ? std::vector<int>{ 1, 0 } : std::vector<int>{ 0 };

    CompareOptions some = usual;
    some.moving = { 10, 1, 0 };

    CompareOptions others = usual;
    others.scenes = { "column", "mixed", "tremble" };

    CompareOptions jumps = usual;
    jumps.engines = { "cullet", "core" };
    jumps.moving = { 100, 10 };
    jumps.jumping = { 1 };

    return { { "all move a tenth as far, and memory", slow },
             { "all move", all },
             { "some move", some },
             { "other scenes", others },
             { "one in a hundred jumps", jumps },
             { "boxes of other programs: cloth", program( "cloth", 234000, { 1, 100 }, usual ) },
             { "boxes of other programs: teams", program( "teams", 234000, { 1, 100 }, usual ) },
             { "boxes of other programs: level", program( "level", 5000, { 1 }, usual ) },
             { "boxes of other programs: debris", program( "debris", 50000, { 1 }, usual ) } };
}

/// Lines of `# key,value` above the table. Programs that read CSV skip them as comments.
std::string headText( std::size_t rowCount )
{
    const Machine machine = describeMachine();
    const Record head = { { "cullet_bench", form },
                          { "processor", machine.processor },
                          { "processors", machine.processorCount },
                          { "memory_gib", std::lround( machine.memoryGib ) },
                          { "system", machine.system },
                          { "compiler", machine.compiler },
                          { "bullet", machine.bullet },
                          { "commit", machine.commit },
                          { "date", machine.date },
                          { "missing", fmt::format( "{}", fmt::join( missingEngines(), " " ) ) },
                          { "rows", rowCount } };
    std::string text;
    for ( const auto& item : head.items() )
    {
        text += fmt::format( "# {},{}\n", item.key(), csvField( item.value() ) );
    }
    return text;
}

void write( const std::string& path, const std::string& text )
{
    if ( path.empty() )
    {
        fmt::print( "{}", text );
        return;
    }
    std::ofstream file( path, std::ios::binary );
    if ( !( file << text && file.flush() ) )
    {
        throw std::runtime_error( fmt::format( "writing '{}' failed", path ) );
    }
    fmt::print( stderr, "cullet: written to {}; demos/bench/results/README.md says where to send it\n", path );
}

/// Minutes that these sizes take on a machine of two processors: nearly proportional to the bodies.
double expectedMinutes( const std::vector<std::uint32_t>& bodies )
{
    constexpr double secondsOfBody = 0.0024; // measured up to 100,000 bodies
    return secondsOfBody / 60 * std::accumulate( bodies.begin(), bodies.end(), 0.0 );
}

void bench( BenchOptions options )
{
    command::refuseRepeats( "--bodies", options.bodies );
    std::sort( options.bodies.begin(), options.bodies.end() );
    if ( !options.out.empty() && !std::ofstream( options.out, std::ios::app ) ) // before an hour of measuring
    {
        throw CLI::ValidationError( "--out", fmt::format( "cannot write '{}'", options.out ) );
    }
    fmt::print( stderr, "cullet: this takes about {:.0f} min, mostly for btDbvt; nothing else should run meanwhile\n",
                std::ceil( expectedMinutes( options.bodies ) ) );
    const std::vector<Part> parts = partsOf( options.bodies );
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Run> runs;
    for ( std::size_t k = 0; k < parts.size(); ++k )
    {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        fmt::print( stderr, "==> [{:.0f} s] part {} of {}: {}\n", elapsed.count(), k + 1, parts.size(), parts[k].name );
        const std::vector<Run> more = runCases( parts[k].options );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    write( options.out, headText( runs.size() ) + runsCsv( runs, columns ) );
}

} // namespace

} // namespace cullet::bench

void addBenchCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "bench", "Measures this machine for the tables: one CSV" );
    const auto options = std::make_shared<cullet::bench::BenchOptions>();
    command->add_option( "--bodies", options->bodies, "Sizes" )
        ->delimiter( ',' )
        ->check( cullet::command::between( 1, cullet::bench::mostBodies, cullet::command::Number::whole ) );
    command->add_option( "--out", options->out, "The file, instead of standard output" )->default_str( "" );
    command->footer(
        R"(Runs btDbvtBroadphase, cullet, its C API, and the other projects that this build has, in the scenes of our
tables, and says first how long that takes: about a minute for --bodies 1000,10000. The file has the machine,
then a line for each measurement. demos/bench/results/README.md describes it and says where to send it.
)" );
    command->callback( [options] { cullet::bench::bench( *options ); } );
}
