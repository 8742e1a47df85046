// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: memory first, then the races, then the report.
#include "commands.h"

#include "cases.h"
#include "device_option.h"
#include "machine.h"
#include "peak_memory.h"
#include "plot.h"
#include "progress.h"
#include "race.h"
#include "report.h"
#include "verdict.h"

#include <fmt/format.h>

#include <memory>

namespace
{

using namespace cullet::compare;

using PeakMemory = std::vector<std::optional<double>>; ///< one for each entrant

/// For all cases before anything else: see measurePeakMib.
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
    std::vector<Run> runs = race( def, options, progress );
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
    requireSimd( options );
    cullet::command::requireDevice( options.device );
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
    fmt::print( "{}", formattedReport( options.format, machine, runs ) );
    std::fflush( stdout );
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
