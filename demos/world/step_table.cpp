// SPDX-License-Identifier: Zlib
/// \file step_table.cpp
/// The CSV file, the table of stages and their picture.
#include "step_table.h"

#include "demos/report/gnuplot.h"
#include "demos/report/table.h"
#include "demos/report/timing.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>

namespace cullet::demo
{
namespace
{

struct Stage
{
    const char* name;
    double ( *milliseconds )( const StepTimes& times );
};

const Stage stages[] = {
    { "broadphase", []( const StepTimes& times ) { return times.broadphase; } },
    { "narrow phase", []( const StepTimes& times ) { return times.narrowPhase; } },
    { "solver", []( const StepTimes& times ) { return times.solver; } },
    { "rest", []( const StepTimes& times ) { return times.rest(); } },
    { "step", []( const StepTimes& times ) { return times.whole; } },
};
const Stage& wholeStep = stages[std::size( stages ) - 1];

/// Of one stage, in the median step and in all.
struct StageMs
{
    double median;
    double total;
};

/// The records are not empty.
StageMs stageMs( const StepRecords& records, const Stage& stage )
{
    std::vector<double> values;
    for ( const StepRecord& record : records )
    {
        values.push_back( stage.milliseconds( record.times ) );
    }
    return { *compare::medianIfAny( values ), std::accumulate( values.begin(), values.end(), 0.0 ) };
}

/// On top of each other, drawn from the tallest down. Columns are those of writeStepTable.
std::string stackedAreas( const std::string& tablePath, const std::string& title )
{
    return fmt::format( "set datafile separator ','\n"
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
                        gnuplot::quoted( title ), gnuplot::quoted( tablePath ) );
}

} // namespace

void writeStepTable( const StepRecords& records, const std::string& path )
{
    std::ofstream file( path );
    file << "step,seconds,broadphase_ms,narrow_phase_ms,solver_ms,rest_ms,step_ms,pairs,manifolds\n";
    int step = 0;
    for ( const StepRecord& record : records )
    {
        const StepTimes& times = record.times;
        ++step;
        file << fmt::format( "{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{},{}\n", step, double( stepSeconds ) * step,
                             times.broadphase, times.narrowPhase, times.solver, times.rest(), times.whole, record.pairs,
                             record.manifolds );
    }
    file.close();
    if ( !file )
    {
        throw std::runtime_error( "cannot write " + path );
    }
}

void printStages( const StepRecords& records )
{
    const StageMs whole = stageMs( records, wholeStep );
    compare::Table table(
        { { "", true }, { "median ms", false }, { "%", false }, { "total ms", false }, { "%", false } } );
    for ( const Stage& stage : stages )
    {
        const StageMs ms = stageMs( records, stage );
        table.add( { stage.name, fmt::format( "{:.3f}", ms.median ),
                     fmt::format( "{:.1f}", 100 * ms.median / whole.median ), fmt::format( "{:.1f}", ms.total ),
                     fmt::format( "{:.1f}", 100 * ms.total / whole.total ) } );
    }
    fmt::print( "\n{}", table.text() );
    fmt::print( "(each median is over all steps by itself, so the medians need not add up)\n\n" );
}

bool plotSteps( const std::string& tablePath, const std::string& title, const std::string& picturePath )
{
    std::error_code ignored;
    std::filesystem::remove( picturePath, ignored ); // an old one must not pass for this run's
    if ( !gnuplot::isInstalled() )
    {
        return false;
    }
    gnuplot::run( gnuplot::output( picturePath, 1280, 640 ) + stackedAreas( tablePath, title ) );
    return true;
}

} // namespace cullet::demo
