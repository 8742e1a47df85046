// SPDX-License-Identifier: Zlib
/// \file papers_command.cpp
/// The program cullet-papers, which `cullet papers` runs: lists the tables of the papers, or measures them.
#include "papers.h"
#include "papers_options.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/command/option_checks.h"
#include "demos/report/gnuplot.h"
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

std::vector<Table> chosen( const PapersOptions& options )
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

/// "<what> took 1.5 s."
std::string tookText( const Effort& effort, const char* what, double ms )
{
    return effort.isQuick ? "" : fmt::format( "{} took {:.1f} s.\n", what, ms / 1000 );
}

/// Measures the chosen tables.
/// \return whether every row was right
bool run( const PapersOptions& options )
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
            std::fflush( stdout ); // so that it can be read while the next is measured
        }
        if ( !options.plot.empty() )
        {
            plotTable( options.plot, tables[k], rows );
        }
    }
    if ( isTable )
    {
        fmt::print( "{}", tookText( effort, "Everything", totalMs ) );
    }
    else
    {
        fmt::print( "{}", options.format == "csv" ? compare::csvText( records )
                                                  : compare::jsonText( compare::describeMachine(), records ) );
    }
    return isRight;
}

/// Refuses a folder that pictures cannot be written into.
/// \param folder  empty: no pictures
void requireFolder( const std::string& folder )
try
{
    if ( !folder.empty() )
    {
        gnuplot::requireWritable( folder + "/figure.png" );
    }
}
catch ( const std::runtime_error& error )
{
    throw CLI::ValidationError( error.what() );
}

/// Refuses options of measuring when tables are only listed.
void requireTables( const PapersOptions& options, const CLI::App& command )
{
    for ( const char* how : { "--device", "--threads", "--format", "--plot" } )
    {
        if ( options.ids.empty() && !options.isQuick && command.count( how ) > 0 )
        {
            throw CLI::ValidationError( how, "of which tables? Name some, or all" );
        }
    }
}

void papers( const PapersOptions& options )
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

static void addCommand( CLI::App& app )
{
    using namespace cullet;
    const auto options = std::make_shared<papers::PapersOptions>();
    CLI::App* command = papers::addPapersOptions( app, *options );
    command->get_option( "ID" )->check( command::oneOf( papers::allIds() ) );
    command->callback(
        [options, command]
        {
            papers::requireTables( *options, *command );
            papers::papers( *options );
        } );
}

int main( int argc, char** argv )
{
    return runProgram( argc, argv, addCommand );
}
