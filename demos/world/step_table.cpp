// SPDX-License-Identifier: Zlib
/// \file step_table.cpp
/// The CSV file, the table of stages and their picture.
#include "step_table.h"

#include "steps_script.h"

#include "demos/report/gnuplot.h"
#include "demos/report/table.h"
#include "demos/report/timing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace cullet::demo
{
namespace
{

struct Stage
{
    const char* name;
    double StepRecord::*ms;
};

constexpr Stage stages[] = {
    { "broadphase", &StepRecord::broadphaseMs },
    { "narrow phase", &StepRecord::narrowPhaseMs },
    { "solver", &StepRecord::solverMs },
    { "rest", &StepRecord::restMs },
    { "step", &StepRecord::wholeMs },
};

/// The order of the columns is what steps.gnuplot reads.
void writeTable( const std::vector<StepRecord>& records, const std::string& path )
{
    std::ofstream file( path );
    file << "step,seconds,broadphase_ms,narrow_phase_ms,solver_ms,rest_ms,step_ms,pairs,manifolds\n";
    int step = 0;
    for ( const StepRecord& record : records )
    {
        ++step;
        file << fmt::format( "{},{:.4f}", step, double( stepSeconds ) * step );
        for ( const Stage& stage : stages )
        {
            file << fmt::format( ",{:.4f}", record.*stage.ms );
        }
        file << fmt::format( ",{},{}\n", record.pairs, record.manifolds );
    }
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + path );
    }
}

void printStages( const std::vector<StepRecord>& records )
{
    const auto addWhole = []( double sum, const StepRecord& record ) { return sum + record.wholeMs; };
    const double whole = std::accumulate( records.begin(), records.end(), 0.0, addWhole );
    std::vector<compare::Cells> rows = { { "", "median ms", "total ms", "%" } };
    for ( const Stage& stage : stages )
    {
        std::vector<double> ms;
        for ( const StepRecord& record : records )
        {
            ms.push_back( record.*stage.ms );
        }
        const double total = std::accumulate( ms.begin(), ms.end(), 0.0 );
        rows.push_back( { stage.name, fmt::format( "{:.3f}", *compare::medianIfAny( ms ) ),
                          fmt::format( "{:.1f}", total ), fmt::format( "{:.1f}", 100 * total / whole ) } );
    }
    fmt::print( "\n{}\n", fmt::join( compare::tableLines( rows, 1 ), "" ) );
}

} // namespace

void tellSteps( const std::vector<StepRecord>& records, const std::string& title, const std::string& directory )
{
    const std::string table = ( std::filesystem::path( directory ) / "demo-steps.csv" ).string();
    const std::string picture = ( std::filesystem::path( directory ) / "demo-time.png" ).string();
    printStages( records );
    writeTable( records, table );
    std::error_code ignored;
    std::filesystem::remove( picture, ignored ); // an old one must not pass for this run's
    if ( !gnuplot::isInstalled() )
    {
        fmt::print( "no demo-time.png: it needs gnuplot with the terminal pngcairo\n" );
        return;
    }
    gnuplot::run( fmt::format( "table = {}\npicture = {}\nheading = {}\n", gnuplot::quoted( table ),
                               gnuplot::quoted( picture ), gnuplot::quoted( title ) ) +
                  stepsScript );
}

} // namespace cullet::demo
