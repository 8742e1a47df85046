// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: memory first, then the races, then the report.
#include "compare.h"

#include "demos/command/commands.h"
#include "demos/race/race.h"
#include "demos/report/gnuplot.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>

namespace
{

using namespace cullet::compare;
using cullet::command::Progress;

using PeakMemory = std::vector<std::optional<double>>; ///< one for each entrant

/// For progress output: names only the values that differ from the defaults.
std::string shortName( const cltSceneDef& def )
{
    const auto named = []( double value, double usual, const char* text )
    { return value == usual ? "" : fmt::format( text, value ); };
    return fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount ) +
           named( def.movingPercent, 100, ", {:g} % moving" ) + named( double( def.speed ), 1, ", speed {:g}" ) +
           named( def.jumpingPercent, 0, ", {:g} % jumping" );
}

/// Measures the memory of all cases before anything else runs: see askChild.
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
    std::vector<Run> runs = race( stream, options, { options.turn }, progress );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        runs[k].scene = cltSceneName( def.kind );
        runs[k].bodies = def.bodyCount;
        runs[k].moving = def.movingPercent;
        runs[k].speed = double( def.speed );
        runs[k].jumping = def.jumpingPercent;
        runs[k].peakMib = peaks[k];
    }
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

void compare( CompareOptions options )
{
    settleCompareOptions( options );
    if ( !options.plot.empty() )
    {
        cullet::gnuplot::require( options.plot );
    }
    const std::vector<Run> runs = runAll( options );
    bool isBad = printReport( options.format, runs );
    if ( !options.plot.empty() )
    {
        plotRuns( options.plot, runs );
    }
    if ( options.neverSlower )
    {
        const Verdict verdict = judge( runs );
        // Programs read JSON and CSV, so that the text goes to stderr.
        fmt::print( options.format == "table" ? stdout : stderr, "{}", verdict.text );
        isBad = isBad || verdict.anySlower;
    }
    if ( isBad )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

void addCompareCommand( CLI::App& app )
{
    CLI::App* command = app.add_subcommand( "compare", "Compares Bullet's broadphases and cullet's on the same boxes" );
    const auto options = std::make_shared<CompareOptions>();
    addCompareOptions( *command, *options );
    command->callback( [options] { compare( *options ); } );
}
