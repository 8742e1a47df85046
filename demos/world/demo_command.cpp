// SPDX-License-Identifier: Zlib
/// \file demo_command.cpp
/// `cullet demo`: one falling column with pictures, or a comparison of worlds over several broadphases.
#include "column_demo.h"

#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/report/gnuplot.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

namespace
{

using namespace cullet::demo;

constexpr int leastPixels = 16;
constexpr int mostPixels = 4096;

struct DemoOptions : WorldOptions
{
    std::vector<std::string> broadphases = { "cullet" };
    std::vector<std::string> kinds = { "pile" };
    std::string format;      ///< empty: as a table
    std::string out = "out"; ///< a directory
    std::string size = "1280x800";
};

PictureSize parseSize( const std::string& text )
{
    PictureSize size;
    char rest;
    const int count = std::sscanf( text.c_str(), "%4dx%4d%c", &size.width, &size.height, &rest );
    if ( count != 2 || std::min( size.width, size.height ) < leastPixels ||
         std::max( size.width, size.height ) > mostPixels )
    {
        throw CLI::ValidationError(
            "--size", fmt::format( "'{}' is not WIDTHxHEIGHT, each from {} to {}", text, leastPixels, mostPixels ) );
    }
    return size;
}

/// Creates the directory if necessary and tries to write a file, so that a long run does not fail at its end.
/// \return the file's path
std::string prepareFile( const std::string& directory, const char* name )
{
    const std::filesystem::path path = std::filesystem::path( directory ) / name;
    std::error_code error;
    std::filesystem::create_directories( directory, error );
    if ( error || !std::ofstream( path ) )
    {
        const std::string reason = error ? ": " + error.message() : "";
        throw CLI::ValidationError( "--out", fmt::format( "cannot write into directory '{}'{}", directory, reason ) );
    }
    return path.string();
}

/// Pictures show the first world at the start and at the end, but all soft worlds at the end, as these drift apart.
std::vector<WorldRun> compareKind( const WorldKind& kind, const DemoOptions& options,
                                   cullet::command::Progress& progress )
{
    const auto draw = [&]( const World& world, const std::string& when )
    { kind.draw( world, fmt::format( "{}/demo-{}-{}.png", options.out, kind.name, when ) ); };
    const auto watch = [&]( int step, Worlds& worlds )
    {
        if ( kind.draw == nullptr || ( step > 0 && step < options.steps ) )
        {
            return;
        }
        for ( std::size_t k = 0; k < ( kind.isSoft && step > 0 ? worlds.size() : 1 ); ++k )
        {
            draw( *worlds[k], step == 0 ? "before" : kind.isSoft ? "after-" + options.broadphases[k] : "after" );
        }
    };
    progress.stage( fmt::format( "{}, {} bodies", kind.name, options.bodies ) );
    return runWorlds( kind, options.broadphases, options, progress, watch );
}

void compare( const DemoOptions& options )
{
    const std::string picture = prepareFile( options.out, "demo-parts.png" );
    cullet::command::Progress progress;
    std::vector<WorldRun> runs;
    for ( const std::string& kind : options.kinds )
    {
        const std::vector<WorldRun> more = compareKind( worldKind( kind ), options, progress );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    printWorlds( options.format, runs );
    if ( cullet::gnuplot::isInstalled() )
    {
        drawWorlds( picture, runs );
    }
}

void runDemo( const DemoOptions& options )
{
    const PictureSize size = parseSize( options.size );
    cullet::command::refuseRepeats( "--broadphase", options.broadphases );
    cullet::command::refuseRepeats( "--kind", options.kinds );
    const WorldKind& kind = worldKind( options.kinds[0] );
    if ( options.broadphases.size() > 1 || options.kinds.size() > 1 || !kind.isColumn )
    {
        compare( options );
        return;
    }
    if ( !options.format.empty() )
    {
        throw CLI::ValidationError( "--format", "is for comparisons: see --kind and --broadphase" );
    }
    prepareFile( options.out, "demo-steps.csv" );
    if ( !runColumnDemo( kind, options, options.broadphases[0], size, options.out ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

constexpr const char* comparisonFooter = R"(
One kind of falling bodies over one broadphase: three pictures, demo-early.png, demo-middle.png and demo-late.png.
Several broadphases or kinds, and all other kinds: the same world is stepped over each broadphase in turns, a different
one first each time. A table shows the milliseconds of the parts of Bullet's step; "boxes", "broadphase" and a part of
"actions" are the broadphase's. At the start of each step all worlds are placed like the first one. Medians are over the
steps, separately for each part; totals add up. "processor" is the time of all threads. "pairs" is the number of pairs
that the narrow phase gets in a step, and "touching" how many of them touch. demo-parts.png shows the same, and
demo-concave-before.png and -after.png show the rings of "concave". Worlds of "cloth" are not placed like the first:
demo-cloth-before.png shows the start, and an -after.png for each broadphase the end. Over cullet, cloths collide with
themselves. Triangles that cross others of the same cloth are red. The time of the cloths is in "rest".
)";

} // namespace

void addDemoCommand( CLI::App& app )
{
    std::vector<std::string> kindNames;
    std::string kindList = "Kinds:\n";
    for ( const WorldKind& kind : worldKinds )
    {
        kindNames.push_back( kind.name );
        kindList += fmt::format( "  {:<10} {}\n", kind.name, kind.description );
    }
    CLI::App* command = app.add_subcommand( "demo", "Runs a Bullet world: boxes, spheres and slabs fall on a plane" );
    const auto options = std::make_shared<DemoOptions>();
    addWorldOptions( *command, *options );
    command->add_option( "--broadphase", options->broadphases, "Broadphases; several are compared" )
        ->delimiter( ',' )
        ->check( cullet::command::oneOf( broadphaseNames() ) );
    command->add_option( "--kind", options->kinds, "Kinds of worlds, see below; several are compared" )
        ->delimiter( ',' )
        ->check( cullet::command::oneOf( kindNames ) );
    command->add_option( "--format", options->format, "Format of a comparison: table, csv or json" )
        ->check( cullet::command::oneOf( { "table", "csv", "json" } ) );
    command->add_option( "--out", options->out, "Directory of the pictures" );
    command->add_option( "--size", options->size, "Size of the pictures of the bodies, in pixels" );
    command->footer( kindList + comparisonFooter );
    command->callback( [options] { runDemo( *options ); } );
}
