// SPDX-License-Identifier: Zlib
/// \file papers_command.cpp
/// The program cullet-papers, which `cullet papers` runs: lists the tables of the papers, or measures them.
#include "papers.h"
#include "papers_options.h"

#include "demos/command/commands.h"
#include "demos/command/device_option.h"
#include "demos/report/gnuplot.h"
#include "demos/report/machine.h"
#include "demos/report/records.h"

#include <fmt/format.h>

#include <memory>

namespace cullet::papers
{

namespace
{

using compare::orNull;
using compare::Record;

bool isIn( const std::vector<std::string>& ids, const char* id )
{
    return std::find( ids.begin(), ids.end(), id ) != ids.end();
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

/// Measures tables.
/// \return whether every row was right
bool run( const std::vector<Table>& tables, const PapersOptions& options )
{
    command::Progress progress;
    const Effort effort = { options.isQuick, options.threads, options.device == "cuda", &progress };
    const bool isTable = options.format == "table";
    const auto printTime = [&]( const char* what, double ms )
    {
        if ( isTable && !options.isQuick )
        {
            fmt::print( "{} took {:.1f} s.\n", what, ms / 1000 );
        }
    };
    if ( isTable )
    {
        fmt::print( "{}\n", compare::machineText( compare::describeMachine() ) );
    }
    std::vector<Record> records;
    bool isRight = true;
    double totalMs = 0;
    for ( const Table& table : tables )
    {
        progress.stage( fmt::format( "{}/{} {}", &table - tables.data() + 1, tables.size(), table.id ) );
        TableBuilder built = { effort };
        const double ms = compare::millisecondsOf( [&] { table.measure( built ); } );
        totalMs += ms;
        isRight = isRight && built.areRight();
        for ( const Row& row : built.rows )
        {
            records.push_back( recordOf( table, row ) );
        }
        if ( isTable )
        {
            fmt::print( "{}", tableText( table, built.rows ) );
            printTime( table.id, ms );
            fmt::print( "\n" );
            std::fflush( stdout ); // so that the table can be read while the next is measured
        }
        if ( !options.plot.empty() )
        {
            plotTable( options.plot, table, built.rows );
        }
    }
    printTime( "Everything", totalMs );
    if ( !isTable )
    {
        fmt::print( "{}", options.format == "csv" ? compare::csvText( records )
                                                  : compare::jsonText( compare::describeMachine(), records ) );
    }
    return isRight;
}

void papers( const PapersOptions& options, const CLI::App& command )
{
    const bool isList = options.ids.empty() && !options.isQuick;
    for ( const char* how : { "--device", "--threads", "--format", "--plot" } )
    {
        if ( isList && command.count( how ) > 0 )
        {
            throw CLI::ValidationError( how, "of which tables? Name some, or all" );
        }
    }
    if ( isList )
    {
        list();
        return;
    }
    command::refuseRepeats( "ID", options.ids );
    command::requireDevice( options.device );
    try
    {
        if ( !options.plot.empty() )
        {
            gnuplot::requireWritable( options.plot + "/figure.png" );
        }
    }
    catch ( const std::runtime_error& error )
    {
        throw CLI::ValidationError( error.what() );
    }
    std::vector<Table> tables = allTables();
    const auto isOut = [&]( const Table& table ) { return !isIn( options.ids, table.id ); };
    if ( !options.ids.empty() && !isIn( options.ids, "all" ) )
    {
        tables.erase( std::remove_if( tables.begin(), tables.end(), isOut ), tables.end() );
    }
    if ( !run( tables, options ) )
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
    std::vector<std::string> ids = { "all" };
    for ( const papers::Table& table : papers::allTables() )
    {
        ids.push_back( table.id );
    }
    command->get_option( "ID" )->check( command::oneOf( ids ) );
    command->callback( [options, command] { papers::papers( *options, *command ); } );
}

int main( int argc, char** argv )
{
    return runProgram( argc, argv, addCommand );
}
