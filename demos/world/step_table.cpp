// SPDX-License-Identifier: Zlib
/// \file step_table.cpp
/// The CSV file, the table of stages and their picture.
#include "step_table.h"

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

/// On top of each other, drawn from the tallest down. Columns are those of writeStepTable.
std::string stackedAreas( const std::string& tablePath, const std::string& title, const std::string& picturePath )
{
    return fmt::format( "set terminal pngcairo font 'DejaVu Sans,16' noenhanced size 1280, 640\n"
                        "set output {}\n"
                        "set datafile separator ','\n"
                        "set title {}\n"
                        "set xlabel 'step'\n"
                        "set ylabel 'ms per step'\n"
                        "set yrange [0:*]\n"
                        "set key top left reverse Left\n"
                        "set grid ytics\n"
                        "set style fill solid noborder\n"
                        "set style data filledcurves y1=0\n"
                        "table = {}\n"
                        "plot table using 1:($3+$4+$5+$6) lc rgb '#b0b0b0' title 'rest', \\\n"
                        "     table using 1:($3+$4+$5) lc rgb '#3e80d6' title 'solver', \\\n"
                        "     table using 1:($3+$4) lc rgb '#48b068' title 'narrow phase', \\\n"
                        "     table using 1:3 lc rgb '#e8821c' title 'broadphase'\n",
                        gnuplot::quoted( picturePath ), gnuplot::quoted( title ), gnuplot::quoted( tablePath ) );
}

} // namespace

void writeStepTable( const std::vector<StepRecord>& records, const std::string& path )
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

bool plotSteps( const std::string& tablePath, const std::string& title, const std::string& picturePath )
{
    std::error_code ignored;
    std::filesystem::remove( picturePath, ignored ); // an old one must not pass for this run's
    if ( !gnuplot::isInstalled() )
    {
        return false;
    }
    gnuplot::run( stackedAreas( tablePath, title, picturePath ) );
    return true;
}

} // namespace cullet::demo
