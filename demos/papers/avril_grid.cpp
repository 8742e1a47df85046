// SPDX-License-Identifier: Zlib
/// \file avril_grid.cpp
/// Table 6: the stages of an update with a grid. Table 7: from which size on the grid is faster than brute force.
/// Section 6: other published systems.
#include "measurements.h"
#include "motion.h"

#include "demos/report/numbers.h"

#include <map>

namespace cullet::papers
{

using compare::grouped;

// -------------------------------------------------------------------------------------------------------- table 6

std::vector<Row> measureStages( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        double set, build, find, total;
    };
    const Known all[] = { { 1000, 0.03, 0.13, 0.09, 0.25 },
                          { 10000, 0.31, 1.45, 0.59, 2.35 },
                          { 100000, 3.38, 11.12, 13.41, 27.91 },
                          { 1000000, 14.26, 134.91, 142.72, 291.89 } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        const std::string size = grouped( known.size );
        effort.progress->detail( size );
        const Motion motion( clt_sceneColumn, known.size, effort );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back( rowOf( size, "boxes", known.set, grid, &Updates::setMs ) );
        rows.push_back( rowOf( size, "grid", known.build, grid, &Updates::buildMs ) );
        rows.push_back( rowOf( size, "pairs in cells", known.find, grid, &Updates::findMs ) );
        rows.push_back( rowOf( size, "total", known.total, grid, &Updates::totalMs ) );
        const Everywhere best = measureEverywhere( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( rowOf( size, "total, what auto takes", known.total, best, &Updates::totalMs ) );
    }
    return rows;
}

// -------------------------------------------------------------------------------------------------------- table 7

std::vector<Row> measureCrossing( const Effort& effort )
{
    struct Known
    {
        double brute, grid;
    };
    const std::map<std::uint32_t, Known> paper = {
        { 100, { 0.046, 1.020 } }, { 1000, { 0.872, 1.840 } }, { 10000, { 31.450, 3.257 } } };
    std::vector<Row> rows;
    std::optional<double> crossing;
    for ( const std::uint32_t size : sizesFor( effort, { 30, 100, 200, 300, 500, 1000, 2000, 10000 } ) )
    {
        effort.progress->detail( grouped( size ) );
        const auto known = paper.find( size );
        const auto figure = [&]( double Known::*of )
        { return known == paper.end() ? std::optional<double>() : known->second.*of; };
        const Motion motion( clt_sceneBrownian, size, effort );
        const Everywhere brute = measureEverywhere( defOf( clt_algorithmBruteForce, effort ), motion, effort );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        rows.push_back( rowOf( grouped( size ), "without grid", figure( &Known::brute ), brute, &Updates::totalMs ) );
        rows.back().tests = brute.cpu.candidates;
        rows.push_back( rowOf( grouped( size ), "with grid", figure( &Known::grid ), grid, &Updates::totalMs ) );
        placeAt( rows, size );
        if ( !crossing && grid.cpu.totalMs && *grid.cpu.totalMs < *brute.cpu.totalMs )
        {
            crossing = size;
        }
    }
    rows.push_back( cpuRow( "the grid wins", "from so many bodies on", "", 1000.0, crossing, areRight( rows ) ) );
    return rows;
}

// ----------------------------------------------------------------------------------------------------- section 6

std::vector<Row> measureOthers( const Effort& effort )
{
    struct Known
    {
        std::uint32_t size;
        const char* system;
        double published, paper;
    };
    const Known all[] = { { 304, "Pabst 2010, a hundredth of all", 1.28, 0.41 },
                          { 3000, "Tracy 2009", 4, 0.46 },
                          { 64000, "Liu 2010", 13.71, 15.67 },
                          { 128000, "Liu 2010", 48.16, 30.68 },
                          { 256000, "Liu 2010", 241, 50.33 } };
    std::vector<Row> rows;
    for ( const Known& known : knownFor( effort, all ) )
    {
        effort.progress->detail( grouped( known.size ) );
        const Motion motion( clt_sceneBrownian, known.size, effort );
        const std::string size = grouped( known.size );
        const Everywhere grid = measureEverywhere( defOf( clt_algorithmGrid, effort ), motion, effort );
        const Everywhere best = measureEverywhere( defOf( clt_algorithmAuto, effort ), motion, effort );
        rows.push_back( paperRow( size, known.system, "ms", known.published ) );
        rows.push_back( rowOf( size, "the paper, and our grid", known.paper, grid, &Updates::totalMs ) );
        rows.push_back( rowOf( size, "the paper, and what auto takes", known.paper, best, &Updates::totalMs ) );
    }
    return rows;
}

} // namespace cullet::papers
