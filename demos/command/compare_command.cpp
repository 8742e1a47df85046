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

#include <algorithm>
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

void setRatios( std::vector<Run>& runs )
{
    const auto dbvt = std::find_if( runs.begin(), runs.end(), []( const Run& run ) { return run.engine == "dbvt"; } );
    for ( Run& run : runs )
    {
        if ( dbvt != runs.end() && dbvt->totalMs && run.totalMs && *run.totalMs > 0 )
        {
            run.ratioToDbvt = *dbvt->totalMs / *run.totalMs;
        }
    }
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
    setRatios( runs );
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

std::string report( const std::string& format, const Machine& machine, const std::vector<Run>& runs )
{
    return format == "json"  ? jsonReport( machine, runs )
           : format == "csv" ? csvReport( runs )
                             : tableReport( machine, runs );
}

/// One line for each engine that was wrong, whatever the format of the report.
bool tellWrong( const std::vector<Run>& runs )
{
    bool anyWrong = false;
    for ( const Run& run : runs )
    {
        if ( !run.wrong.empty() )
        {
            fmt::print( stderr, "cullet: {} on {}, {} bodies, {}\n", run.engine, run.scene, run.bodies, run.wrong );
            anyWrong = true;
        }
    }
    return anyWrong;
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
    fmt::print( "{}", report( options.format, machine, runs ) );
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
