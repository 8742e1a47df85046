// SPDX-License-Identifier: Zlib
/// \file replay_command.cpp
/// `cullet replay`: reads the file once to check it, and again to replay it.
#include "demos/command/commands.h"
#include "demos/command/option_checks.h"
#include "demos/race/race.h"
#include "demos/race/recorded_stream.h"
#include "demos/report/report.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace
{

using namespace cullet::command;
using namespace cullet::compare;
using cullet::recording::RecordingError;
using cullet::recording::Statistics;

constexpr double mostCheckEvery = 1e9;

struct ReplayOptions : EngineOptions
{
    std::string file;
    std::uint64_t checkEvery = 1; ///< check every n-th step and the last one
};

std::string replayFooter()
{
    return engineList( recordingFamilies ) + R"(
All engines make the recorded calls, step by step. They take turns, and another one begins at each step.
"pairs" is calculateOverlappingPairs, "set" is all other calls except queries, and "total" includes
queries. Times are medians over all recorded steps; those of queries are medians over the steps that
have any. "worst" is the longest total, and "p99" the 99th percentile, from 100 steps on. Pairs, and those
that began or ended, are counted in the last step.

If the recorded program crashed, its recording ends early. Its whole steps are replayed, and a line on
stderr says how many.

--check compares the pairs of each step, and every query result, with an independent oracle. Engines
with exact boxes must equal it, those with fat boxes must contain it. Queries of CulletBroadphase may
exceed it by Bullet's gDbvtMargin. core casts only rays that are segments. Pairs of bodies with a filter
that was edited in place may exist or not. If a box has a NaN or is inverted, Bullet's own broadphases
are not checked.
)";
}

/// Facts about a recording that have no column in the table.
std::vector<std::string> notesOn( const Statistics& statistics )
{
    const bool isDouble = statistics.scalarBytes == sizeof( double );
    const std::uint64_t edits = statistics.count( EventKind::filter );
    std::vector<std::string> notes;
    const auto noteIf = [&notes]( bool applies, const std::string& note )
    {
        if ( applies )
        {
            notes.push_back( note );
        }
    };
    noteIf( true, fmt::format( "recorded in {}: {} steps, {} bodies created, {} setAabb, {} rays, {} box queries",
                               isDouble ? "double" : "float", statistics.count( EventKind::step ),
                               statistics.count( EventKind::create ), statistics.count( EventKind::move ),
                               statistics.count( EventKind::ray ), statistics.count( EventKind::boxQuery ) ) );
    noteIf( true, fmt::format( "the recorded broadphase held {} pairs after its last step", statistics.lastPairs ) );
    noteIf( isDouble,
            "replayed in float: boxes are rounded to nearest, which loses no pair but may add some that touch" );
    noteIf( statistics.hadCallback,
            "the program had a filter callback; the replay uses only group and mask, so pairs may differ" );
    noteIf( edits > 0, fmt::format( "{} filters edited in place: pairs of those bodies may exist or not", edits ) );
    noteIf( statistics.oddBoxes > 0,
            fmt::format( "{} boxes with a NaN or inverted: Bullet's own broadphases are not checked",
                         statistics.oddBoxes ) );
    return notes;
}

std::vector<Run> replayAll( const ReplayOptions& options )
{
    const std::string name = std::filesystem::u8path( options.file ).filename().string();
    Statistics statistics;
    {
        Progress reading;
        reading.detail(
            fmt::format( "reading {}", name ) ); // not a stage, so that a read error is a single line in logs, too
        statistics = cullet::recording::readStatistics( options.file );
    }
    if ( statistics.isCutOff )
    {
        fmt::print( stderr, "cullet: '{}' ends early: its {} whole steps are replayed\n", options.file,
                    statistics.count( EventKind::step ) );
    }
    Progress progress;
    progress.stage(
        fmt::format( "{}, {} bodies, {} steps", name, statistics.mostAlive, statistics.count( EventKind::step ) ) );
    RecordedStream stream( options.file, statistics );
    std::vector<Run> runs = race( stream, options, { 1, options.checkEvery }, progress );
    const std::uint64_t moves = statistics.count( EventKind::move );
    for ( Run& run : runs )
    {
        run.scene = name;
        run.bodies = statistics.mostAlive;
        run.moving = moves == 0 ? 0 : 100 * double( statistics.changedMoves ) / double( moves );
        run.notes = notesOn( statistics );
    }
    return runs;
}

void replay( const ReplayOptions& options )
{
    requireEngines( options );
    std::vector<Run> runs;
    try
    {
        runs = replayAll( options );
    }
    catch ( const RecordingError& error )
    {
        throw CLI::ValidationError( fmt::format( "'{}' {}", options.file, error.what() ) );
    }
    if ( printReport( options.format, runs ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addReplayCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "replay", "Replay a recording on Bullet's broadphases and cullet" );
    const auto options = std::make_shared<ReplayOptions>();
    options->engines = engineNames( recordingFamilies );
    command->add_option( "file", options->file, "A recording of CulletRecorder or `cullet record`" )->required();
    addEngineOptions( *command, *options, recordingFamilies );
    command->add_option( "--check-every", options->checkEvery, "Check every n-th step, and the last one" )
        ->check( between( 1, mostCheckEvery, Number::whole ) )
        ->needs( command->get_option( "--check" ) );
    command->footer( replayFooter() );
    command->callback( [options] { replay( *options ); } );
}
