// SPDX-License-Identifier: Zlib
/// \file comparison.cpp
/// The clocks measure the steps of the worlds and no work in between. The totals of the parts add up to the total of
/// the step; their medians do not add up to its median. Table, CSV, JSON and picture are made from the same summaries.
#include "comparison.h"
#include "parts_script.h"
#include "synchronize.h"

#include "demos/engines/core_engine.h"
#include "demos/report/gnuplot.h"
#include "demos/report/numbers.h"
#include "demos/report/records.h"
#include "demos/report/timing.h"
#include "plugin/CulletBroadphase.h"

#include <algorithm>
#include <regex>

namespace cullet::demo
{
namespace
{

using compare::Cells;
using compare::grouped;
using compare::Record;
using compare::threeDigits;

struct Summary
{
    PartTimes median;
    PartTimes total;
    PartTimes processor; ///< total of all threads
    double pairs;        ///< mean
    double touching;     ///< mean
};

constexpr struct
{
    const char* heading; ///< in the table
    const char* suffix;  ///< of names in a record
    PartTimes Summary::*times;
} senses[] = { { "median", "_ms", &Summary::median },
               { "total", "_total_ms", &Summary::total },
               { "processor", "_processor_ms", &Summary::processor } };

Summary summaryOf( const WorldRun& run )
{
    Summary summary = {};
    std::array<std::vector<double>, partCount> ms;
    const auto steps = double( run.records.size() );
    for ( const StepRecord& record : run.records )
    {
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            ms[part].push_back( record.wall[part] );
            summary.total[part] += record.wall[part];
            summary.processor[part] += record.processor[part];
        }
        summary.pairs += record.pairs / steps;
        summary.touching += record.touching / steps;
    }
    std::transform( ms.begin(), ms.end(), summary.median.begin(),
                    []( const std::vector<double>& values ) { return *compare::medianIfAny( values ); } );
    return summary;
}

/// The rate of steps divided by the rate of dbvt in the same kind of world; empty if dbvt was not run.
std::optional<double> ratioOf( PartTimes Summary::*times, const WorldRun& run, const std::vector<WorldRun>& runs )
{
    const auto dbvt =
        std::find_if( runs.begin(), runs.end(),
                      [&]( const WorldRun& other ) { return other.kind == run.kind && other.broadphase == "dbvt"; } );
    return dbvt == runs.end() ? std::nullopt
                              : std::optional<double>( ( summaryOf( *dbvt ).*times )[wholeStep] /
                                                       ( summaryOf( run ).*times )[wholeStep] );
}

std::string stepsOf( const WorldRun& run )
{
    return fmt::format( "{} steps of 1/{:.0f} s", run.records.size(), 1 / stepSeconds );
}

std::string sizeOf( const WorldRun& run )
{
    return fmt::format( "{} bodies, {}", grouped( std::uint64_t( run.bodies ) ), stepsOf( run ) );
}

/// What all runs have in common. Worlds in files have different numbers of bodies.
std::string commonSizeOf( const std::vector<WorldRun>& runs )
{
    const bool areEqual =
        std::all_of( runs.begin(), runs.end(), [&]( const WorldRun& run ) { return run.bodies == runs[0].bodies; } );
    return areEqual ? sizeOf( runs[0] ) : stepsOf( runs[0] );
}

/// The entry of a run, in three rows: median, total and processor time. The first cells are the run's name and pairs.
compare::Entry entryOf( const WorldRun& run, const std::vector<WorldRun>& runs )
{
    const Summary summary = summaryOf( run );
    const std::string titles[] = { run.broadphase, grouped( std::uint64_t( summary.pairs ) ) + " pairs",
                                   grouped( std::uint64_t( summary.touching ) ) + " touching" };
    const std::string* title = titles;
    compare::Entry entry = { {}, run.kind + ", " + sizeOf( run ), {}, {} };
    entry.record = { { "kind", run.kind },
                     { "bodies", run.bodies },
                     { "broadphase", run.broadphase },
                     { "algorithm", compare::orNull( run.algorithm ) },
                     { "steps", run.records.size() } };
    for ( const auto& sense : senses )
    {
        Cells& cells = entry.rows.emplace_back( Cells{ *title++, sense.heading } );
        const auto add = [&]( const std::string& name, const Record& value )
        {
            entry.record[name] = value;
            cells.push_back( compare::cellOf( value ) );
        };
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            add( columnName( part, sense.suffix ), ( summary.*sense.times )[part] );
        }
        add( std::string( "ratio_to_dbvt" ) + sense.suffix, compare::orNull( ratioOf( sense.times, run, runs ) ) );
    }
    entry.record["pairs"] = summary.pairs;
    entry.record["touching"] = summary.touching;
    return entry;
}

} // namespace

std::string columnName( std::size_t part, const char* suffix )
{
    return std::regex_replace( partNames[part], std::regex( " " ), "_" ) + suffix;
}

std::vector<WorldRun> runWorlds( const WorldKind& kind, const std::vector<std::string>& broadphases,
                                 const WorldOptions& requested, const std::function<void( int step )>& watch,
                                 Worlds& worlds, command::Progress& progress )
{
    const WorldOptions options = optionsFor( kind, requested );
    std::vector<WorldRun> runs;
    for ( const std::string& name : broadphases )
    {
        progress.detail( fmt::format( "filling a world over {}", name ) );
        runs.push_back( { kind.name, options.bodies, name, "", {} } );
        worlds.push_back( std::make_unique<World>( createBroadphase( name, options ), kind.isSoft ) );
        kind.fill( *worlds.back(), options.bodies );
    }
    watch( 0 );
    for ( int step = 1; step <= options.steps; ++step )
    {
        for ( std::size_t k = 1; k < worlds.size() && !kind.isSoft; ++k )
        {
            copyMotion( *worlds[0], *worlds[k] );
        }
        for ( std::size_t turn = 0; turn < worlds.size(); ++turn )
        {
            const std::size_t k = ( std::size_t( step ) - 1 + turn ) % worlds.size();
            runs[k].records.push_back( worlds[k]->step() );
        }
        progress.step( step, options.steps, runs.back().records.back().summary() );
        watch( step );
    }
    for ( std::size_t k = 0; k < worlds.size(); ++k )
    {
        const CulletBroadphase* cullet = worlds[k]->cullet();
        runs[k].algorithm =
            cullet == nullptr ? "" : cltAlgorithmName( compare::coreStats( *cullet->getCore() ).algorithm );
    }
    return runs;
}

void printWorlds( const std::string& format, const std::vector<WorldRun>& runs )
{
    Cells headings = { "broadphase", "ms" };
    headings.insert( headings.end(), partNames.begin(), partNames.end() );
    headings.push_back( "x dbvt" );
    std::vector<compare::Entry> entries;
    for ( const WorldRun& run : runs )
    {
        entries.push_back( entryOf( run, runs ) );
    }
    compare::printEntries( format, headings, entries );
}

/// The picture's data has a block for each kind, and in it a line for each run: name, rate divided by dbvt's,
/// processor time of a mean step over all threads, and its wall time part by part, in milliseconds.
void drawWorlds( const std::string& path, const std::vector<WorldRun>& runs )
{
    std::string titles, blocks, parts;
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || runs[k - 1].kind != runs[k].kind )
        {
            titles += runs[k].kind + " ";
            blocks += k > 0 ? "\n\n" : "";
        }
        const Summary summary = summaryOf( runs[k] );
        const auto steps = double( runs[k].records.size() );
        const std::optional<double> ratio = ratioOf( &Summary::total, runs[k], runs );
        blocks += fmt::format( "{} {} {}", runs[k].broadphase, ratio ? fmt::format( "{:.2f}x", *ratio ) : "-",
                               summary.processor[wholeStep] / steps );
        for ( std::size_t part = 0; part < wholeStep; ++part )
        {
            blocks += fmt::format( " {}", summary.total[part] / steps );
        }
        blocks += "\n";
    }
    for ( std::size_t part = 0; part < wholeStep; ++part )
    {
        parts += fmt::format( " \"{}\"", partNames[part] );
    }
    gnuplot::run( fmt::format( "picture = {}\nheading = \"{}{}: the mean of a step, and times the rate with btDbvt\"\n"
                               "titles = '{}'\nparts = '{}'\n$runs << END\n{}END\n",
                               gnuplot::quoted( path ), compare::pictureHeading(), commonSizeOf( runs ), titles, parts,
                               blocks ) +
                  partsScript );
}

} // namespace cullet::demo
