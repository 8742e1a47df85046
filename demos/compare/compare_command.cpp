// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: memory first, then the races, then the report.
#include "compare_options.h"
#include "peak_memory.h"
#include "plot.h"
#include "verdict.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/race/race.h"
#include "demos/report/report.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>

namespace
{

using namespace cullet::compare;
using cullet::command::Progress;

using PeakMemory = std::vector<std::optional<double>>; ///< one for each entrant

/// For progress: only what is not as usual is named.
std::string shortName( const cltSceneDef& def )
{
    std::string name = fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount );
    if ( def.movingPercent != 100 )
    {
        name += fmt::format( ", {:g} % moving", def.movingPercent );
    }
    if ( def.speed != 1 )
    {
        name += fmt::format( ", speed {:g}", def.speed );
    }
    if ( def.jumpingPercent != 0 )
    {
        name += fmt::format( ", {:g} % jumping", def.jumpingPercent );
    }
    return name;
}

/// For all cases before anything else: see askChild.
std::vector<PeakMemory> measureMemory( const std::vector<cltSceneDef>& cases, const CompareOptions& options,
                                       Progress& progress )
{
    const std::vector<Entrant> all = entrants( options );
    std::vector<PeakMemory> peaks( cases.size(), PeakMemory( all.size() ) );
    for ( std::size_t k = 0; k < cases.size() && !options.noMemory; ++k )
    {
        progress.stage( fmt::format( "{}/{} memory of {}", k + 1, cases.size(), shortName( cases[k] ) ) );
        for ( std::size_t entrant = 0; entrant < all.size(); ++entrant )
        {
            progress.detail( entrantName( all[entrant] ) );
            peaks[k][entrant] = measurePeakMib( cases[k], all[entrant], options );
        }
    }
    return peaks;
}

std::vector<Run> runCase( const cltSceneDef& def, const PeakMemory& peaks, const CompareOptions& options,
                          Progress& progress )
{
    SceneStream stream( def, { options.warmup, options.steps, options.seconds } );
    std::vector<Run> runs = race( stream, options, { options.turn, options.check, 1 }, progress );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        runs[k].scene = cltSceneName( def.kind );
        runs[k].bodies = def.bodyCount;
        runs[k].moving = def.movingPercent;
        runs[k].speed = double( def.speed );
        runs[k].jumping = def.jumpingPercent;
        runs[k].peakMib = peaks[k];
    }
    setRatiosToDbvt( runs );
    return runs;
}

std::vector<Run> runAll( const CompareOptions& options )
{
    Progress progress;
    const std::vector<cltSceneDef> cases = casesOf( options );
    const std::vector<PeakMemory> peaks = measureMemory( cases, options, progress );
    std::vector<Run> runs;
    for ( std::size_t k = 0; k < cases.size(); ++k )
    {
        progress.stage( fmt::format( "{}/{} {}", k + 1, cases.size(), shortName( cases[k] ) ) );
        const std::vector<Run> more = runCase( cases[k], peaks[k], options, progress );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    return runs;
}

/// Below the table; beside JSON and CSV on stderr, which are read by programs.
bool tellSlower( const CompareOptions& options, const std::vector<Run>& runs )
{
    if ( !options.neverSlower )
    {
        return false;
    }
    const Verdict verdict = judge( runs );
    fmt::print( options.format == "table" ? stdout : stderr, "{}", verdict.text );
    return verdict.anySlower;
}

void compare( CompareOptions options )
{
    settleCompareOptions( options );
    requireEngines( options );
    if ( options.neverSlower )
    {
        requireBothSides( options );
    }
    if ( !options.plot.empty() )
    {
        requirePlotting( options.plot );
    }
    const std::vector<Run> runs = runAll( options );
    const Machine machine = describeMachine();
    printReport( options.format, machine, runs );
    if ( !options.plot.empty() )
    {
        plotRuns( options.plot, machine, runs );
    }
    const bool anyWrong = tellWrong( runs );
    if ( tellSlower( options, runs ) || anyWrong )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addCompareCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "compare", "The same boxes through Bullet's broadphases and cullet's" );
    const auto options = std::make_shared<CompareOptions>();
    addCompareOptions( *command, *options );
    command->callback( [options] { compare( *options ); } );
}
