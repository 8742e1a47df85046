// SPDX-License-Identifier: Zlib
/// \file step_table.cpp
/// The CSV file, the table of parts and their picture.
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

/// The order of the columns is what steps.gnuplot reads.
void writeTable( const std::vector<StepRecord>& records, const std::string& path )
{
    std::ofstream file( path );
    file << "step,seconds,boxes_ms,broadphase_ms,narrow_phase_ms,islands_ms,solver_ms,actions_ms,rest_ms,step_ms,pairs,"
            "manifolds\n";
    int step = 0;
    for ( const StepRecord& record : records )
    {
        ++step;
        file << fmt::format( "{},{:.4f},{:.4f},{:.4f},{},{}\n", step, double( stepSeconds ) * step,
                             fmt::join( record.wall, "," ), sumOf( record.wall ), record.pairs, record.manifolds );
    }
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + path );
    }
}

/// One line of the table.
compare::Cells cellsOf( const char* name, const std::vector<double>& ms, double whole )
{
    const double total = std::accumulate( ms.begin(), ms.end(), 0.0 );
    return { name, fmt::format( "{:.3f}", *compare::medianIfAny( ms ) ), fmt::format( "{:.1f}", total ),
             fmt::format( "{:.1f}", 100 * total / whole ) };
}

void printParts( const std::vector<StepRecord>& records )
{
    std::array<std::vector<double>, partCount> ms;
    std::vector<double> steps;
    for ( const StepRecord& record : records )
    {
        for ( std::size_t part = 0; part < partCount; ++part )
        {
            ms[part].push_back( record.wall[part] );
        }
        steps.push_back( sumOf( record.wall ) );
    }
    const double whole = std::accumulate( steps.begin(), steps.end(), 0.0 );
    std::vector<compare::Cells> rows = { { "", "median ms", "total ms", "%" } };
    for ( std::size_t part = 0; part < partCount; ++part )
    {
        rows.push_back( cellsOf( partNames[part], ms[part], whole ) );
    }
    rows.push_back( cellsOf( "step", steps, whole ) );
    fmt::print( "\n{}\n", fmt::join( compare::tableLines( rows, 1 ), "" ) );
}

} // namespace

void tellSteps( const std::vector<StepRecord>& records, const std::string& title, const std::string& directory )
{
    const std::string table = ( std::filesystem::path( directory ) / "demo-steps.csv" ).string();
    const std::string picture = ( std::filesystem::path( directory ) / "demo-time.png" ).string();
    printParts( records );
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
