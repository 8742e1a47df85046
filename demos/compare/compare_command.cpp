// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: measures all cases and prints the report.
#include "compare.h"

#include "demos/command/commands.h"
#include "demos/report/gnuplot.h"
#include "demos/report/numbers.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace
{

using namespace cullet::compare;

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
    const std::vector<Run> runs = runCases( options );
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
