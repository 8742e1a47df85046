// SPDX-License-Identifier: Zlib
/// \file step_table.cpp
/// The CSV file and the table of stages.
#include "step_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
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

/// The upper one of the two in the middle if the count is even. The records are not empty.
double medianOf( const StepRecords& records, const Stage& stage )
{
    std::vector<double> values;
    values.reserve( records.size() );
    for ( const StepRecord& record : records )
    {
        values.push_back( stage.milliseconds( record.times ) );
    }
    const auto middle = values.begin() + std::ptrdiff_t( values.size() / 2 );
    std::nth_element( values.begin(), middle, values.end() );
    return *middle;
}

double totalOf( const StepRecords& records, const Stage& stage )
{
    double total = 0;
    for ( const StepRecord& record : records )
    {
        total += stage.milliseconds( record.times );
    }
    return total;
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
    const double wholeMedian = medianOf( records, wholeStep );
    const double wholeTotal = totalOf( records, wholeStep );
    fmt::print( "\n{:<14}{:>11}{:>8}{:>13}{:>8}\n", "", "median ms", "%", "total ms", "%" );
    for ( const Stage& stage : stages )
    {
        const double median = medianOf( records, stage );
        const double total = totalOf( records, stage );
        fmt::print( "{:<14}{:>11.3f}{:>8.1f}{:>13.1f}{:>8.1f}\n", stage.name, median, 100 * median / wholeMedian, total,
                    100 * total / wholeTotal );
    }
    fmt::print( "(each median is over all steps by itself, so the medians need not add up)\n\n" );
}

} // namespace cullet::demo
