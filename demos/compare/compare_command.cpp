// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: measures memory, runs the races, and prints the report.
#include "compare.h"

#include "demos/command/commands.h"
#include "demos/race/race.h"
#include "demos/report/gnuplot.h"
#include "demos/report/numbers.h"
#include "demos/system/system.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace
{

using namespace cullet::compare;
using cullet::command::Progress;

using PeakMemory = std::vector<std::optional<double>>; ///< one for each entrant

/// The name of a case for progress output, with only the values that differ from the defaults.
std::string shortName( const cltSceneDef& def )
{
    const auto named = []( double value, double usual, const char* text )
    { return value == usual ? "" : fmt::format( text, value ); };
    return fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount ) +
           named( def.movingPercent, 100, ", {:g} % moving" ) + named( double( def.speed ), 1, ", speed {:g}" ) +
           named( def.jumpingPercent, 0, ", {:g} % jumping" );
}

/// Measures the memory of all cases before anything else runs: see runInChild.
std::vector<PeakMemory> measureMemory( const std::vector<cltSceneDef>& cases, const CompareOptions& options,
                                       Progress& progress )
{
    const std::vector<Entrant> all = entrants( options );
    std::vector<PeakMemory> peaks( cases.size(), PeakMemory( all.size() ) );
    if ( options.noMemory )
    {
        return peaks;
    }
    if ( !cullet::system::canMeasurePeak() )
    {
        fmt::print( stderr, "cullet: peak memory is left out; it is measured on Linux only\n" );
        return peaks;
    }
    for ( std::size_t k = 0; k < cases.size(); ++k )
    {
        progress.stage( fmt::format( "{}/{} memory of {}", k + 1, cases.size(), shortName( cases[k] ) ) );
        for ( std::size_t entrant = 0; entrant < all.size(); ++entrant )
        {
            progress.detail( all[entrant].name() );
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

/// `--never-slower`: compares, for each case, cullet through Bullet's interface with Bullet's fastest broadphase, by
/// medians of whole steps without a tolerance; more steps reduce the noise. Prints the cases in which cullet was
/// slower, the worst first; or, if there are none, the case in which its lead was smallest.
/// \return whether cullet was slower in any case
bool printVerdict( std::FILE* file, const std::vector<Run>& runs )
{
    std::map<std::string, const Run*> fastest; // Bullet's fastest run, by case
    for ( const Run& run : runs )
    {
        if ( engineKind( run.engine ).family == Family::bullet && run.ms[totalMs] )
        {
            const Run*& best = fastest[caseName( run )];
            best = best == nullptr || *run.ms[totalMs] < *best->ms[totalMs] ? &run : best;
        }
    }
    std::multimap<double, std::string, std::greater<>> matches; // by cullet's time over Bullet's
    for ( const Run& run : runs )
    {
        const auto found = fastest.find( caseName( run ) );
        if ( engineKind( run.engine ).family == Family::plugin && run.ms[totalMs] && found != fastest.end() )
        {
            const Run& bullet = *found->second;
            const double times = *run.ms[totalMs] / *bullet.ms[totalMs];
            matches.emplace( times,
                             fmt::format( "    {}:\n        {} x{} {} ms, {} {} ms: {} times as long\n",
                                          caseName( run ), run.engine, run.threads, threeDigits( *run.ms[totalMs] ),
                                          bullet.engine, threeDigits( *bullet.ms[totalMs] ), threeDigits( times ) ) );
        }
    }
    const auto firstFaster = matches.lower_bound( 1 );
    const bool anySlower = firstFaster != matches.begin();
    fmt::print( file, "\ncullet beside the fastest of Bullet's own: slower in {} of {}\n",
                std::distance( matches.begin(), firstFaster ), matches.size() );
    std::for_each( matches.begin(), firstFaster,
                   [file]( const auto& match ) { fmt::print( file, "{}", match.second ); } );
    if ( !anySlower && !matches.empty() )
    {
        fmt::print( file, "closest to it:\n{}", matches.begin()->second );
    }
    return anySlower;
}

void compare( CompareOptions options )
{
    completeCompareOptions( options );
    if ( !options.plot.empty() )
    {
        cullet::gnuplot::requireWritable( options.plot );
    }
    const std::vector<Run> runs = runAll( options );
    bool isBad = printReport( options.format, runs );
    if ( !options.plot.empty() )
    {
        plotRuns( options.plot, runs );
    }
    if ( options.neverSlower )
    {
        // Programs read JSON and CSV, so the verdict goes to stderr.
        isBad |= printVerdict( options.format == "table" ? stdout : stderr, runs );
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
