// SPDX-License-Identifier: Zlib
/// \file papers_command.cpp
/// `cullet papers`: lists the tables of the papers, or measures them.
#include "papers.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/command/option_checks.h"
#include "demos/compare/compare.h"
#include "demos/report/machine.h"
#include "demos/report/records.h"
#include "demos/report/timing.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>

namespace cullet::papers
{

namespace
{

using compare::orNull;
using compare::Record;

struct Options
{
    std::vector<std::string> ids;
    std::string device = "cpu";
    int threads = 0;
    bool isQuick = false;
    std::string format = "table";
    std::string plot; ///< folder; empty: no pictures
};

std::vector<std::string> allIds()
{
    std::vector<std::string> ids = { "all" };
    for ( const Table& table : allTables() )
    {
        ids.push_back( table.id );
    }
    return ids;
}

void list()
{
    for ( const Table& table : allTables() )
    {
        fmt::print( "{:<14} {}, {}: {}\n", table.id, table.paper->name, table.place, table.title );
    }
    fmt::print( "\nNot here:\n" );
    for ( const Absent& absent : absentTables() )
    {
        fmt::print( "{}, {}: {}\n", absent.paper, absent.what, absent.why );
    }
}

std::vector<Table> chosen( const Options& options )
{
    const bool wantsAll =
        options.ids.empty() || std::find( options.ids.begin(), options.ids.end(), "all" ) != options.ids.end();
    std::vector<Table> tables = allTables();
    const auto isOut = [&]( const Table& table )
    { return !wantsAll && std::find( options.ids.begin(), options.ids.end(), table.id ) == options.ids.end(); };
    tables.erase( std::remove_if( tables.begin(), tables.end(), isOut ), tables.end() );
    return tables;
}

Record recordOf( const Table& table, const Row& row )
{
    Record record;
    record["id"] = table.id;
    record["size"] = row.size;
    record["what"] = row.what;
    record["unit"] = row.unit;
    record["paper"] = orNull( row.paper );
    record["cpu"] = orNull( row.cpu );
    record["device"] = orNull( row.device );
    record["tests"] = orNull( row.tests );
    record["samePairs"] = row.tick == Tick::none ? Record() : Record( row.tick == Tick::yes );
    return record;
}

/// How long a table took to measure, or all of them.
std::string tookText( const Effort& effort, const char* what, double ms )
{
    return effort.isQuick ? "" : fmt::format( "{} took {:.1f} s.\n", what, ms / 1000 );
}

/// \return whether every row was right
bool run( const Options& options )
{
    command::Progress progress;
    const Effort effort = { options.isQuick, options.threads, options.device == "cuda", &progress };
    const bool isTable = options.format == "table";
    if ( isTable )
    {
        fmt::print( "{}\n", compare::machineText( compare::describeMachine() ) );
    }
    const std::vector<Table> tables = chosen( options );
    std::vector<Record> records;
    bool isRight = true;
    double totalMs = 0;
    for ( std::size_t k = 0; k < tables.size(); ++k )
    {
        progress.stage( fmt::format( "{}/{} {}", k + 1, tables.size(), tables[k].id ) );
        std::vector<Row> rows;
        double ms = 0;
        {
            const compare::Stopwatch stopwatch( ms );
            rows = tables[k].measure( effort );
        }
        totalMs += ms;
        isRight = isRight && areRight( rows );
        for ( const Row& row : rows )
        {
            records.push_back( recordOf( tables[k], row ) );
        }
        if ( isTable )
        {
            fmt::print( "{}{}\n", tableText( tables[k], rows ), tookText( effort, tables[k].id, ms ) );
            std::fflush( stdout ); // whoever waits for the rest may read this
        }
        if ( !options.plot.empty() )
        {
            plotTable( options.plot, tables[k], rows );
        }
    }
    if ( isTable )
    {
        fmt::print( "{}", tookText( effort, "All of it", totalMs ) );
    }
    else
    {
        fmt::print( "{}", options.format == "csv" ? compare::csvText( records )
                                                  : compare::jsonText( compare::describeMachine(), records ) );
    }
    return isRight;
}

/// \param folder  for pictures; empty: none are wanted
void requireFolder( const std::string& folder )
try
{
    if ( !folder.empty() )
    {
        compare::requirePlotting( folder + "/figure.png" );
    }
}
catch ( const std::runtime_error& error )
{
    throw CLI::ValidationError( error.what() );
}

/// How tables are measured says nothing when they are listed.
void requireTables( const Options& options, const CLI::App& command )
{
    for ( const char* how : { "--device", "--threads", "--format", "--plot" } )
    {
        if ( options.ids.empty() && !options.isQuick && command.count( how ) > 0 )
        {
            throw CLI::ValidationError( how, "of which tables? Name some, or all" );
        }
    }
}

void papers( const Options& options )
{
    if ( options.ids.empty() && !options.isQuick )
    {
        list();
        return;
    }
    command::refuseRepeats( "ID", options.ids );
    command::requireDevice( options.device );
    requireFolder( options.plot );
    if ( !run( options ) )
    {
        throw CLI::RuntimeError( 1 );
    }
}

} // namespace

} // namespace cullet::papers

void addPapersCommand( CLI::App& app )
{
    using namespace cullet;
    CLI::App* command =
        app.add_subcommand( "papers", "The tables of the papers that cullet is built from, measured again" );
    const auto options = std::make_shared<papers::Options>();
    command->add_option( "ID", options->ids, "Which tables, or all; without any they are listed, and what is not here" )
        ->check( command::oneOf( papers::allIds() ) );
    command->add_flag( "--quick", options->isQuick,
                       "Small sizes, and no times: is everything right? Without an ID, all" );
    command->add_option( "--device", options->device, "What is measured: the CPU, or a CUDA device beside it" )
        ->check( command::oneOf( { "cpu", "cuda" } ) );
    command->add_option( "--threads", options->threads, "Of cullet; 0: one a processor" )
        ->check( command::between( 0, CLT_MAX_THREADS, command::Number::whole ) );
    command->add_option( "--format", options->format, "How the result is shown" )
        ->check( command::oneOf( { "table", "csv", "json" } ) );
    command->add_option( "--plot", options->plot, "Also draw the figures into this folder, with gnuplot" )
        ->check( command::require( []( const std::string& folder ) { return !folder.empty(); }, "is no folder" ) );
    command->footer( R"(
Times are medians of nine after three that do not count. "same pairs": what was measured is held against an
independent sweep; exit code 1 if any row is not right. "-" is what a paper does not print, what was not measured,
and where nothing of ours could be held against anything. G/s: thousand millions of tested pairs, or of roots, a second.
)" );
    command->callback(
        [options, command]
        {
            papers::requireTables( *options, *command );
            papers::papers( *options );
        } );
}
