// SPDX-License-Identifier: Zlib
/// \file comparison_report.cpp
/// Totals of the parts add up to the total of the step; medians do not, as each part has its own. Table, CSV, JSON and
/// picture are made from the same summaries.
#include "comparison.h"
#include "parts_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/numbers.h"
#include "demos/report/records.h"
#include "demos/report/table.h"
#include "demos/report/timing.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <regex>

namespace cullet::demo
{
namespace
{

using compare::Cells;
using compare::grouped;
using compare::Record;
using compare::threeDigits;

/// Milliseconds of all parts and of the step.
struct Row
{
    PartTimes parts;
    double step;
};

struct Summary
{
    Row median;
    Row total;
    Row processor; ///< total of all threads
    double pairs;  ///< mean
    double touching;
};

double medianOf( const std::vector<StepRecord>& records, const std::function<double( const StepRecord& )>& ms )
{
    std::vector<double> values;
    std::transform( records.begin(), records.end(), std::back_inserter( values ), ms );
    return *compare::medianIfAny( values );
}

Row totalOf( const std::vector<StepRecord>& records, PartTimes StepRecord::*times )
{
    Row total = {};
    for ( const StepRecord& record : records )
    {
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            total.parts[part] += ( record.*times )[part];
        }
    }
    total.step = sumOf( total.parts );
    return total;
}

Summary summaryOf( const ComparedRun& run )
{
    Summary summary = {};
    for ( std::size_t part = 0; part < partCount; ++part )
    {
        summary.median.parts[part] =
            medianOf( run.records, [part]( const StepRecord& record ) { return record.wall[part]; } );
    }
    summary.median.step = medianOf( run.records, []( const StepRecord& record ) { return sumOf( record.wall ); } );
    summary.total = totalOf( run.records, &StepRecord::wall );
    summary.processor = totalOf( run.records, &StepRecord::processor );
    const auto steps = double( run.records.size() );
    for ( const StepRecord& record : run.records )
    {
        summary.pairs += record.pairs / steps;
    }
    summary.touching = std::accumulate( run.touching.begin(), run.touching.end(), 0.0 ) / steps;
    return summary;
}

/// The run of dbvt in the same world; NULL if there is none.
const ComparedRun* dbvtBeside( const ComparedRun& run, const std::vector<ComparedRun>& runs )
{
    const auto found = std::find_if( runs.begin(), runs.end(),
                                     [&]( const ComparedRun& other )
                                     { return other.kind == run.kind && other.broadphase == "dbvt"; } );
    return found == runs.end() ? nullptr : &*found;
}

/// The rate of steps over that of dbvt.
std::optional<double> ratioOf( Row Summary::*row, const ComparedRun& run, const std::vector<ComparedRun>& runs )
{
    const ComparedRun* dbvt = dbvtBeside( run, runs );
    return dbvt == nullptr ? std::nullopt
                           : std::optional<double>( ( summaryOf( *dbvt ).*row ).step / ( summaryOf( run ).*row ).step );
}

constexpr struct
{
    const char* heading; ///< in the table
    const char* suffix;  ///< of names in a record
    Row Summary::*row;
} senses[] = { { "median", "_ms", &Summary::median },
               { "total", "_total_ms", &Summary::total },
               { "processor", "_processor_ms", &Summary::processor } };

Record recordOf( const ComparedRun& run, const std::vector<ComparedRun>& runs )
{
    const Summary summary = summaryOf( run );
    Record record = { { "kind", run.kind },
                      { "bodies", run.bodies },
                      { "broadphase", run.broadphase },
                      { "algorithm", compare::orNull( run.algorithm ) },
                      { "steps", run.records.size() } };
    for ( const auto& sense : senses )
    {
        const Row& row = summary.*sense.row;
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            const std::string name = std::regex_replace( partNames[part], std::regex( " " ), "_" );
            record[name + sense.suffix] = row.parts[part];
        }
        record[std::string( "step" ) + sense.suffix] = row.step;
        record[std::string( "ratio_to_dbvt" ) + sense.suffix] = compare::orNull( ratioOf( sense.row, run, runs ) );
    }
    record["pairs"] = summary.pairs;
    record["touching"] = summary.touching;
    return record;
}

/// Three rows for each run: median, total and processor time. The first column has its name and its pairs.
std::vector<Cells> cellsOf( const std::vector<ComparedRun>& runs )
{
    std::vector<Cells> rows = { { "broadphase", "ms" } };
    rows[0].insert( rows[0].end(), partNames.begin(), partNames.end() );
    rows[0].insert( rows[0].end(), { "step", "x dbvt" } );
    for ( const ComparedRun& run : runs )
    {
        const Summary summary = summaryOf( run );
        const std::string titles[] = { run.broadphase, grouped( std::uint64_t( summary.pairs ) ) + " pairs",
                                       grouped( std::uint64_t( summary.touching ) ) + " touching" };
        const std::string* title = titles;
        for ( const auto& sense : senses )
        {
            const Row& row = summary.*sense.row;
            const std::optional<double> ratio = ratioOf( sense.row, run, runs );
            Cells& cells = rows.emplace_back( Cells{ *title++, sense.heading } );
            std::transform( row.parts.begin(), row.parts.end(), std::back_inserter( cells ), threeDigits );
            cells.push_back( threeDigits( row.step ) );
            cells.push_back( ratio ? threeDigits( *ratio ) : compare::unknownCell );
        }
    }
    return rows;
}

std::string sizeOf( const ComparedRun& run )
{
    return fmt::format( "{} bodies, {} steps of 1/{:.0f} s", grouped( std::uint64_t( run.bodies ) ), run.records.size(),
                        1 / stepSeconds );
}

std::string tableText( const std::vector<ComparedRun>& runs )
{
    constexpr std::size_t textColumns = 2;
    const std::vector<std::string> lines = compare::tableLines( cellsOf( runs ), textColumns );
    std::string text = machineText( compare::describeMachine() );
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || runs[k - 1].kind != runs[k].kind )
        {
            text += fmt::format( "\n{}, {}\n{}", runs[k].kind, sizeOf( runs[k] ), lines[0] );
        }
        for ( std::size_t line = 0; line < std::size( senses ); ++line )
        {
            text += lines[1 + k * std::size( senses ) + line];
        }
    }
    return text;
}

/// The data of the picture: a block for each kind, and in it a line for each run: name, rate over dbvt, and the
/// milliseconds of a mean step, on all processors and then part by part.
std::string blocksOf( const std::vector<ComparedRun>& runs )
{
    std::string blocks;
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        const Summary summary = summaryOf( runs[k] );
        const auto steps = double( runs[k].records.size() );
        const std::optional<double> ratio = ratioOf( &Summary::total, runs[k], runs );
        blocks += k > 0 && runs[k - 1].kind != runs[k].kind ? "\n\n" : "";
        blocks += fmt::format( "{} {} {}", runs[k].broadphase, ratio ? fmt::format( "{:.2f}x", *ratio ) : "-",
                               summary.processor.step / steps );
        for ( const double ms : summary.total.parts )
        {
            blocks += fmt::format( " {}", ms / steps );
        }
        blocks += "\n";
    }
    return blocks;
}

} // namespace

void printComparison( const std::string& format, const std::vector<ComparedRun>& runs )
{
    std::vector<Record> records;
    for ( const ComparedRun& run : runs )
    {
        records.push_back( recordOf( run, runs ) );
    }
    fmt::print( "{}", format == "json"  ? compare::jsonText( compare::describeMachine(), records )
                      : format == "csv" ? compare::csvText( records )
                                        : tableText( runs ) );
}

void drawComparison( const std::string& path, const std::vector<ComparedRun>& runs )
{
    std::string titles;
    for ( std::size_t k = 0; k < runs.size(); ++k )
    {
        if ( k == 0 || runs[k - 1].kind != runs[k].kind )
        {
            titles += runs[k].kind + " ";
        }
    }
    std::string parts;
    for ( const char* name : partNames )
    {
        parts += fmt::format( " \"{}\"", name );
    }
    const compare::Machine machine = compare::describeMachine();
    gnuplot::run( fmt::format( "picture = {}\nheading = \"{}\\ncullet {}, Bullet {}, {}\\n"
                               "{}: the mean of a step, and times the rate with btDbvt\"\n"
                               "titles = '{}'\nparts = '{}'\n$runs << END\n{}END\n",
                               gnuplot::quoted( path ), machineLine( machine ), machine.commit, machine.bullet,
                               machine.compiler, sizeOf( runs[0] ), titles, parts, blocksOf( runs ) ) +
                  partsScript );
}

} // namespace cullet::demo
