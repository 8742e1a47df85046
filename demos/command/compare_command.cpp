// SPDX-License-Identifier: Zlib
/// \file compare_command.cpp
/// `cullet compare`: memory first, then the races, then the report.
#include "commands.h"

#include "compare_options.h"
#include "machine.h"
#include "peak_memory.h"
#include "plot.h"
#include "progress.h"
#include "race.h"
#include "report.h"

#include <fmt/format.h>

#include <memory>

namespace
{

using namespace cullet::compare;

std::vector<cltSceneDef> sceneDefs( const CompareOptions& options )
{
    std::vector<cltSceneDef> defs;
    for ( const std::string& name : options.scenes )
    {
        cltSceneKind kind;
        cltFindScene( name.c_str(), &kind ); // the option took only names that exist
        for ( const std::uint32_t bodies : options.bodies )
        {
            defs.push_back( { kind, bodies, options.moving, float( options.speed ), options.seed } );
        }
    }
    return defs;
}

std::string caseName( const cltSceneDef& def )
{
    return fmt::format( "{}, {} bodies", cltSceneName( def.kind ), def.bodyCount );
}

using PeakMemory = std::vector<std::optional<double>>; ///< one for each engine

/// For all sizes before anything else: see measurePeakMib.
std::vector<PeakMemory> measureMemory( const std::vector<cltSceneDef>& defs, const CompareOptions& options,
                                       Progress& progress )
{
    std::vector<PeakMemory> peaks( defs.size(), PeakMemory( options.engines.size() ) );
    for ( std::size_t k = 0; k < defs.size() && !options.noMemory; ++k )
    {
        progress.stage( fmt::format( "memory of {}", caseName( defs[k] ) ) );
        for ( std::size_t engine = 0; engine < options.engines.size(); ++engine )
        {
            progress.detail( options.engines[engine] );
            peaks[k][engine] = measurePeakMib( defs[k], *findEngineKind( options.engines[engine] ), options );
        }
    }
    return peaks;
}

std::vector<Run> runCase( const cltSceneDef& def, const PeakMemory& peaks, const CompareOptions& options,
                          Progress& progress )
{
    progress.stage( caseName( def ) );
    std::vector<Run> runs = race( def, options, progress );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        runs[k].scene = cltSceneName( def.kind );
        runs[k].bodies = def.bodyCount;
        runs[k].moving = options.moving;
        runs[k].speed = options.speed;
        runs[k].peakMib = peaks[k];
    }
    setRatiosToDbvt( runs );
    return runs;
}

std::vector<Run> runAll( const CompareOptions& options )
{
    Progress progress;
    const std::vector<cltSceneDef> defs = sceneDefs( options );
    const std::vector<PeakMemory> peaks = measureMemory( defs, options, progress );
    std::vector<Run> runs;
    for ( std::size_t k = 0; k < defs.size(); ++k )
    {
        const std::vector<Run> more = runCase( defs[k], peaks[k], options, progress );
        runs.insert( runs.end(), more.begin(), more.end() );
    }
    return runs;
}

void compare( CompareOptions options )
{
    settleCompareOptions( options );
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
    if ( tellWrong( runs ) )
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
